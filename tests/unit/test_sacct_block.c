/* Dumps of sacct that are read a block at a time, against the same between delimiters of two bytes,
 * which are read field by field: the same rows, counts, examples of what is wrong, and warnings. */
#include "core/base/log.h"
#include "core/tables/jobs/job_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>

#define N_LINES 700
#define N_TRIES 60

static struct hc_error err;

struct reading {
    struct hc_table rows;
    struct hc_table_names names;
    struct hc_row_report report;
    struct hc_log_lines said;
};

static void read_dump(struct reading *reading, const char *text, size_t length)
{
    const struct hc_format *format = hc_format_find("slurm-sacct");
    struct hc_source source = bytes_source("dump.txt", text, length);
    void *parser = NULL;
    *reading = (struct reading){0};
    hc_log_keep(&reading->said);
    ck_assert_int_eq(hc_job_names_init(&reading->names, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&reading->rows, &hc_jobs_def, N_LINES + 1, &err), HC_OK);
    const struct hc_parse_options options = {.names = &reading->names};
    ck_assert_msg(!format->open(&parser, &source, &options, &err), "%s", err.message);
    for (size_t n = SIZE_MAX;
         n != reading->rows.n_rows;) { /* the end is said behind the last row */
        n = reading->rows.n_rows;
        ck_assert_msg(!format->next_batch(parser, &reading->rows, &reading->report, &err), "%s",
                      err.message);
    }
    hc_log_keep(NULL);
    format->close(parser);
    hc_source_close(&source);
}

static void forget(struct reading *reading)
{
    hc_table_fini(&reading->rows);
    hc_table_names_fini(&reading->names);
    hc_row_report_fini(&reading->report);
    free(reading->said.text);
}

static const char *text_of(const struct reading *reading, size_t column, size_t row)
{
    int32_t code = hc_table_i32(&reading->rows, column)[row];
    int dictionary = hc_job_column_dictionary((enum hc_jobs_column)column);
    return code == HC_MISSING_I32 ? "(missing)" : reading->names.set[dictionary].text[code];
}

static void check_same(const struct reading *a, const struct reading *b)
{
    ck_assert_uint_eq(a->rows.n_rows, b->rows.n_rows);
    for (size_t c = 0; c < HC_JOBS_N_COLUMNS; c++)
        for (size_t r = 0; r < a->rows.n_rows; r++)
            if (hc_jobs_def.columns[c].dictionary)
                ck_assert_str_eq(text_of(a, c, r), text_of(b, c, r));
            else if (hc_jobs_def.columns[c].type == HC_I32)
                ck_assert_int_eq(hc_table_i32(&a->rows, c)[r], hc_table_i32(&b->rows, c)[r]);
            else
                ck_assert_int_eq(hc_table_i64(&a->rows, c)[r], hc_table_i64(&b->rows, c)[r]);
    ck_assert_str_eq(a->said.text, b->said.text);
    ck_assert_int_eq(a->report.rows_read, b->report.rows_read);
    ck_assert_int_eq(a->report.rows_ignored, b->report.rows_ignored);
    for (int i = 0; i < HC_N_BAD_REASONS; i++) {
        ck_assert_int_eq(a->report.count[i], b->report.count[i]);
        ck_assert_str_eq(a->report.example[i], b->report.example[i]);
    }
}

/* What columns hold: the first values of each are plain, and come most often. */
static const struct {
    const char *name, *values[9];
} fields[] = {
    {"JobID", {"17", "4711", "12345678", "123456789", "5_3", "6+1", "7_[1-5]", "8.batch", "x"}},
    {"JobIDRaw", {"17", "4711", "99999999", "123456789", "5_3", "6+1", "", "8.batch", "-1"}},
    {"Partition", {"a", "aa", "a-partition-of-some-length", "", "\xc3\xa9", "a\x01", "\xff"}},
    {"Submit",
     {"2026-03-01T10:00:00", "2026-03-02T00:00:09", "2026-03-31T23:59:60", "1772323200",
      "2026-02-30T01:00:00", "", "Unknown", "2026-03-01T10:00:00Z", "2026-03-01T24:00:00"}},
    {"Start", {"2026-03-03T10:00:00", "2026-03-04 10:00:00", "Unknown", "0", "None", "soon"}},
    {"End", {"2026-04-03T10:00:00", "2026-04-04T10:00:00", "Unknown", "2026-01-01T00:00:00", "1"}},
    {"Elapsed", {"00:01:00", "99:99:99", "1-02:03:04", "12:34", "01:00:00.5", "", "1:2:3:4"}},
    {"TimelimitRaw", {"60", "1440", "UNLIMITED", "", "99999999", "76861433", "1K", "no", "-1"}},
    {"State", {"COMPLETED", "FAILED", "CANCELLED by 501", "CANCELLED+", "", "ODD", "cd", "F "}},
    {"ExitCode", {"0:0", "1:0", "0:15", "127:0", "", "0:x", "1:", "4294967296:0", "00:0"}},
    {"NNodes", {"1", "1", "2", "", "4294967296", "3", "1K", "one", "9"}},
    {"AllocTRES", {"cpu=1", "cpu=1,gres/gpu=2", "gres/gpu:a100=1", "", "1001=2", "gres/gpu=x"}},
    {"AllocGRES", {"", "gpu:2", "gpu:h100:4(S:0)", "gpu:\xff:1"}},
    {"NodeList", {"n1", "n[1-2]", "None assigned", "n2", "", "n[2-1]", "n[", "n1,n2", "a b"}},
    {"UID", {"5000", "", "no number"}},
    {"FailedNode", {"", "None", "", "n1", "n9"}},
};
#define N_FIELDS (sizeof fields / sizeof *fields)

static const char *any_value(size_t field, int odds)
{
    size_t n = 0;
    while (n < 9 && fields[field].values[n])
        n++;
    return fields[field].values[(size_t)rand() % (rand() % 1000 < odds || n < 2 ? n : 2)];
}

/* Two dumps of the same records, between delimiters of one byte and of two. */
static void write_dumps(FILE *plain, FILE *other, int odds, bool is_ended, const char *feed)
{
    for (int line = 0; line <= N_LINES; line++) {
        for (size_t i = 0; i < N_FIELDS; i++) {
            const char *text = line ? any_value(i, odds) : fields[i].name;
            bool has_next = is_ended || i + 1 < N_FIELDS;
            fprintf(plain, "%s%s", text, has_next ? "|" : "");
            fprintf(other, "%s%s", text, has_next ? "@@" : "");
        }
        fputs(feed, plain);
        fputs(feed, other);
    }
    fclose(plain);
    fclose(other);
}

START_TEST(a_block_is_read_as_its_fields)
{
    static const int odds[] = {0, 3, 50, 1000};
    int64_t n_rows = 0, n_bad = 0, n_steps = 0;
    srand(7);
    for (int i = 0; i < N_TRIES; i++) {
        char *texts[2];
        size_t lengths[2];
        struct reading plain, other;
        write_dumps(open_memstream(&texts[0], &lengths[0]), open_memstream(&texts[1], &lengths[1]),
                    odds[i % 4], i % 3 == 0, i % 5 == 0 ? "\r\n" : "\n");
        read_dump(&plain, texts[0], lengths[0]);
        read_dump(&other, texts[1], lengths[1]);
        check_same(&plain, &other);
        n_rows += (int64_t)plain.rows.n_rows;
        n_bad += hc_row_report_total_bad(&plain.report);
        n_steps += plain.report.rows_ignored;
        forget(&plain);
        forget(&other);
        free(texts[0]);
        free(texts[1]);
    }
    ck_assert_int_gt(n_rows, 1000);
    ck_assert_int_gt(n_bad, 1000);
    ck_assert_int_gt(n_steps, 100);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sacct_block");
    TCase *tests = tcase_create("sacct_block");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_block_is_read_as_its_fields);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
