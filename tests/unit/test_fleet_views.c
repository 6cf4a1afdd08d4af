#include "core/base/text_layout.h"
#include "tests/support/fake_fleet.h"
#include "tests/support/outset_case.h"

#include <check.h>
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <unistd.h>

typedef enum hc_status write_function(FILE *stream, const struct hc_fleet_report *report,
                                      struct hc_error *err);

/* What a view writes; the caller frees it. */
static char *written(write_function *write, const struct hc_fleet_report *report)
{
    struct hc_error err = {.message = ""};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_msg(write(stream, report, &err) == HC_OK, "%s", err.message);
    fclose(stream);
    ck_assert_uint_eq(strlen(text), size);
    return text;
}

/* Fleets at the edge: none, one job, all discarded, no GPUs known, hostile names and huge figures.
 */
enum edge { EDGE_NONE, EDGE_ONE, EDGE_DISCARDED, EDGE_NO_GPUS, EDGE_HOSTILE, EDGE_FLEET, N_EDGES };

static struct hc_fleet_row *edge_fleet(enum edge edge, size_t *n)
{
    *n = edge == EDGE_NONE ? 0 : edge == EDGE_ONE ? 1 : 60;
    struct hc_fleet_row *rows = fake_fleet(*n);
    for (size_t i = 0; i < *n; i++) {
        struct hc_fleet_row *row = &rows[i];
        if (edge == EDGE_DISCARDED)
            row->fate = HC_FLEET_UNREADABLE;
        if (edge == EDGE_NO_GPUS)
            row->n_gpus = 0;
        if (edge != EDGE_HOSTILE)
            continue;
        free(row->job_id);
        row->job_id =
            strdup(i % 2 ? "<script>alert('x')</script>&\xFF\n\x1B[31m\""
                         : "../../etc/a-very-long-name/of-a-job/that-passes-any-column/x");
        row->cluster = "clu\"ster, <b>";
        row->attempt = (int32_t)i;
        row->gpu_hours_traced *= 1e9;
        row->gpu_hours_lost *= 1e9;
        row->n_gpus *= 100000000000;
        row->slowdown = i == 7 ? 12345.678 : row->slowdown;
    }
    return rows;
}

static void check_every_edge(write_function *write, void (*check)(const char *text))
{
    for (int edge = 0; edge < N_EDGES; edge++) {
        size_t n;
        struct hc_fleet_row *rows = edge_fleet(edge, &n);
        struct hc_fleet_report report = fake_fleet_report(rows, n);
        char *text = written(write, &report), *again = written(write, &report);
        check(text);
        ck_assert_str_eq(text, again);
        free(text);
        free(again);
        fake_fleet_report_fini(&report);
        fake_fleet_free(rows, n);
    }
}

/* ---- text ---- */

static void check_layout(const char *text)
{
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        char *copy = strndup(line, (size_t)(end - line));
        ck_assert_msg(hc_text_columns(copy) <= 80, "too long: '%s'", copy);
        for (const char *p = copy; *p; p++)
            ck_assert_msg((unsigned char)*p >= 0x20, "control byte in '%s'", copy);
        ck_assert_msg(end == line || end[-1] != ' ', "ends in a space: '%s'", copy);
        ck_assert_msg(!strstr(copy, "nan"), "a figure that is none: '%s'", copy);
        free(copy);
        line = end + 1;
    }
}

START_TEST(text_fits_a_terminal)
{
    check_every_edge(hc_fleet_write_text, check_layout);
}
END_TEST

START_TEST(text_names_as_many_jobs_as_asked)
{
    struct hc_fleet_row *rows = fake_fleet(60);
    struct hc_fleet_report report = fake_fleet_report(rows, 60);
    report.top = 3;
    char *text = written(hc_fleet_write_text, &report);
    fake_fleet_report_fini(&report);
    ck_assert_ptr_nonnull(strstr(text, "JOBS BY GPU-HOURS LOST (3 of "));
    const char *jobs = strstr(text, "\n   3 train");
    ck_assert_ptr_nonnull(jobs);
    ck_assert_ptr_null(strstr(jobs, "\n   4 train"));
    free(text);
    fake_fleet_free(rows, 60);
}
END_TEST

/* ---- JSON ---- */

static void check_json(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "hindcast-fleet");
    json_t *jobs = json_object_get(json_object_get(root, "figures"), "jobs");
    ck_assert_int_eq(json_integer_value(jobs),
                     (json_int_t)json_array_size(json_object_get(root, "jobs")));
    json_decref(root);
}

START_TEST(json_is_valid)
{
    check_every_edge(hc_fleet_write_json, check_json);
}
END_TEST

START_TEST(json_has_what_is_not_known_as_null)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.25, 0),
                                  fake_discarded("b", HC_FLEET_UNREADABLE, NAN)};
    struct hc_fleet_report report = fake_fleet_report(rows, 2);
    char *text = written(hc_fleet_write_json, &report);
    fake_fleet_report_fini(&report);
    json_t *root = json_loads(text, 0, NULL), *jobs = json_object_get(root, "jobs");
    json_t *a = json_array_get(jobs, 0), *b = json_array_get(jobs, 1);
    ck_assert(json_is_null(json_object_get(a, "gpus")));
    ck_assert(json_is_null(json_object_get(a, "gpu_hours_lost")));
    ck_assert(json_is_null(json_object_get(a, "rank")));
    ck_assert(json_real_value(json_object_get(a, "slowdown")) == 1.25);
    ck_assert_str_eq(json_string_value(json_object_get(a, "cause")), "none");
    ck_assert(json_is_null(json_object_get(b, "cause")));
    ck_assert(json_is_null(json_object_get(b, "dp_size")));
    ck_assert_str_eq(json_string_value(json_object_get(b, "fate")), "unreadable");
    ck_assert_str_eq(json_string_value(json_object_get(b, "detail")), "made up, \"b\"");
    json_decref(root);
    free(text);
}
END_TEST

/* ---- HTML: every tag is closed in its turn, nothing is unescaped, nothing runs or is fetched ----
 */

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "link") == 0 || strcmp(name, "br") == 0;
}

/* Pass the tag at text ("<...>"); keep the stack of open ones. */
static const char *check_tag(const char *text, char open[][16], size_t *depth)
{
    const char *end = text;
    for (char quote = '\0'; *end != '>' || quote; end++) {
        ck_assert_msg(*end != '\0', "a tag does not end: %.40s", text);
        if (*end == '"')
            quote = quote ? '\0' : '"';
    }
    char name[16] = "";
    bool is_end = text[1] == '/';
    for (size_t i = 0; i < 15 && (isalnum((unsigned char)text[1 + is_end + i])); i++)
        name[i] = text[1 + is_end + i];
    if (is_end) {
        ck_assert_msg(*depth > 0 && strcmp(open[*depth - 1], name) == 0, "'%s' closes '%s': %.60s",
                      name, *depth ? open[*depth - 1] : "", text);
        --*depth;
    } else if (text[1] != '!' && end[-1] != '/' && !is_void(name)) {
        ck_assert_uint_lt(*depth, 31);
        strcpy(open[(*depth)++], name);
    }
    return end + 1;
}

static void check_html(const char *text)
{
    char open[32][16];
    size_t depth = 0;
    ck_assert_ptr_null(strcasestr(text, "<script"));
    ck_assert_ptr_null(strstr(text, "http://"));
    ck_assert_ptr_null(strstr(text, "https://"));
    ck_assert_ptr_null(strstr(text, "nan"));
    for (const char *p = text; *p;) {
        if (*p == '<') {
            p = check_tag(p, open, &depth);
            if (depth > 0 && strcmp(open[depth - 1], "style") == 0)
                p = strstr(p, "</style>");
            continue;
        }
        ck_assert_msg(*p != '&' || strchr(p, ';') < p + 8, "'&' is not escaped: %.30s", p);
        ck_assert_msg((unsigned char)*p >= 0x20 || *p == '\n', "control byte: %.30s", p);
        p++;
    }
    ck_assert_uint_eq(depth, 0);
}

START_TEST(html_is_well_formed)
{
    check_every_edge(hc_fleet_write_html, check_html);
}
END_TEST

START_TEST(html_links_the_pages_that_there_are)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.5, 8), fake_row("b", 1.4, 8)};
    struct hc_fleet_report report = fake_fleet_report(rows, 2);
    char name[2][HC_FLEET_PAGE_NAME];
    for (int i = 0; i < 2; i++)
        hc_fleet_page_name(&rows[i], name[i]);
    char *text = written(hc_fleet_write_html, &report);
    ck_assert_ptr_nonnull(strstr(text, name[0]));
    ck_assert_ptr_nonnull(strstr(text, "href=\"jobs/b-0-"));
    free(text);
    report.has_page = (const bool[]){true, false};
    text = written(hc_fleet_write_html, &report);
    ck_assert_ptr_nonnull(strstr(text, name[0]));
    ck_assert_ptr_null(strstr(text, name[1]));
    free(text);
    report.pages = NULL;
    text = written(hc_fleet_write_html, &report);
    ck_assert_ptr_null(strstr(text, name[0]));
    free(text);
    fake_fleet_report_fini(&report);
}
END_TEST

/* ---- names of pages ---- */

START_TEST(page_names_are_plain_and_differ)
{
    struct hc_fleet_row rows[6];
    char name[6][HC_FLEET_PAGE_NAME], long_id[300];
    memset(long_id, 'x', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    for (int i = 0; i < 6; i++)
        rows[i] = fake_row("../a b", 1, 8);
    rows[1].attempt = 1;
    rows[2].cluster = "other";
    rows[3].job_id = "../a_b";
    rows[4].job_id = long_id;
    rows[5].job_id = "";
    for (int i = 0; i < 6; i++) {
        hc_fleet_page_name(&rows[i], name[i]);
        ck_assert_uint_eq(strspn(name[i], "abcdefghijklmnopqrstuvwxyz0123456789_-."),
                          strlen(name[i]));
        ck_assert(name[i][0] != '.');
        ck_assert_str_eq(name[i] + strlen(name[i]) - 5, ".html");
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(name[i], name[j]);
    }
    ck_assert_int_eq(strncmp(name[0], "_._a_b-0-", 9), 0);
}
END_TEST

/* ---- CSV ---- */

/* Fields of the line, quoted ones as one; moves to the next. */
static size_t count_fields(const char **line)
{
    size_t n = 1;
    bool is_quoted = false;
    const char *p = *line;
    for (; *p && (is_quoted || *p != '\n'); p++) {
        is_quoted ^= *p == '"';
        n += *p == ',' && !is_quoted;
    }
    ck_assert_msg(*p == '\n', "the last line does not end");
    *line = p + 1;
    return n;
}

/* The number of lines of a table; 0: it has no rows, and so is no file. */
static size_t check_csv(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    char *text = calloc(1, 1 << 22);
    size_t n_lines = 0, n_fields = 0;
    ck_assert_uint_gt(fread(text, 1, (1 << 22) - 1, file), 0);
    for (const char *line = text; *line; n_lines++) {
        size_t n = count_fields(&line);
        ck_assert_msg(n_lines == 0 || n == n_fields, "%s: line %zu has %zu fields, not %zu", path,
                      n_lines + 1, n, n_fields);
        n_fields = n;
    }
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_uint_ge(n_lines, 2);
    free(text);
    fclose(file);
    return n_lines;
}

static enum hc_status put_files(const char *where, struct hc_fleet_report *report,
                                struct hc_error *err)
{
    struct hc_outset *set = case_set();
    report->run_id = CASE_RUN_ID;
    return case_commit(set, hc_fleet_write_csv(set, where, report, err), err);
}

START_TEST(csv_has_all_files_and_fields)
{
    static const char *const names[] = {"jobs.csv",   "funnel.csv", "quantiles.csv",
                                        "curves.csv", "causes.csv", "types.csv",
                                        "sizes.csv",  "hosts.csv",  "culprits.csv"};
    char directory[] = "/tmp/hindcast-fleet-XXXXXX", path[128];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (int edge = 0; edge < N_EDGES; edge++) {
        size_t n, n_lines = 0;
        struct hc_error err;
        struct hc_fleet_row *rows = edge_fleet(edge, &n);
        struct hc_fleet_report report = fake_fleet_report(rows, n);
        ck_assert_int_eq(put_files(directory, &report, &err), HC_OK);
        for (size_t i = sizeof names / sizeof names[0]; i-- > 0;) {
            snprintf(path, sizeof path, "%s/%s", directory, names[i]);
            n_lines = check_csv(path);
            unlink(path);
        }
        ck_assert_uint_eq(n_lines, n ? n + 1 : 0);
        snprintf(path, sizeof path, "%s/" HC_OUTSET_INDEX, directory);
        ck_assert_int_eq(unlink(path), 0);
        fake_fleet_report_fini(&report);
        fake_fleet_free(rows, n);
    }
    ck_assert_int_eq(rmdir(directory), 0); /* nothing else was left there */
}
END_TEST

START_TEST(csv_says_where_it_cannot_write)
{
    struct hc_error err;
    struct hc_fleet_report report = fake_fleet_report(NULL, 0);
    ck_assert_int_eq(put_files("/dev/null/csv", &report, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/dev/null"));
    fake_fleet_report_fini(&report);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fleet_views");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, text_fits_a_terminal);
    tcase_add_test(tests, text_names_as_many_jobs_as_asked);
    tcase_add_test(tests, json_is_valid);
    tcase_add_test(tests, json_has_what_is_not_known_as_null);
    tcase_add_test(tests, html_is_well_formed);
    tcase_add_test(tests, html_links_the_pages_that_there_are);
    tcase_add_test(tests, page_names_are_plain_and_differ);
    tcase_add_test(tests, csv_has_all_files_and_fields);
    tcase_add_test(tests, csv_says_where_it_cannot_write);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed > 0;
}
