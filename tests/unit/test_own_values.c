/* Values of the tables of other tools: units, formats, words, zones; what is refused says why. */
#include "core/tables/jobs/job_table.h"
#include "parsers/registry/format_registry.h"
#include "parsers/tabular/own_try.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <string.h>

#define S ((int64_t)1000000000)

static const char *const no_values[] = {"None"};

/* Read one CSV of one row, "x,y" and what stands in it, as a job that was submitted at x (plus y).
 * *n_bad: rows that could not be read. */
static int64_t read_submit(const struct hc_map_rule *submit, const char *cell,
                           const struct hc_zone *zone, int64_t *n_bad)
{
    char text[256];
    struct hc_error err = {0};
    struct hc_table rows;
    struct hc_table_names names;
    struct hc_row_report report = {0};
    void *parser = NULL;
    const struct hc_format *format = &hc_format_jobs_table;
    const struct hc_map_rule rules[] = {{.column = HC_JOBS_JOB, .constant = "1"},
                                        {.column = HC_JOBS_STATE, .constant = "failed"},
                                        *submit};
    const struct hc_table_map map = {.layout = HC_LAYOUT_CSV,
                                     .rules = rules,
                                     .n_rules = 3,
                                     .missing = no_values,
                                     .n_missing = 1};
    snprintf(text, sizeof text, "x,y\n%s\n", cell);
    struct hc_source source = bytes_source("t.csv", (const uint8_t *)text, strlen(text));
    ck_assert_int_eq(hc_job_names_init(&names, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&rows, &hc_jobs_def, 4, &err), HC_OK);
    const struct hc_parse_options options = {.names = &names, .map = &map, .zone = zone};
    ck_assert_msg(format->open(&parser, &source, &options, &err) == HC_OK, "%s", err.message);
    ck_assert_int_eq(format->next_batch(parser, &rows, &report, &err), HC_OK);
    int64_t submit_ns = rows.n_rows ? hc_table_i64(&rows, HC_JOBS_SUBMIT_NS)[0] : -1;
    *n_bad = hc_row_report_total_bad(&report);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    hc_source_close(&source);
    return submit_ns;
}

static const struct {
    const char *cell;
    enum hc_map_unit unit;
    const char *format, *zone;
    int64_t submit_ns; /* -1: a bad row */
} times[] = {
    {"1772348400,", HC_UNIT_S, NULL, NULL, 1772348400 * S},
    {"1772348400.25,", HC_UNIT_S, NULL, NULL, 1772348400 * S + 250000000},
    {"1.7723484e9,", HC_UNIT_S, NULL, NULL, 1772348400 * S},
    {" 1772348400250 ,", HC_UNIT_MS, NULL, NULL, 1772348400 * S + 250000000},
    {"1772348400250001,", HC_UNIT_US, NULL, NULL, 1772348400 * S + 250001000},
    {"1772348400250001002,", HC_UNIT_NS, NULL, NULL, 1772348400 * S + 250001002},
    {"29539140,", HC_UNIT_MIN, NULL, NULL, 1772348400 * S},
    {"20513.5,", HC_UNIT_D, NULL, NULL, (20513 * 86400 + 43200) * S},
    {"99999999999999,", HC_UNIT_D, NULL, NULL, -1},
    {"yesterday,", HC_UNIT_S, NULL, NULL, -1},
    {"2026-03-01 07:00:00Z,", HC_UNIT_OF_COLUMN, NULL, "Europe/Berlin", 1772348400 * S},
    {"2026-03-01T08:00:00+01:00,", HC_UNIT_OF_COLUMN, NULL, NULL, 1772348400 * S},
    {"2026-03-01 08:00:00,", HC_UNIT_OF_COLUMN, NULL, "Europe/Berlin", 1772348400 * S},
    {"2026-03-01,", HC_UNIT_OF_COLUMN, NULL, NULL, 1772323200 * S},
    {"1772348400,", HC_UNIT_OF_COLUMN, NULL, NULL, -1}, /* of which unit? */
    {"2026-02-30,", HC_UNIT_OF_COLUMN, NULL, NULL, -1},
    {"2026-03-01 08:00:00 or so,", HC_UNIT_OF_COLUMN, NULL, NULL, -1},
    {"01.03.2026 08:00,", HC_UNIT_FORMAT, "%d.%m.%Y %H:%M", "Europe/Berlin", 1772348400 * S},
    {"01.03.2026 08:00 +0100,", HC_UNIT_FORMAT, "%d.%m.%Y %H:%M %z", NULL, 1772348400 * S},
    {"03/01/2026 7:00:00 AM,", HC_UNIT_FORMAT, "%m/%d/%Y %I:%M:%S %p", NULL, 1772348400 * S},
    {"32.03.2026 08:00,", HC_UNIT_FORMAT, "%d.%m.%Y %H:%M", NULL, -1},
    {"01.03.2026 08:00 pm,", HC_UNIT_FORMAT, "%d.%m.%Y %H:%M", NULL, -1},
    {"None,", HC_UNIT_S, NULL, NULL, -1}, /* nothing is known: but it has to be */
    {",", HC_UNIT_S, NULL, NULL, -1},
};

START_TEST(units_of_times)
{
    struct hc_zone zone = {0};
    struct hc_error err = {0};
    int64_t n_bad;
    const struct hc_map_rule submit = {.column = HC_JOBS_SUBMIT_NS,
                                       .from = "x",
                                       .unit = times[_i].unit,
                                       .format = times[_i].format};
    if (times[_i].zone)
        ck_assert_int_eq(hc_zone_init(&zone, times[_i].zone, &err), HC_OK);
    int64_t found = read_submit(&submit, times[_i].cell, &zone, &n_bad);
    ck_assert_msg(found == times[_i].submit_ns, "'%s' is %lld", times[_i].cell, (long long)found);
    ck_assert_int_eq(n_bad, found == -1);
    hc_zone_fini(&zone);
}
END_TEST

/* A time and a duration in its unit; without the duration, nothing is known. */
START_TEST(durations_are_added)
{
    struct hc_map_rule submit = {
        .column = HC_JOBS_SUBMIT_NS, .from = "x", .plus = "y", .unit = HC_UNIT_MS};
    int64_t n_bad;
    ck_assert_int_eq(read_submit(&submit, "1772348400000,1500", NULL, &n_bad),
                     1772348401 * S + 500000000);
    ck_assert_int_eq(read_submit(&submit, "1772348400000,", NULL, &n_bad), -1);
    ck_assert_int_eq(read_submit(&submit, "1772348400000,soon", NULL, &n_bad), -1);
    ck_assert_int_eq(n_bad, 1);
    submit.unit = HC_UNIT_OF_COLUMN;
    ck_assert_int_eq(read_submit(&submit, "2026-03-01T07:00:00Z,01:00:00", NULL, &n_bad),
                     1772352000 * S);
    ck_assert_int_eq(read_submit(&submit, "2026-03-01T07:00:00Z,3600", NULL, &n_bad),
                     1772352000 * S);
}
END_TEST

static const struct {
    size_t column;
    enum hc_map_unit unit;
    const char *text, *wrong; /* NULL: it is a value */
} values[] = {
    {HC_JOBS_STATE, HC_UNIT_OF_COLUMN, "NODE_FAIL", NULL},
    {HC_JOBS_STATE, HC_UNIT_OF_COLUMN, "oom", NULL},
    {HC_JOBS_STATE, HC_UNIT_OF_COLUMN, "Pass", "'Pass' is none of the words of the column"},
    {HC_JOBS_GPUS, HC_UNIT_OF_COLUMN, "8.0", NULL},
    {HC_JOBS_GPUS, HC_UNIT_OF_COLUMN, "8.5", "'8.5' is no whole number"},
    {HC_JOBS_GPUS, HC_UNIT_OF_COLUMN, "3000000000", "'3000000000' is too large a number"},
    {HC_JOBS_JOB, HC_UNIT_OF_COLUMN, "application_1", "'application_1' is no whole number"},
    {HC_JOBS_JOB, HC_UNIT_HASH, "application_1", NULL},
    {HC_JOBS_ELAPSED_NS, HC_UNIT_OF_COLUMN, "1-02:03:04", NULL},
    {HC_JOBS_ELAPSED_NS, HC_UNIT_OF_COLUMN, "90",
     "'90' is a number without a unit: the map is to say it"},
    {HC_JOBS_ELAPSED_NS, HC_UNIT_H, "1.5", NULL},
    {HC_JOBS_USER, HC_UNIT_OF_COLUMN, "anyone", NULL},
};

START_TEST(values_of_columns)
{
    struct hc_error why = {0};
    const struct hc_map_rule rule = {.column = values[_i].column, .unit = values[_i].unit};
    hc_own_try(hc_own_form_find("jobs"), &rule, values[_i].text, &why);
    ck_assert_str_eq(why.message, values[_i].wrong ? values[_i].wrong : "");
}
END_TEST

START_TEST(units_of_columns)
{
    const struct hc_own_form *jobs = hc_own_form_find("jobs");
    ck_assert_int_eq(hc_map_unit_find("min"), HC_UNIT_MIN);
    ck_assert_int_eq(hc_map_unit_find("%Y"), HC_UNIT_FORMAT);
    ck_assert_int_eq(hc_map_unit_find("weeks"), HC_N_MAP_UNITS);
    ck_assert(hc_own_takes_unit(jobs, HC_JOBS_END_NS, HC_UNIT_FORMAT));
    ck_assert(!hc_own_takes_unit(jobs, HC_JOBS_ELAPSED_NS, HC_UNIT_FORMAT));
    ck_assert(hc_own_takes_unit(jobs, HC_JOBS_JOB, HC_UNIT_HASH));
    ck_assert(!hc_own_takes_unit(jobs, HC_JOBS_USER, HC_UNIT_HASH));
    ck_assert(!hc_own_takes_unit(jobs, HC_JOBS_GPUS, HC_UNIT_S));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("own_values");
    TCase *tests = tcase_create("values");
    tcase_add_loop_test(tests, units_of_times, 0, sizeof times / sizeof *times);
    tcase_add_test(tests, durations_are_added);
    tcase_add_loop_test(tests, values_of_columns, 0, sizeof values / sizeof *values);
    tcase_add_test(tests, units_of_columns);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
