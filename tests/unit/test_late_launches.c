/* Late launches are found where they were planted: the worker, host, dp rank or stage, the steps,
 * the factor, and what the trace would gain. */
#include "core/tables/op_table.h"
#include "sim/replay/step_trace.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 65536

static struct hc_error err;
static struct hc_synth_slow slow[8];

/* dp 4, pp 2, 4 microbatches, 20 steps from 100 on; launch delays of 0.2 ms. */
static struct hc_synth_steps_options new_job(void)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.dp = 4;
    job.pp = 2;
    job.microbatches = 4;
    job.n_steps = 20;
    job.first_step = 100;
    job.step_stride = 1;
    job.seed = 3;
    job.slow = slow;
    return job;
}

static struct hc_synth_limits *be_late(struct hc_synth_steps_options *job, int32_t dp_rank,
                                       int32_t stage, double factor)
{
    slow[job->n_slow] = (struct hc_synth_slow){
        .dp_rank = dp_rank, .stage = stage, .factor = factor, .target = HC_SYNTH_HOST};
    return &slow[job->n_slow++].limits;
}

static void run(const struct hc_synth_steps_options *job, struct hc_whatif_result *result)
{
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_table ops;
    ck_assert_msg(!hc_synth_steps_open(&generator, job, &err), "%s", err.message);
    ck_assert(!hc_step_trace_new(&trace, hc_synth_steps_job(generator), &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, BATCH, &err));
    for (;;) {
        ops.n_rows = 0;
        ck_assert(!hc_synth_steps_next(generator, &ops, &err));
        if (ops.n_rows == 0)
            break;
        ck_assert(!hc_step_trace_add(trace, &ops, &err));
    }
    struct hc_whatif_options options = {
        .threshold = 1.03, .replay.max_bad = 0.01, .depth = HC_DEPTH_WORKERS | HC_DEPTH_CAUSE};
    ck_assert_msg(!hc_whatif_run(result, trace, &options, &err), "%s", err.message);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
}

/* The only culprit, of the kind, and what the verdict says of it. */
static const struct hc_culprit *expect_one(const struct hc_whatif_result *result,
                                           enum hc_culprit_kind kind, const char *words)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    ck_assert_msg(culprits->n == 1, "%zu culprits: %s", culprits->n, result->depth.verdict.text);
    const struct hc_culprit *culprit = &culprits->culprits[0];
    ck_assert_int_eq(culprit->kind, kind);
    ck_assert_int_eq(culprit->ops, HC_SLOW_LAUNCHES);
    ck_assert_int_eq(culprit->cause, HC_STRAGGLER_LAUNCH);
    ck_assert_int_eq(result->depth.verdict.cause, HC_STRAGGLER_LAUNCH);
    ck_assert_msg(strstr(result->depth.verdict.text, words), "no '%s' in: %s", words,
                  result->depth.verdict.text);
    ck_assert_uint_lt(strlen(culprit->text), sizeof culprit->text - 1); /* not cut off */
    return culprit;
}

static double mean_traced_s(const struct hc_synth_steps_options *job)
{
    struct hc_whatif_result result;
    run(job, &result);
    double traced_s = result.traced_s;
    hc_whatif_result_fini(&result);
    return traced_s;
}

/* The others wait for it, and are not late themselves. */
START_TEST(finds_one_worker)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    double healthy_s = mean_traced_s(&job);
    be_late(&job, 1, 1, 100);
    run(&job, &result);
    const struct hc_culprit *culprit =
        expect_one(&result, HC_CULPRIT_WORKER, "rank 5 (dp 1, stage 1) starts its ops");
    ck_assert_int_eq(culprit->dp_rank, 1);
    ck_assert_int_eq(culprit->stage, 1);
    ck_assert_int_eq(culprit->rank, 5);
    ck_assert_int_eq(culprit->pattern, HC_SLOW_ALWAYS);
    ck_assert_uint_eq(culprit->n_slow_steps, 20);
    ck_assert_uint_eq(culprit->n_stretches, 1);
    ck_assert_double_eq_tol(culprit->factor.value, 100, 10);
    ck_assert_double_lt(culprit->factor.low, culprit->factor.value);
    ck_assert_double_gt(culprit->factor.high, culprit->factor.value);
    /* The same job without the late worker is made by the same draws. */
    ck_assert_double_eq_tol(culprit->alone_s, result.traced_s - healthy_s, 0.003);
    ck_assert_double_gt(culprit->alone_s, 0.1);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_since_when)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    struct hc_synth_limits *limits = be_late(&job, 2, 0, 200);
    limits->has_steps = true;
    limits->first_step = 110;
    limits->last_step = INT32_MAX;
    run(&job, &result);
    const struct hc_culprit *culprit =
        expect_one(&result, HC_CULPRIT_WORKER, "from step 110 on, in 10 of 20 steps");
    ck_assert_int_eq(culprit->pattern, HC_SLOW_SINCE);
    ck_assert_uint_eq(culprit->since, 10);
    ck_assert(culprit->lasts);
    ck_assert_uint_eq(culprit->stretches[0].first, 10);
    ck_assert_uint_eq(culprit->stretches[0].last, 19);
    ck_assert_double_eq_tol(culprit->stretches[0].factor, culprit->factor.value, 1e-9);
    ck_assert_double_eq(culprit->duty.value, 0.5);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_what_comes_and_goes)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    struct hc_synth_limits *limits = be_late(&job, 0, 1, 400);
    limits->has_steps = true;
    limits->first_step = 102;
    limits->last_step = 119;
    limits->every = 5;
    run(&job, &result);
    const struct hc_culprit *culprit = expect_one(
        &result, HC_CULPRIT_WORKER, "in every 5th step (102, 107, 112, 117), in 4 of 20 steps");
    ck_assert_int_eq(culprit->pattern, HC_SLOW_RECURRENT);
    ck_assert_uint_eq(culprit->n_stretches, 4);
    for (size_t s = 0; s < 20; s++)
        ck_assert_int_eq(culprit->is_slow[s], s % 5 == 2);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_a_dp_rank_and_a_stage)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    be_late(&job, 1, 0, 60);
    be_late(&job, 1, 1, 60);
    run(&job, &result);
    ck_assert_int_eq(
        expect_one(&result, HC_CULPRIT_DP_RANK, "dp rank 1, all 2 stages, starts")->dp_rank, 1);
    hc_whatif_result_fini(&result);
    job = new_job();
    for (int32_t d = 0; d < 4; d++)
        be_late(&job, d, 0, 60);
    run(&job, &result);
    ck_assert_int_eq(
        expect_one(&result, HC_CULPRIT_STAGE, "stage 0, all 4 dp ranks, starts")->stage, 0);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_a_host)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    job.gpus_per_node = 2; /* ranks 4 and 5 are on gpu-002 */
    be_late(&job, 0, 1, 60);
    be_late(&job, 1, 1, 60);
    run(&job, &result);
    const struct hc_culprit *culprit =
        expect_one(&result, HC_CULPRIT_HOST, "host gpu-002, all 2 workers, starts");
    ck_assert_str_eq(culprit->host, "gpu-002");
    ck_assert_uint_eq(culprit->n_members, 2);
    hc_whatif_result_fini(&result);
    job.n_slow = 1;
    run(&job, &result);
    culprit = expect_one(&result, HC_CULPRIT_WORKER, "on gpu-002, GPU");
    ck_assert_str_eq(culprit->host, "gpu-002");
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_that_all_are_late)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    job.launch_ns = 8000000;
    run(&job, &result);
    const struct hc_culprit *culprit =
        expect_one(&result, HC_CULPRIT_JOB, "every worker starts its ops");
    ck_assert_uint_eq(culprit->n_members, 8);
    ck_assert(isnan(culprit->factor.value)); /* no worker is left to be late against */
    ck_assert_double_eq_tol(culprit->alone_s, result.traced_s - result.replayed_s, 1e-6);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(lists_several_by_what_they_cost)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    be_late(&job, 1, 1, 100);
    be_late(&job, 2, 0, 200);
    run(&job, &result);
    const struct hc_culprits *culprits = &result.depth.culprits;
    ck_assert_uint_eq(culprits->n, 2);
    ck_assert_int_eq(culprits->culprits[0].dp_rank, 2);
    ck_assert_int_eq(culprits->culprits[1].dp_rank, 1);
    ck_assert_double_ge(culprits->culprits[0].split_s, culprits->culprits[1].split_s);
    ck_assert_ptr_nonnull(strstr(result.depth.verdict.text, "mending all 2 saves"));
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(finds_none_in_a_healthy_job)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct hc_whatif_result result;
        struct hc_synth_steps_options job = new_job();
        job.seed = seed;
        job.launch_ns = 2000000; /* 4 to 6 % of a step */
        run(&job, &result);
        ck_assert_double_gt(result.launch_slowdown, 1.03);
        ck_assert_uint_eq(result.depth.culprits.n, 0);
        hc_whatif_result_fini(&result);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("late_launches");
    TCase *tests = tcase_create("culprits");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, finds_one_worker);
    tcase_add_test(tests, finds_since_when);
    tcase_add_test(tests, finds_what_comes_and_goes);
    tcase_add_test(tests, finds_a_dp_rank_and_a_stage);
    tcase_add_test(tests, finds_a_host);
    tcase_add_test(tests, finds_that_all_are_late);
    tcase_add_test(tests, lists_several_by_what_they_cost);
    tcase_add_test(tests, finds_none_in_a_healthy_job);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
