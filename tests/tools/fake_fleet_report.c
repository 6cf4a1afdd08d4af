/* fake_fleet_report N DIRECTORY: the report of a made-up fleet of N jobs
 * (tests/support/fake_fleet.h) in all its forms: report.txt, report.json, index.html, and the CSV
 * files in csv/. */
#include "core/files/outfile.h"
#include "tests/support/fake_fleet.h"
#include "tests/support/outset_case.h"

typedef enum hc_status write_function(FILE *stream, const struct hc_fleet_report *report,
                                      struct hc_error *err);

static enum hc_status write_one(const char *directory, const char *name, write_function *write,
                                const struct hc_fleet_report *report, struct hc_error *err)
{
    char path[4096];
    struct hc_outfile out;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    enum hc_status status = hc_outfile_open(&out, path, err);
    if (status == HC_OK)
        status = write(out.stream, report, err);
    if (status == HC_OK)
        status = hc_outfile_commit(&out, err);
    hc_outfile_abort(&out);
    return status;
}

static enum hc_status write_all(const char *directory, const struct hc_fleet_report *report,
                                struct hc_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/csv", directory);
    struct hc_fleet_report tables = *report;
    struct hc_outset *set = case_set();
    tables.run_id = CASE_RUN_ID;
    enum hc_status status = case_commit(set, hc_fleet_write_csv(set, path, &tables, err), err);
    if (status == HC_OK)
        status = write_one(directory, "report.txt", hc_fleet_write_text, report, err);
    if (status == HC_OK)
        status = write_one(directory, "report.json", hc_fleet_write_json, report, err);
    if (status == HC_OK)
        status = write_one(directory, "index.html", hc_fleet_write_html, report, err);
    return status;
}

int main(int argc, char **argv)
{
    struct hc_error err = {.status = HC_OK};
    if (argc != 3) {
        fprintf(stderr, "usage: fake_fleet_report N DIRECTORY\n");
        return HC_USAGE;
    }
    size_t n = strtoul(argv[1], NULL, 10);
    struct hc_fleet_row *rows = fake_fleet(n);
    struct hc_fleet_report report = fake_fleet_report(rows, n);
    enum hc_status status = write_all(argv[2], &report, &err);
    if (status != HC_OK)
        fprintf(stderr, "fake_fleet_report: %s\n", err.message);
    fake_fleet_report_fini(&report);
    fake_fleet_free(rows, n);
    return status;
}
