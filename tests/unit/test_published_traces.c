/* The two published traces (../shared/data/bytedance-straggler, or HINDCAST_SHARED): rows and
 * metadata are read, and the correlation of passes and the cause are those of the publication.
 * Exit 77 where they are not. */
#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/metadata.h"
#include "sim/replay/step_trace.h"
#include "tests/support/published_traces.h"
#include "tests/support/verdict_checks.h"

#include <check.h>

#define BATCH 65536

/* ---- rows ---- */

static int64_t count_rows(const char *path)
{
    struct hc_error err = {0};
    struct hc_source source;
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    struct hc_table ops;
    const struct hc_format *format = NULL;
    void *parser = NULL;
    int64_t n = 0;
    ck_assert_msg(!hc_source_open(&source, path, &err), "%s", err.message);
    ck_assert_msg(!hc_format_detect(&format, &source, &err), "%s", err.message);
    ck_assert_str_eq(format->name, "step-csv");
    ck_assert(!format->open(&parser, &source, &options, &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, BATCH, &err));
    do {
        ops.n_rows = 0;
        ck_assert_msg(!format->next_batch(parser, &ops, &report, &err), "%s", err.message);
        n += (int64_t)ops.n_rows;
    } while (ops.n_rows > 0);
    ck_assert_int_eq(hc_row_report_total_bad(&report), 0);
    ck_assert_int_eq(report.rows_read, n);
    hc_table_fini(&ops);
    hc_row_report_fini(&report);
    format->close(parser);
    hc_source_close(&source);
    return n;
}

START_TEST(every_row_is_read)
{
    char path[PATH_MAX];
    ck_assert_int_eq(count_rows(published_file(path, "csv/trace-AR.csv.gz")), 117216);
    ck_assert_int_eq(count_rows(published_file(path, "csv/trace-ST.csv.gz")), 6784);
}
END_TEST

/* ---- metadata ---- */

static void check_job(const char *file, const char *name, int32_t world_size)
{
    struct hc_error err = {0};
    struct hc_job job;
    char path[PATH_MAX], *beside = NULL;
    published_file(path, file);
    ck_assert(hc_metadata_beside(path, &beside, &err) == HC_OK);
    ck_assert_msg(beside != NULL, "no metadata beside '%s'", path);
    ck_assert_msg(hc_metadata_read(&job, beside, "?", &err) == HC_OK, "%s", err.message);
    ck_assert_str_eq(job.id, name);
    ck_assert_int_eq(job.world_size, world_size);
    free(beside);
    hc_job_fini(&job);
}

START_TEST(metadata_are_read)
{
    check_job("data/trace-AR.parquet", "AR", 64);
    check_job("data/trace-ST.parquet", "ST", 8);
}
END_TEST

/* ---- the cause ---- */

static void analyse_file(const char *path, struct hc_whatif_result *result)
{
    struct hc_error err = {0};
    struct hc_source source;
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    struct hc_step_trace *trace = NULL;
    struct hc_job job;
    struct hc_table ops;
    void *parser = NULL;
    ck_assert(!hc_source_open(&source, path, &err));
    ck_assert(!hc_format_step_parquet.open(&parser, &source, &options, &err));
    ck_assert(!hc_job_init(&job, "published", &err));
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, BATCH, &err));
    for (;;) {
        ops.n_rows = 0;
        ck_assert(!hc_format_step_parquet.next_batch(parser, &ops, &report, &err));
        if (ops.n_rows == 0)
            break;
        ck_assert(!hc_step_trace_add(trace, &ops, &err));
    }
    const struct hc_whatif_options whatif = {
        .threshold = 1.03, .replay.max_bad = 0.01, .depth = HC_DEPTH_WORKERS | HC_DEPTH_CAUSE};
    ck_assert_msg(!hc_whatif_run(result, trace, &whatif, &err), "%s", err.message);
    ck_assert(result->depth.verdict.done);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_job_fini(&job);
    hc_row_report_fini(&report);
    hc_format_step_parquet.close(parser);
    hc_source_close(&source);
}

static const struct {
    const char *file, *r[4], *words;
    int64_t n_pairs; /* of all stages */
    enum hc_straggler_cause cause;
} published[] = {{"data/trace-AR.parquet",
                  {"0.999201", "0.884723", "0.897704", "0.873306"},
                  "rank 0 (dp 0, stage 0)",
                  22528,
                  HC_STRAGGLER_WORKER},
                 {"data/trace-ST.parquet",
                  {"0.812039", "0.858911", "0.879719", "0.847723"},
                  "stage 3 has ",
                  1024,
                  HC_STRAGGLER_STAGE}};

START_TEST(r_and_cause_agree)
{
    char path[PATH_MAX], r[16];
    struct hc_whatif_result result;
    analyse_file(published_file(path, published[_i].file), &result);
    const struct hc_verdict *verdict = &result.depth.verdict;
    int64_t n_pairs = 0;
    ck_assert_uint_eq(verdict->n_stages, 4);
    for (size_t s = 0; s < 4; s++) {
        snprintf(r, sizeof r, "%.6f", verdict->pass_correlation[s]);
        ck_assert_str_eq(r, published[_i].r[s]);
        n_pairs += verdict->n_pass_pairs[s];
    }
    ck_assert_int_eq(n_pairs, published[_i].n_pairs);
    ck_assert_int_eq(verdict->cause, published[_i].cause);
    ck_assert_uint_eq(verdict->n_also, 0);
    ck_assert_ptr_nonnull(strstr(verdict->text, published[_i].words));
    check_tests(verdict);
    hc_whatif_result_fini(&result);
}
END_TEST

int main(void)
{
    if (published_traces_are_missing())
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_traces");
    TCase *tests = tcase_create("published_traces");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_row_is_read);
    tcase_add_test(tests, metadata_are_read);
    tcase_add_loop_test(tests, r_and_cause_agree, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
