/* The likely cause of straggling: planted causes are named with their place, what is none is not
 * named one, and the tests are shown whether they pass or not. */
#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "sim/replay/step_trace.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/cause/cause_search.h"
#include "tests/support/verdict_checks.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 65536

static struct hc_error err;

/* What a test does to the rows before they are analysed. */
typedef void change_fn(struct hc_op_columns *rows, size_t n);

struct setting {
    struct hc_synth_steps_options synth;
    struct hc_synth_slow slow[4];
    change_fn *change;
    bool hides_waiting;
    int threads;
    double threshold;
};

/* dp 4, pp 4, 8 microbatches, 20 steps, with a noise of 2 %. */
static struct setting new_setting(void)
{
    struct setting s = {.synth = hc_synth_steps_defaults(), .threshold = 1.03};
    s.synth.dp = 4;
    s.synth.n_steps = 20;
    s.synth.seed = 5;
    return s;
}

static void slow_down(struct setting *s, int32_t dp_rank, int32_t stage, double factor)
{
    s->slow[s->synth.n_slow++] =
        (struct hc_synth_slow){.dp_rank = dp_rank, .stage = stage, .factor = factor};
}

static void analyse(struct hc_step_trace *trace, const struct setting *s,
                    struct hc_whatif_result *result)
{
    struct hc_whatif_options options = {.threshold = s->threshold,
                                        .replay.max_bad = 0.01,
                                        .replay.threads = s->threads,
                                        .depth = HC_DEPTH_WORKERS | HC_DEPTH_CAUSE};
    ck_assert_msg(!hc_whatif_run(result, trace, &options, &err), "%s", err.message);
    ck_assert(result->depth.verdict.done);
}

static void run(struct setting *s, struct hc_whatif_result *result)
{
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_table ops;
    s->synth.slow = s->slow;
    ck_assert_msg(!hc_synth_steps_open(&generator, &s->synth, &err), "%s", err.message);
    ck_assert(!hc_step_trace_new(&trace, hc_synth_steps_job(generator), &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, BATCH, &err));
    for (;;) {
        ops.n_rows = 0;
        ck_assert(!hc_synth_steps_next(generator, &ops, &err));
        if (ops.n_rows == 0)
            break;
        struct hc_op_columns rows = hc_op_columns(&ops);
        if (s->change)
            s->change(&rows, ops.n_rows);
        ck_assert(!hc_step_trace_add(trace, &ops, &err));
    }
    trace->hides_waiting = s->hides_waiting;
    analyse(trace, s, result);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
}

static void expect(struct setting *s, enum hc_straggler_cause cause, const char *words)
{
    struct hc_whatif_result result;
    run(s, &result);
    const struct hc_verdict *verdict = &result.depth.verdict;
    check_tests(verdict);
    ck_assert_msg(verdict->cause == cause, "%s instead of %s: S %g, %s",
                  hc_straggler_cause_key(verdict->cause), hc_straggler_cause_key(cause),
                  result.slowdown, verdict->text);
    ck_assert_msg(strstr(verdict->text, words), "'%s' is not in: %s", words, verdict->text);
    ck_assert_uint_eq(verdict->detail, strlen(hc_straggler_cause_text(cause)) + 2);
    hc_whatif_result_fini(&result);
}

/* ---- planted causes ---- */

START_TEST(slow_worker_is_named)
{
    struct setting s = new_setting();
    slow_down(&s, 2, 1, 1.5);
    expect(&s, HC_STRAGGLER_WORKER, "rank 6 (dp 2, stage 1) takes 1.5");
}
END_TEST

/* It is the worker, although M_S is high too and the stage correlates. */
/* The threshold says what is decomposed, and not what a slow job suffers from. */
START_TEST(threshold_does_not_change_the_cause)
{
    struct hc_whatif_result result;
    struct setting s = new_setting();
    slow_down(&s, 1, 2, 1.5);
    s.threshold = 10;
    run(&s, &result);
    const struct hc_verdict *verdict = &result.depth.verdict;
    ck_assert_double_gt(result.slowdown, HC_STRAGGLING);
    ck_assert(!result.m_w.done);
    ck_assert_int_eq(verdict->cause, HC_STRAGGLER_WORKER);
    ck_assert_uint_eq(verdict->n_also, 0);
    hc_whatif_result_fini(&result);
}
END_TEST

/* Every other pass takes a ns more, and their mean is rounded up: steps are a few ns shorter than
 * the ideal ones. */
static void one_ns_apart(struct hc_op_columns *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rows->op_type[i] == HC_FORWARD_COMPUTE)
            rows->duration_ns[i] += rows->microbatch[i] % 2;
}

START_TEST(no_excess_has_no_shares)
{
    struct hc_whatif_result result;
    struct setting s = new_setting();
    s.synth.compute_cv = s.synth.transfer_cv = s.synth.launch_cv = 0;
    s.change = one_ns_apart;
    s.threshold = 0;
    run(&s, &result);
    const struct hc_verdict *verdict = &result.depth.verdict;
    ck_assert_double_ne(result.replayed_s, result.ideal_s);
    ck_assert_double_lt(fabs(result.replayed_s - result.ideal_s), 1e-6);
    ck_assert(isnan(hc_whatif_excess_s(&result)));
    ck_assert(result.m_w.done && isnan(result.m_w.rem) && isnan(result.m_w.add));
    ck_assert(result.m_s.done && isnan(result.m_s.rem) && isnan(result.m_s.add));
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *test = &verdict->evidence[i];
        ck_assert_ptr_null(strstr(test->text, "nan"));
        if (strcmp(test->key, "m_s") == 0 || strstr(test->key, "_share"))
            ck_assert_msg(isnan(test->value) && !test->passed, "%s: %g", test->key, test->value);
    }
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(slow_worker_of_the_last_stage_is_no_stage)
{
    struct setting s = new_setting();
    slow_down(&s, 1, 3, 2);
    expect(&s, HC_STRAGGLER_WORKER, "(dp 1, stage 3)");
}
END_TEST

START_TEST(slow_dp_rank_is_named_as_one)
{
    struct setting s = new_setting();
    slow_down(&s, 3, -1, 1.4);
    expect(&s, HC_STRAGGLER_WORKER, "dp rank 3, all 4 stages, takes 1.4");
}
END_TEST

START_TEST(several_slow_workers_are_counted)
{
    struct setting s = new_setting();
    slow_down(&s, 0, 1, 1.4);
    slow_down(&s, 3, 2, 1.6);
    expect(&s, HC_STRAGGLER_WORKER, "mending all 2 saves ");
}
END_TEST

START_TEST(uneven_stage_is_named)
{
    struct setting s = new_setting();
    s.synth.loss_factor = 1.6;
    expect(&s, HC_STRAGGLER_STAGE, "stage 3 has ");
    s = new_setting();
    slow_down(&s, -1, 1, 1.6);
    expect(&s, HC_STRAGGLER_STAGE, "stage 1 has ");
    s = new_setting();
    s.synth.vpp = 2;
    s.synth.loss_factor = 2.5;
    expect(&s, HC_STRAGGLER_STAGE, "stage 3 has ");
}
END_TEST

START_TEST(stage_of_one_dp_rank_says_what_else_it_may_be)
{
    struct setting s = new_setting();
    s.synth.dp = 1;
    slow_down(&s, 0, 2, 2);
    expect(&s, HC_STRAGGLER_STAGE, "with one dp rank, a slow worker looks the same");
}
END_TEST

START_TEST(sequence_lengths_are_named)
{
    struct setting s = new_setting();
    s.synth.sequence_cv = 0.4;
    expect(&s, HC_STRAGGLER_SEQUENCE, "forward and backward passes alike");
    s.synth.pp = 1;
    expect(&s, HC_STRAGGLER_SEQUENCE, "forward and backward passes alike");
}
END_TEST

START_TEST(pauses_are_garbage_collection)
{
    struct setting s = new_setting();
    s.synth.gc_pause_ns = 400000000;
    s.synth.gc_every = 6;
    expect(&s, HC_STRAGGLER_GC, "pause, and backward passes do not");
}
END_TEST

START_TEST(slow_link_is_named)
{
    struct setting s = new_setting();
    slow_down(&s, 1, 2, 60);
    s.slow[0].target = HC_SYNTH_LINK;
    expect(&s, HC_STRAGGLER_LINK, "between stage 2 and stage 3 of dp 1");
    s = new_setting();
    slow_down(&s, -1, 2, 20);
    s.slow[0].target = HC_SYNTH_COLLECTIVES;
    expect(&s, HC_STRAGGLER_LINK, "collectives of stage 2");
}
END_TEST

START_TEST(late_launches_are_named)
{
    struct setting s = new_setting();
    s.synth.launch_ns = 20000000;
    expect(&s, HC_STRAGGLER_LAUNCH, "every worker starts its ops");
    s.hides_waiting = true;
    expect(&s, HC_STRAGGLER_NONE, "late launches cannot be seen");
}
END_TEST

START_TEST(two_causes_are_both_named)
{
    struct setting s = new_setting();
    struct hc_whatif_result result;
    slow_down(&s, 2, 1, 1.5);
    s.synth.sequence_cv = 0.5;
    run(&s, &result);
    const struct hc_verdict *verdict = &result.depth.verdict;
    ck_assert_uint_eq(verdict->n_also, 1);
    ck_assert_int_ne(verdict->cause, verdict->also[0]);
    ck_assert(verdict->cause == HC_STRAGGLER_WORKER || verdict->cause == HC_STRAGGLER_SEQUENCE);
    ck_assert(verdict->also[0] == HC_STRAGGLER_WORKER || verdict->also[0] == HC_STRAGGLER_SEQUENCE);
    ck_assert_ptr_nonnull(strstr(verdict->text, "besides: "));
    hc_whatif_result_fini(&result);
}
END_TEST

/* ---- what is no cause ---- */

START_TEST(healthy_job_has_none)
{
    struct setting s = new_setting();
    struct hc_whatif_result result;
    expect(&s, HC_STRAGGLER_NONE, "not straggling");
    s.synth.compute_cv = 0.05;
    expect(&s, HC_STRAGGLER_NONE, "not straggling");
    s = new_setting();
    s.synth.compute_cv = 0;
    run(&s, &result); /* below the threshold too, since a fault may be short */
    ck_assert_double_lt(result.slowdown, 1.03);
    ck_assert_double_eq(find_test(&result.depth.verdict, "worker_share")->value, 0);
    ck_assert_uint_eq(result.depth.culprits.n, 0);
    ck_assert(!isnan(find_test(&result.depth.verdict, "m_s")->value));
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(noise_is_unexplained)
{
    struct setting s = new_setting();
    s.synth.compute_cv = 0.3;
    expect(&s, HC_STRAGGLER_UNEXPLAINED, "no test explains 20 % of the excess");
    struct hc_whatif_result result;
    run(&s, &result);
    ck_assert_ptr_null(strstr(result.depth.verdict.text, "wanders"));
    hc_whatif_result_fini(&result);
}
END_TEST

/* Other workers in other steps, whole steps long: forward and backward agree, and yet it is not the
 * microbatches. */
START_TEST(wandering_worker_is_unexplained)
{
    struct setting s = new_setting();
    s.synth.pp = 1;
    s.synth.wander = 2;
    expect(&s, HC_STRAGGLER_UNEXPLAINED, "the straggler wanders");
}
END_TEST

/* Every 37th pass, forward or backward, stands still. */
static void pause_both(struct hc_op_columns *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (hc_op_is_pass(rows->op_type[i]) &&
            (rows->step[i] * 31 + rows->dp_rank[i] * 17 + rows->stage[i] * 7 + rows->seq_id[i]) %
                    37 ==
                0)
            rows->duration_ns[i] += 400000000;
}

START_TEST(pauses_of_both_passes_are_no_garbage_collection)
{
    struct setting s = new_setting();
    struct hc_whatif_result result;
    s.change = pause_both;
    run(&s, &result);
    ck_assert_double_ge(result.slowdown, 1.1);
    ck_assert_int_eq(result.depth.verdict.cause, HC_STRAGGLER_UNEXPLAINED);
    ck_assert(!find_test(&result.depth.verdict, "pauses_forward")->passed);
    hc_whatif_result_fini(&result);
}
END_TEST

/* ---- pairs ---- */

static void forget_microbatches(struct hc_op_columns *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rows->microbatch[i] = HC_MISSING_I32;
}

START_TEST(without_microbatches_passes_pair_by_order)
{
    struct setting s = new_setting();
    struct hc_whatif_result with, without;
    s.synth.sequence_cv = 0.4;
    run(&s, &with);
    s.change = forget_microbatches;
    run(&s, &without);
    const struct hc_verdict *a = &with.depth.verdict, *b = &without.depth.verdict;
    ck_assert_int_eq(b->cause, HC_STRAGGLER_SEQUENCE);
    ck_assert_ptr_null(strstr(find_test(a, "r_forward_backward")->text, "by order"));
    ck_assert_ptr_nonnull(strstr(find_test(b, "r_forward_backward")->text, "by order"));
    for (size_t i = 0; i < a->n_stages; i++) {
        ck_assert_double_gt(a->pass_correlation[i], 0.95);
        ck_assert_double_eq_tol(a->pass_correlation[i], b->pass_correlation[i], 1e-12);
        ck_assert_int_eq(a->n_pass_pairs[i], 20 * 4 * 8);
    }
    hc_whatif_result_fini(&with);
    hc_whatif_result_fini(&without);
}
END_TEST

START_TEST(pearson_of_few_pairs)
{
    struct hc_pair_sums sums = {0};
    const double pairs[][2] = {{1, 2}, {2, 1}, {3, 4}, {4, 3}, {5, 5}};
    ck_assert(isnan(hc_pair_sums_pearson(&sums)));
    for (size_t i = 0; i < 5; i++) {
        double x = pairs[i][0], y = pairs[i][1];
        hc_pair_sums_add(&sums, &(struct hc_pair_sums){1, x, y, x * x, y * y, x * y});
    }
    ck_assert_double_eq_tol(hc_pair_sums_pearson(&sums), 0.8, 1e-12); /* by hand */
    struct hc_pair_sums level = {.n = 4, .x = 4, .y = 10, .xx = 4, .yy = 30, .xy = 10};
    ck_assert(isnan(hc_pair_sums_pearson(&level))); /* x does not vary */
}
END_TEST

START_TEST(threads_give_the_same_bits)
{
    struct setting s = new_setting();
    struct hc_whatif_result result[3];
    slow_down(&s, 2, 1, 1.5);
    s.synth.sequence_cv = 0.3;
    s.synth.gc_pause_ns = 300000000;
    s.synth.gc_every = 10;
    for (int i = 0; i < 3; i++) {
        s.threads = 1 << i;
        run(&s, &result[i]);
    }
    for (int i = 1; i < 3; i++) {
        const struct hc_verdict *a = &result[0].depth.verdict, *b = &result[i].depth.verdict;
        ck_assert_str_eq(a->text, b->text);
        ck_assert_mem_eq(a->pass_correlation, b->pass_correlation,
                         a->n_stages * sizeof *a->pass_correlation);
        for (size_t e = 0; e < a->n_evidence; e++) {
            ck_assert_mem_eq(&a->evidence[e].value, &b->evidence[e].value, sizeof(double));
            ck_assert_str_eq(a->evidence[e].text, b->evidence[e].text);
        }
    }
    for (int i = 0; i < 3; i++)
        hc_whatif_result_fini(&result[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("straggler_cause");
    TCase *tc = tcase_create("straggler_cause");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, slow_worker_is_named);
    tcase_add_test(tc, threshold_does_not_change_the_cause);
    tcase_add_test(tc, no_excess_has_no_shares);
    tcase_add_test(tc, slow_worker_of_the_last_stage_is_no_stage);
    tcase_add_test(tc, slow_dp_rank_is_named_as_one);
    tcase_add_test(tc, several_slow_workers_are_counted);
    tcase_add_test(tc, uneven_stage_is_named);
    tcase_add_test(tc, stage_of_one_dp_rank_says_what_else_it_may_be);
    tcase_add_test(tc, sequence_lengths_are_named);
    tcase_add_test(tc, pauses_are_garbage_collection);
    tcase_add_test(tc, slow_link_is_named);
    tcase_add_test(tc, late_launches_are_named);
    tcase_add_test(tc, two_causes_are_both_named);
    tcase_add_test(tc, healthy_job_has_none);
    tcase_add_test(tc, noise_is_unexplained);
    tcase_add_test(tc, wandering_worker_is_unexplained);
    tcase_add_test(tc, pauses_of_both_passes_are_no_garbage_collection);
    tcase_add_test(tc, without_microbatches_passes_pair_by_order);
    tcase_add_test(tc, pearson_of_few_pairs);
    tcase_add_test(tc, threads_give_the_same_bits);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
