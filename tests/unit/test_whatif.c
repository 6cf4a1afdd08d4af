/* The what-if on our fixtures: published values, damaged traces, several structures, --steps,
 * threads.
 */
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/registry/format_registry.h"
#include "sim/whatif/whatif.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 20000

static struct hc_error err;

/* All rows of a fixture; dp 2 or 4, pp 4 unless its name says otherwise. */
static void read_fixture(const char *name, struct hc_table *ops)
{
    char path[256];
    struct hc_source source;
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    void *parser = NULL;
    snprintf(path, sizeof path, "tests/fixtures/straggler/trace-%s.csv", name);
    ck_assert_msg(!hc_source_open(&source, path, &err), "%s", err.message);
    ck_assert(!hc_table_init(ops, &hc_ops_def, MAX_ROWS, &err));
    ck_assert(!hc_format_step_csv.open(&parser, &source, &options, &err));
    for (size_t before = SIZE_MAX; before != ops->n_rows;) {
        before = ops->n_rows;
        ck_assert(!hc_format_step_csv.next_batch(parser, ops, &report, &err));
    }
    ck_assert_int_eq(report.rows_read, (int64_t)ops->n_rows);
    hc_format_step_csv.close(parser);
    hc_row_report_fini(&report);
    hc_source_close(&source);
}

static enum hc_status run(struct hc_whatif_result *result, const struct hc_table *ops,
                          const struct hc_whatif_options *options)
{
    struct hc_job job;
    struct hc_step_trace *trace = NULL;
    ck_assert(!hc_job_init(&job, "test", &err));
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    enum hc_status status = hc_step_trace_add(trace, ops, &err);
    if (status == HC_OK)
        status = hc_whatif_run(result, trace, options, &err);
    hc_step_trace_free(trace);
    hc_job_fini(&job);
    return status;
}

static const struct hc_whatif_options defaults = {.threshold = 1.03, .replay.max_bad = 0.01};

/* Keep the rows for which keep() is true. */
static void filter(struct hc_table *ops, bool (*keep)(const struct hc_op_columns *, size_t))
{
    struct hc_op_columns row = hc_op_columns(ops);
    size_t n = 0;
    for (size_t i = 0; i < ops->n_rows; i++) {
        if (!keep(&row, i))
            continue;
        for (size_t c = 0; c < ops->def->n_columns; c++) {
            size_t size = hc_type_size(ops->def->columns[c].type);
            memmove((char *)ops->column[c] + n * size, (char *)ops->column[c] + i * size, size);
        }
        n++;
    }
    ops->n_rows = n;
}

static void copy_row(struct hc_table *ops, size_t from)
{
    for (size_t c = 0; c < ops->def->n_columns; c++) {
        size_t size = hc_type_size(ops->def->columns[c].type);
        memcpy((char *)ops->column[c] + ops->n_rows * size, (char *)ops->column[c] + from * size,
               size);
    }
    ops->n_rows++;
}

/* Step 10 of dp rank 1 without its last forward. */
static bool keep_ragged(const struct hc_op_columns *row, size_t i)
{
    return row->step[i] != 10 || row->dp_rank[i] != 1 || row->stage[i] != 0 ||
           row->op_type[i] != HC_FORWARD_COMPUTE || row->seq_id[i] != 3;
}

/* Step 13 without the optimizer of stage 2 on any dp rank. */
static bool keep_headless(const struct hc_op_columns *row, size_t i)
{
    return row->step[i] != 13 || row->stage[i] != 2 || row->op_type[i] != HC_OPTIMIZER;
}

static bool keep_all_but_gc_of_stage_1(const struct hc_op_columns *row, size_t i)
{
    return row->stage[i] != 1 || row->op_type[i] != HC_GC;
}

static bool keep_all_but_a_send(const struct hc_op_columns *row, size_t i)
{
    return row->stage[i] != 1 || row->op_type[i] != HC_FORWARD_SEND || row->seq_id[i] != 2;
}

static bool keep_even_dp_ranks(const struct hc_op_columns *row, size_t i)
{
    return row->dp_rank[i] % 2 == 0;
}

START_TEST(test_published)
{
    static const struct {
        const char *name;
        double slowdown, launch, m_s;
    } published[] = {{"absts", 1.471988, 1.000895, 0.8987}, {"clamp", 1.178314, 1.070190, 1.2212},
                     {"dp1", 1.199569, 1.000646, 1.2412},   {"launch", 1.645974, 1.105342, 0.7808},
                     {"noop1", 1.476712, 1.000795, 0.8962}, {"ovlp", 1.647688, 1.000966, 0.7787},
                     {"pp1", 1.331284, 1.001009, 1.0},      {"vpp2", 1.401398, 1.001559, 0.7800}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct hc_table ops;
        struct hc_whatif_result result;
        read_fixture(published[i].name, &ops);
        ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
        ck_assert_double_eq_tol(result.slowdown, published[i].slowdown, 1e-5);
        ck_assert_double_eq_tol(result.launch_slowdown, published[i].launch, 1e-5);
        ck_assert_double_eq_tol(hc_explained_of_any_excess(&result.m_s).rem, published[i].m_s,
                                1e-4);
        ck_assert_int_eq(isnan(result.m_s.rem), result.pp_size == 1);
        /* With its launch delays kept, a replay gives the traced times, unless some were clamped.
         */
        if (!result.clamped_delays && !result.clamped_transfers)
            ck_assert_int_eq(result.delayed_error_ns, 0);
        hc_whatif_result_fini(&result);
        hc_table_fini(&ops);
    }
}
END_TEST

START_TEST(test_row_order_does_not_matter)
{
    struct hc_table ops, shuffled;
    struct hc_whatif_result a, b;
    read_fixture("ovlp", &ops);
    ck_assert(!hc_table_init(&shuffled, &hc_ops_def, MAX_ROWS, &err));
    for (size_t c = 0; c < ops.def->n_columns;
         c++) { /* a stride coprime to the rows: all of them */
        size_t size = hc_type_size(ops.def->columns[c].type);
        for (size_t i = 0; i < ops.n_rows; i++)
            memcpy((char *)shuffled.column[c] + i * size,
                   (char *)ops.column[c] + i * 1009 % ops.n_rows * size, size);
    }
    shuffled.n_rows = ops.n_rows;
    ck_assert(!run(&a, &ops, &defaults));
    ck_assert_msg(!run(&b, &shuffled, &defaults), "%s", err.message);
    ck_assert_mem_eq(a.replayed_ns, b.replayed_ns, a.n_steps * sizeof *a.replayed_ns);
    ck_assert(a.slowdown == b.slowdown && a.m_w.rem == b.m_w.rem && a.m_s.add == b.m_s.add);
    ck_assert_int_eq(b.delayed_error_ns, 0);
    hc_whatif_result_fini(&a);
    hc_whatif_result_fini(&b);
    hc_table_fini(&ops);
    hc_table_fini(&shuffled);
}
END_TEST

START_TEST(test_ragged_step_is_left_out)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture("absts", &ops);
    filter(&ops, keep_ragged);
    ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
    ck_assert_int_eq(result.n_left_out, 1);
    ck_assert_int_eq(result.left_out[0].step, 10);
    ck_assert_int_eq(result.left_out[0].fate, HC_STEP_ABSENT);
    ck_assert_str_eq(result.left_out[0].detail,
                     "dp_rank 1 lacks forward-compute seq 3, stage 0, mc 0");
    ck_assert_int_eq(result.rows.count[HC_BAD_ABSENT], 1);
    for (size_t s = 0; s < result.n_steps; s++)
        ck_assert_int_ne(result.steps[s], 10);
    hc_whatif_result_fini(&result);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(test_step_without_graph_is_left_out)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture("absts", &ops);
    filter(&ops, keep_headless);
    ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
    ck_assert_int_eq(result.n_left_out, 1);
    ck_assert_int_eq(result.left_out[0].step, 13);
    ck_assert_int_eq(result.left_out[0].fate, HC_STEP_NO_GRAPH);
    ck_assert_ptr_nonnull(strstr(result.left_out[0].detail, "stage 2 has no optimizer"));
    hc_whatif_result_fini(&result);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(test_duplicates_cost_their_step)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture("absts", &ops);
    copy_row(&ops, 5);
    ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
    ck_assert_int_eq(result.n_left_out, 1);
    ck_assert_int_eq(result.left_out[0].fate, HC_STEP_DUPLICATE);
    ck_assert_int_eq(result.rows.count[HC_BAD_DUPLICATE], 1);
    hc_whatif_result_fini(&result);
    for (size_t i = 0; i < 30; i++)
        copy_row(&ops, 100 + i);
    ck_assert_int_eq(run(&result, &ops, &defaults), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "31 duplicate rows"));
    hc_table_fini(&ops);
}
END_TEST

/* What is fatal, and what the message must name. */
static void expect_failure(const char *fixture, bool (*keep)(const struct hc_op_columns *, size_t),
                           const char *const *words)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture(fixture, &ops);
    filter(&ops, keep);
    ck_assert_int_eq(run(&result, &ops, &defaults), HC_BAD_INPUT);
    for (; *words; words++)
        ck_assert_msg(strstr(err.message, *words) != NULL, "'%s' is not in '%s'", *words,
                      err.message);
    hc_table_fini(&ops);
}

START_TEST(test_fatal_structures)
{
    expect_failure("absts", keep_all_but_gc_of_stage_1,
                   (const char *const[]){"stage 1 has no gc", "rows are missing", NULL});
    expect_failure("absts", keep_all_but_a_send,
                   (const char *const[]){"stage 1", "forward-send", "forward-compute", NULL});
    expect_failure("launch", keep_even_dp_ranks,
                   (const char *const[]){"dp_rank 1 has no rows", "dp_rank 2", NULL});
}
END_TEST

START_TEST(test_rank_of_two_workers)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture("absts", &ops);
    struct hc_op_columns row = hc_op_columns(&ops);
    row.rank[0] = row.rank[ops.n_rows - 1];
    ck_assert_int_eq(run(&result, &ops, &defaults), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "rank"));
    hc_table_fini(&ops);
}
END_TEST

/* The receive that was recorded after the last forward of its stage had started. */
static bool is_no_op(const struct hc_op_columns *row, size_t i)
{
    return row->op_type[i] == HC_FORWARD_RECV && row->stage[i] == 0 && row->seq_id[i] == 0;
}

/* From step 16 on the no-op has another number: a second structure. */
START_TEST(test_two_structures)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    read_fixture("noop1", &ops);
    filter(&ops, keep_ragged); /* and a step left out besides */
    ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
    ck_assert_uint_eq(result.n_structures, 1);
    hc_whatif_result_fini(&result);
    struct hc_op_columns row = hc_op_columns(&ops);
    for (size_t i = 0; i < ops.n_rows; i++)
        if (is_no_op(&row, i) && row.step[i] >= 16)
            row.seq_id[i]++; /* another identity: another set of ops */
    ck_assert_msg(!run(&result, &ops, &defaults), "%s", err.message);
    ck_assert_uint_eq(result.n_structures, 2);
    ck_assert_int_eq(result.delayed_error_ns, 0);
    hc_whatif_result_fini(&result);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(test_chosen_steps)
{
    int32_t ranges[][2] = {{13, 13}, {19, 30}};
    struct hc_whatif_options options = defaults;
    struct hc_table ops;
    struct hc_whatif_result all, some;
    read_fixture("launch", &ops);
    options.replay.steps = &(struct hc_step_ranges){.n = 2, .range = ranges};
    ck_assert(!run(&all, &ops, &defaults));
    ck_assert_msg(!run(&some, &ops, &options), "%s", err.message);
    ck_assert_uint_eq(some.n_steps, 2);
    ck_assert_int_eq(some.steps[0], 13);
    ck_assert_int_eq(some.steps[1], 19);
    ck_assert_uint_eq(some.n_left_out, all.n_steps - 2);
    ck_assert_int_eq(some.replayed_ns[0], all.replayed_ns[1]);
    ck_assert_int_ne(some.ideal_duration_ns[HC_FORWARD_COMPUTE],
                     all.ideal_duration_ns[HC_FORWARD_COMPUTE]);
    hc_whatif_result_fini(&all);
    hc_whatif_result_fini(&some);
    options.replay.steps = &(struct hc_step_ranges){.n = 1, .range = (int32_t[][2]){{1000, 2000}}};
    ck_assert_int_eq(run(&some, &ops, &options), HC_USAGE);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(test_threads_give_the_same_bits)
{
    struct hc_table ops;
    struct hc_whatif_result result[3];
    read_fixture("launch", &ops);
    for (int i = 0; i < 3; i++) {
        struct hc_whatif_options options = defaults;
        options.replay.threads = 1 << i;
        ck_assert(!run(&result[i], &ops, &options));
    }
    for (int i = 1; i < 3; i++)
        for (int p = 0; p < HC_N_PARTITIONS; p++)
            for (size_t g = 0; g < result[0].launch[p].n_groups; g++) {
                ck_assert_mem_eq(result[0].launch[p].groups[g].end_ns,
                                 result[i].launch[p].groups[g].end_ns,
                                 result[0].n_steps * sizeof(int64_t));
                ck_assert(result[0].launch[p].groups[g].slowdown ==
                          result[i].launch[p].groups[g].slowdown);
            }
    for (int i = 0; i < 3; i++)
        hc_whatif_result_fini(&result[i]);
    hc_table_fini(&ops);
}
END_TEST

/* The GPUs of a job are counted in the product of its sizes. */
START_TEST(test_sizes_beyond_any_cluster)
{
    struct hc_table ops;
    struct hc_whatif_result result;
    struct hc_job job;
    struct hc_step_trace *trace = NULL;
    read_fixture("launch", &ops);
    ck_assert(!hc_job_init(&job, "test", &err));
    job.tp_size = job.dsp_size = INT32_MAX;
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    ck_assert(!hc_step_trace_add(trace, &ops, &err));
    ck_assert_int_eq(hc_whatif_run(&result, trace, &defaults, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "more than 2147483647 GPUs"));
    hc_step_trace_free(trace);
    hc_job_fini(&job);
    hc_table_fini(&ops);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif");
    TCase *tc = tcase_create("whatif");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, test_published);
    tcase_add_test(tc, test_row_order_does_not_matter);
    tcase_add_test(tc, test_ragged_step_is_left_out);
    tcase_add_test(tc, test_step_without_graph_is_left_out);
    tcase_add_test(tc, test_duplicates_cost_their_step);
    tcase_add_test(tc, test_fatal_structures);
    tcase_add_test(tc, test_rank_of_two_workers);
    tcase_add_test(tc, test_two_structures);
    tcase_add_test(tc, test_chosen_steps);
    tcase_add_test(tc, test_threads_give_the_same_bits);
    tcase_add_test(tc, test_sizes_beyond_any_cluster);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
