/* The exact slowdown of every worker, fix curves and Shapley values of the published traces,
 * against the plain simulation of tests/support/slowdown_case.h. Exit 77 where the traces are not
 * at hand. */
#include "pipeline/inputs/source_input.h"
#include "tests/support/published_traces.h"
#include "tests/support/slowdown_case.h"

static enum hc_status take_batch(const struct hc_table *ops, void *trace, struct hc_error *error)
{
    return hc_step_trace_add(trace, ops, error);
}

static struct hc_step_trace *load_file(const void *path)
{
    struct hc_trace_options trace_options = {.max_bad = 0.01};
    struct hc_source_input input;
    struct hc_step_trace *trace = NULL;
    ck_assert_msg(!hc_source_input_open(&input, path, &trace_options, &err), "%s", err.message);
    ck_assert(!hc_step_trace_new(&trace, &input.job, &err));
    ck_assert(!hc_source_input_read(&input, take_batch, trace, &err));
    hc_source_input_close(&input);
    return trace;
}

START_TEST(published_jobs)
{
    static const char *const files[] = {"data/trace-AR.parquet", "data/trace-ST.parquet"};
    char path[PATH_MAX];
    compare_job(load_file, published_file(path, files[_i]));
}
END_TEST

int main(void)
{
    if (published_traces_are_missing())
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_workers");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, published_jobs, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
