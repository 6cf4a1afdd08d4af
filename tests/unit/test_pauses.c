/* Pauses of passes: those that all workers have in the same steps, and those of backward passes. */
#include "core/tables/op_table.h"
#include "sim/replay/step_trace.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 65536
#define MS    1000000

static struct hc_error err;

/* dp 4, pp 2, 8 microbatches, 20 steps from 100 on. */
static struct hc_synth_steps_options new_job(void)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.dp = 4;
    job.pp = 2;
    job.n_steps = 20;
    job.first_step = 100;
    job.step_stride = 1;
    job.seed = 3;
    return job;
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
    ck_assert(result->depth.verdict.pauses.done);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
}

static bool has_evidence(const struct hc_verdict *verdict, const char *words)
{
    for (size_t i = 0; i < verdict->n_evidence; i++)
        if (strstr(verdict->evidence[i].text, words))
            return true;
    return false;
}

START_TEST(finds_planned_ones)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    job.planned_pause_ns = 1500LL * MS;
    job.planned_every = 5; /* in steps 100, 105, 110, 115 */
    run(&job, &result);
    const struct hc_pauses *pauses = &result.depth.verdict.pauses;
    ck_assert_uint_eq(pauses->n_planned_steps, 4);
    ck_assert_uint_eq(pauses->n_steps, 4);
    ck_assert_uint_eq(pauses->n_workers, 8);
    ck_assert_int_eq(pauses->n_planned, 4 * 8);
    ck_assert_int_eq(pauses->n[0], 4 * 8);
    ck_assert_int_eq(pauses->n[1], 0);
    ck_assert_double_gt(pauses->excess_s[0], 4 * 8 * 1.5 / 2); /* the length of a pause is drawn */
    /* All wait at the same time, and nobody for another: the job does not straggle of them. */
    ck_assert_int_eq(result.depth.verdict.cause, HC_STRAGGLER_NONE);
    ck_assert(has_evidence(&result.depth.verdict, "8 workers, 4 steps; 32 look planned)"));
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(tells_unplanned_ones)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    job.gc_pause_ns = 400LL * MS;
    job.gc_every = 5;
    run(&job, &result);
    const struct hc_pauses *pauses = &result.depth.verdict.pauses;
    ck_assert_int_gt(pauses->n[0], 16);
    ck_assert_uint_eq(pauses->n_planned_steps, 0);
    ck_assert_int_eq(pauses->n_planned, 0);
    ck_assert_int_eq(result.depth.verdict.cause, HC_STRAGGLER_GC);
    ck_assert_ptr_nonnull(strstr(result.depth.verdict.text, " steps, pause, and backward passes "
                                                            "do not"));
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(tells_both_apart)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    job.gc_pause_ns = 400LL * MS;
    job.gc_every = 5;
    job.planned_pause_ns = 400LL * MS;
    job.planned_every = 5;
    run(&job, &result);
    const struct hc_pauses *pauses = &result.depth.verdict.pauses;
    ck_assert_uint_eq(pauses->n_planned_steps, 4);
    ck_assert_int_ge(pauses->n_planned, 32);
    ck_assert_int_gt(pauses->n[0], pauses->n_planned);
    ck_assert_int_eq(result.depth.verdict.cause, HC_STRAGGLER_GC);
    ck_assert_ptr_nonnull(
        strstr(result.depth.verdict.text, " of them in 4 steps in which all workers do)"));
    hc_whatif_result_fini(&result);
}
END_TEST

/* On all workers some backward passes take four times as long. */
START_TEST(says_pauses_of_backward_passes)
{
    struct hc_whatif_result result;
    struct hc_synth_steps_options job = new_job();
    struct hc_synth_slow slow = {.dp_rank = -1,
                                 .stage = -1,
                                 .factor = 4,
                                 .limits = {.ops = HC_SYNTH_OPS_BACKWARD, .passes = 0.008}};
    job.gc_pause_ns = 400LL * MS;
    job.gc_every = 4;
    job.slow = &slow;
    job.n_slow = 1;
    run(&job, &result);
    const struct hc_pauses *pauses = &result.depth.verdict.pauses;
    ck_assert_int_gt(pauses->n[1], 0);
    ck_assert_int_lt(pauses->n[1], 20);
    ck_assert_double_eq_tol(pauses->excess_s[1], 0.3 * (double)pauses->n[1],
                            0.05 * (double)pauses->n[1]);
    char words[64];
    snprintf(words, sizeof words, "and %d backward passes (", (int)pauses->n[1]);
    ck_assert_msg(strstr(result.depth.verdict.text, words), "%s", result.depth.verdict.text);
    hc_whatif_result_fini(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pauses");
    TCase *tests = tcase_create("pauses");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, finds_planned_ones);
    tcase_add_test(tests, tells_unplanned_ones);
    tcase_add_test(tests, tells_both_apart);
    tcase_add_test(tests, says_pauses_of_backward_passes);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
