/* fake_study_pages DIRECTORY - pages of made-up studies, for the check in a browser: everything at
 * once, almost nothing, names that are not made for HTML, and as much as fits. */
#include "core/base/status.h"
#include "reports/study/study_html.h"
#include "tests/support/fake_study.h"

static enum hc_status write_page(const char *directory, const char *name,
                                 const struct fake_study *fake, struct hc_error *err)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.html", directory, name);
    FILE *stream = fopen(path, "w");
    if (!stream)
        return hc_fail_errno(err, "cannot create", path);
    enum hc_status status = hc_study_html_write(stream, &fake->result, err);
    if (fclose(stream) != 0 && status == HC_OK)
        return hc_fail_errno(err, "cannot write", path);
    return status;
}

static void make_hostile(struct fake_study *fake)
{
    static const char bad[] = "<b onload=\"x\">&amp;'</b> with a name that is much longer than any "
                              "chart has room for, \xC3\xA4\xF0\x9F\x98\x80\xFF\x01";
    static const char *const combines[] = {bad, bad};
    struct hc_study_result *result = &fake->result;
    fake_study_full(fake, 5, 4);
    fake_sweep(fake, (size_t[]){6}, 1, true);
    result->name = result->question = result->scenario = result->found.path = bad;
    result->found.such_that = bad;
    for (size_t r = 0; r < result->n_runs; r++)
        result->run[r].name = bad;
    for (size_t i = 0; i < hc_life_run_detail(&result->run[0])->config->n_faults; i++)
        ((struct hc_lifetime_fault *)hc_life_run_detail(&result->run[0])->config->fault)[i].name =
            bad;
    for (size_t i = 0; i < result->n_bars; i++)
        result->bar[i].path = bad;
    for (size_t i = 0; i < result->axis[0].n; i++)
        ((const char **)result->axis[0].label)[i] = bad;
    ((struct hc_study_axis *)result->axis)[0].path = bad;
    result->run[3].combines = combines;
}

static void make(struct fake_study *fake, const char *name)
{
    if (strcmp(name, "least") == 0) {
        fake_study_init(fake, 0, 1);
    } else if (strcmp(name, "hostile") == 0) {
        make_hostile(fake);
    } else if (strcmp(name, "many") == 0) {
        fake_study_full(fake, 64, 64);
        fake_sweep(fake, (size_t[]){1000}, 1, false);
        fake_life(fake, 11000, 64);
    } else if (strcmp(name, "planes") == 0) {
        fake_study_full(fake, 5, 2);
        fake_sweep(fake, (size_t[]){7, 4, 3}, 3, false);
        fake_find(fake, false);
    } else {
        fake_study_full(fake, 5, 4);
        fake_sweep(fake, strcmp(name, "plane") == 0 ? (size_t[]){7, 3} : (size_t[]){9, 1},
                   strcmp(name, "plane") == 0 ? 2 : 1, false);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"full", "plane", "planes", "least", "hostile", "many"};
    struct hc_error err = {.status = HC_OK};
    if (argc != 2) {
        fprintf(stderr, "usage: fake_study_pages DIRECTORY\n");
        return HC_USAGE;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0] && err.status == HC_OK; i++) {
        struct fake_study fake;
        make(&fake, names[i]);
        fake_digest(&fake);
        if (write_page(argv[1], names[i], &fake, &err))
            fprintf(stderr, "fake_study_pages: %s\n", err.message);
        fake_study_free(&fake);
    }
    return err.status;
}
