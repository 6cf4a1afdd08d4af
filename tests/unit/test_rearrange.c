/* Other plans for measured steps: bubbles by formula, plans of the generator, and refusals. */
#include "sim/rearrange/rearranged_job.h"
#include "tests/support/replay_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US 1000

static const struct hc_edit_draws no_draws = {1, 0, 0};

/* F = 1.2 ms, B = 2.4 ms. Nothing else takes more than the ns that the generator gives everything,
 * which bare() takes away. */
static struct hc_synth_steps_options bare_job(int32_t pp)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.dp = 1;
    job.pp = pp;
    job.microbatches = 5;
    job.n_steps = 1;
    memset(job.mean_ns, 0, sizeof job.mean_ns);
    job.mean_ns[HC_FORWARD_COMPUTE] = 1200 * US;
    job.compute_cv = job.transfer_cv = job.launch_cv = 0;
    job.launch_ns = 0;
    return job;
}

static double span_with(const struct hc_replay_base *base, const struct hc_edit *edits, size_t n)
{
    struct hc_edited_times times;
    replay_edits(&times, base, edits, n, &no_draws);
    double ns = times.span[0];
    edited_times_fini(&times);
    return ns;
}

static double span_ns(const struct hc_replay_base *base, const struct hc_rearrangement *to)
{
    const struct hc_edit edit = {.name = "plan", .kind = HC_EDIT_REARRANGE, .rearrange = *to};
    return span_with(base, &edit, 1);
}

/* An edit by which all but passes take no time. */
static struct hc_edit bare(void)
{
    uint32_t passes = 1u << HC_FORWARD_COMPUTE | 1u << HC_BACKWARD_COMPUTE;
    return (struct hc_edit){.name = "bare",
                            .kind = HC_EDIT_CAP,
                            .cap_s = 0,
                            .select = {.op_types = (1u << HC_N_OP_TYPES) - 1 - passes}};
}

static double bare_span_ns(const struct hc_replay_base *base, const struct hc_rearrangement *to)
{
    const struct hc_edit edits[] = {bare(),
                                    {.name = "plan", .kind = HC_EDIT_REARRANGE, .rearrange = *to}};
    return span_with(base, edits, 2);
}

/* T = m (F + B) + (p - 1) (F + B) / v. */
static void check_bubble(const struct hc_replay_base *base, const struct hc_rearrangement *to,
                         int32_t p, int32_t m, int32_t v)
{
    double want_ns = 3600.0 * US * m + 3600.0 * US * (p - 1) / v;
    double is_ns = bare_span_ns(base, to);
    ck_assert_msg(is_ns == want_ns, "p %d, m %d, v %d, schedule %d, layers %d: %.0f, not %.0f ns",
                  p, m, v, to->schedule, to->layers, is_ns, want_ns);
}

START_TEST(bubbles_are_exact)
{
    for (int32_t p = 1; p <= 8; p++) {
        struct hc_synth_steps_options job = bare_job(p);
        struct hc_replay_base *base = new_base(&job);
        for (int32_t m = 1; m <= 32; m++) {
            struct hc_rearrangement to = {.schedule = HC_PLAN_1F1B, .microbatches = m};
            check_bubble(base, &to, p, m, 1);
            to.schedule = HC_PLAN_GPIPE;
            check_bubble(base, &to, p, m, 1);
            to.order = HC_PLAN_ASCENDING;
            check_bubble(base, &to, p, m, 1);
            to.schedule = HC_PLAN_INTERLEAVED;
            for (int32_t v = 1; v <= 4 && p > 1 && m % p == 0; v++)
                for (int32_t layers = HC_LAYERS_KEEP; layers <= HC_LAYERS_MOVE; layers++) {
                    to.chunks = v;
                    to.layers = layers;
                    check_bubble(base, &to, p, m, v);
                }
        }
        hc_replay_base_free(base);
    }
}
END_TEST

/* Joined or cut, each stage has the same work as before in all: a stage of k joined ones takes k
 * times as long. */
START_TEST(bubbles_of_other_stages_are_exact)
{
    struct hc_synth_steps_options job = bare_job(4);
    struct hc_replay_base *base = new_base(&job);
    for (int32_t p = 1; p <= 16; p *= 2) {
        struct hc_rearrangement to = {.schedule = HC_PLAN_1F1B, .microbatches = 16, .stages = p};
        double of_stage_ns = 3600.0 * US * 4 / p;
        ck_assert_double_eq(bare_span_ns(base, &to), of_stage_ns * (16 + p - 1));
        to.schedule = HC_PLAN_INTERLEAVED;
        to.chunks = 2;
        for (int32_t layers = HC_LAYERS_KEEP; layers <= HC_LAYERS_MOVE && p > 1; layers++) {
            to.layers = layers;
            ck_assert_double_eq(bare_span_ns(base, &to),
                                of_stage_ns * 16 + of_stage_ns * (p - 1) / 2);
        }
    }
    hc_replay_base_free(base);
}
END_TEST

/* ---- the plan of the job itself ---- */

static void check_same_steps(const struct hc_replay_base *base, int32_t layers)
{
    struct hc_edit edit = {
        .name = "same", .kind = HC_EDIT_REARRANGE, .rearrange = {.layers = layers}};
    struct hc_edited_times times;
    replay_edits(&times, base, &edit, 1, &no_draws);
    for (size_t s = 0; s < base->lanes.n_steps; s++) {
        ck_assert_double_eq(times.span[s], (double)base->span_ns[s]);
        ck_assert_double_eq(times.end[s], (double)base->end_ns[s]);
        ck_assert_double_eq(times.ideal_span[s], (double)base->ideal_span_ns[s]);
        ck_assert_double_eq(times.ideal_end[s], (double)base->ideal_end_ns[s]);
    }
    edited_times_fini(&times);
}

START_TEST(own_plan_changes_nothing)
{
    for (int32_t i = 0; i < 24; i++) {
        struct hc_synth_steps_options job = hc_synth_steps_defaults();
        job.seed = (uint64_t)i + 1;
        job.dp = 1 + i % 3;
        job.pp = 1 + i % 4;
        job.vpp = job.pp > 1 ? 1 + i / 8 : 1;
        job.microbatches = job.pp * (1 + i % 5);
        job.overlap_dp = i % 2;
        job.n_steps = 3;
        job.compute_cv = 0.3;
        job.transfer_cv = 0.5;
        struct hc_replay_base *base = new_base(&job);
        check_same_steps(base, HC_LAYERS_KEEP);
        check_same_steps(base, HC_LAYERS_MOVE);
        hc_replay_base_free(base);
    }
}
END_TEST

/* Steps of 4 and steps of 6 microbatches: each keeps its own number, or all get the same. */
START_TEST(steps_of_all_structures_are_rearranged)
{
    struct hc_synth_steps_options jobs[] = {hc_synth_steps_defaults(), hc_synth_steps_defaults()};
    for (size_t i = 0; i < 2; i++) {
        jobs[i].microbatches = 4 + 2 * (int32_t)i;
        jobs[i].n_steps = 3 - (int32_t)i;
        jobs[i].first_step = 10 + (int32_t)i;
        jobs[i].compute_cv = 0.3;
    }
    struct hc_replay_base *base = new_joint_base(jobs, 2), *alone[2];
    ck_assert_uint_eq(base->lanes.n_structures, 2);
    ck_assert_uint_eq(base->lanes.n_steps, 5);
    check_same_steps(base, HC_LAYERS_KEEP);
    const struct hc_edit edit = {.name = "plan",
                                 .kind = HC_EDIT_REARRANGE,
                                 .rearrange = {.schedule = HC_PLAN_GPIPE, .microbatches = 9}};
    struct hc_edited_times joint, of[2];
    replay_edits(&joint, base, &edit, 1, &no_draws);
    for (size_t i = 0; i < 2; i++) {
        alone[i] = new_base(&jobs[i]);
        replay_edits(&of[i], alone[i], &edit, 1, &no_draws);
    }
    for (size_t s = 0; s < 5; s++) /* steps 10, 11, 13, 14, 16: of the two jobs in turn */
        ck_assert_double_eq(joint.span[s], of[s % 2].span[s / 2]);
    for (size_t i = 0; i < 2; i++) {
        edited_times_fini(&of[i]);
        hc_replay_base_free(alone[i]);
    }
    edited_times_fini(&joint);
    hc_replay_base_free(base);
}
END_TEST

/* ---- plans of the generator ---- */

/* A job whose ops take what their type takes everywhere, over v chunks: each of the v parts of what
 * one chunk would take. */
static struct hc_replay_base *even_base(int32_t p, int32_t m, int32_t v, bool overlaps)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.pp = p;
    job.vpp = v;
    job.microbatches = m;
    job.overlap_dp = overlaps;
    job.n_steps = 1;
    job.compute_cv = job.transfer_cv = job.launch_cv = 0;
    job.launch_ns = 0;
    job.mean_ns[HC_FORWARD_COMPUTE] = 12000 * US / v;
    job.mean_ns[HC_PARAMS_ALL_GATHER] = 6000 * US / v;
    job.mean_ns[HC_GRADS_REDUCE_SCATTER] = 24000 * US / v;
    return new_base(&job);
}

/* The generator lists the edges of its plans itself: two programs for one schedule. */
START_TEST(agrees_with_the_plans_of_the_generator)
{
    for (int32_t p = 2; p <= 6; p++)
        for (int32_t rounds = 1; rounds <= 3; rounds++)
            for (int32_t v = 1; v <= 4; v++)
                for (int overlaps = 0; overlaps < 2; overlaps++) {
                    struct hc_replay_base *base = even_base(p, 4, 1, overlaps);
                    struct hc_replay_base *want = even_base(p, p * rounds, v, overlaps);
                    struct hc_rearrangement to = {
                        .schedule = HC_PLAN_INTERLEAVED, .chunks = v, .microbatches = p * rounds};
                    double is_ns = span_ns(base, &to);
                    ck_assert_msg(is_ns == (double)want->span_ns[0],
                                  "p %d, m %d, v %d, overlap %d: %.0f, the generator %lld", p,
                                  p * rounds, v, overlaps, is_ns, (long long)want->span_ns[0]);
                    /* And back: what was cut is whole again. */
                    to = (struct hc_rearrangement){.schedule = HC_PLAN_1F1B, .microbatches = 4};
                    ck_assert_double_eq(span_ns(want, &to), (double)base->span_ns[0]);
                    hc_replay_base_free(base);
                    hc_replay_base_free(want);
                }
}
END_TEST

/* ---- by hand ---- */

/* The duration of the op in the only lane of the only step. */
static double duration_of(const struct hc_replay_base *base, int type, int32_t seq, int32_t stage)
{
    const struct hc_step_structure *of = &base->lanes.structures[0];
    for (size_t p = 0; p < of->order.n_ops; p++) {
        const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
        if (op->op_type == type && op->seq_id == seq && op->stage == stage)
            return of->blocks[0].duration[p * of->blocks[0].stride];
    }
    return 0;
}

static struct hc_replay_base *uneven_base(int32_t pp)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.dp = 1;
    job.dsp = 2; /* so that it has collectives */
    job.pp = pp;
    job.microbatches = 3;
    job.n_steps = 1;
    job.compute_cv = 0.4;
    job.transfer_cv = 0.4;
    job.mean_ns[HC_GC] = 7000 * US;
    return new_base(&job);
}

static const int last_ops[] = {HC_GC,
                               HC_LAYERNORM_GRADS_ALL_REDUCE,
                               HC_EMBEDDING_GRADS_ALL_REDUCE,
                               HC_GRADS_REDUCE_SCATTER,
                               HC_OPTIMIZER_CLIP_MAIN_GRAD,
                               HC_OPTIMIZER};

/* One stage does everything one after the other. */
START_TEST(microbatches_repeat_from_the_first)
{
    struct hc_replay_base *base = uneven_base(1);
    for (int32_t m = 1; m <= 7; m++) {
        struct hc_rearrangement to = {.microbatches = m};
        double want_ns = duration_of(base, HC_PARAMS_ALL_GATHER, 0, 0);
        for (int32_t i = 0; i < m; i++)
            want_ns += duration_of(base, HC_FORWARD_COMPUTE, i % 3, 0) +
                       duration_of(base, HC_BACKWARD_COMPUTE, i % 3, 0);
        for (size_t i = 0; i < sizeof last_ops / sizeof *last_ops; i++)
            want_ns += duration_of(base, last_ops[i], 0, 0);
        ck_assert_double_eq(span_ns(base, &to), want_ns);
    }
    hc_replay_base_free(base);
}
END_TEST

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Two stages on one worker: passes, gathers, reductions and optimizer add up, of pauses, of
 * barriers and of the embedding at both ends the longer counts. */
START_TEST(joined_stages_add_up)
{
    struct hc_replay_base *base = uneven_base(2);
    struct hc_rearrangement to = {.stages = 1};
    double want_ns = 0;
    for (int32_t s = 0; s < 2; s++)
        for (int32_t i = 0; i < 3; i++)
            want_ns += duration_of(base, HC_FORWARD_COMPUTE, i, s) +
                       duration_of(base, HC_BACKWARD_COMPUTE, i, s);
    static const int adding[] = {HC_PARAMS_ALL_GATHER, HC_LAYERNORM_GRADS_ALL_REDUCE,
                                 HC_GRADS_REDUCE_SCATTER, HC_OPTIMIZER},
                     longer[] = {HC_GC, HC_EMBEDDING_GRADS_ALL_REDUCE, HC_OPTIMIZER_CLIP_MAIN_GRAD};
    for (size_t i = 0; i < sizeof adding / sizeof *adding; i++)
        want_ns += duration_of(base, adding[i], 0, 0) + duration_of(base, adding[i], 0, 1);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        want_ns += most(duration_of(base, longer[i], 0, 0), duration_of(base, longer[i], 0, 1));
    ck_assert_double_eq(span_ns(base, &to), want_ns);
    hc_replay_base_free(base);
}
END_TEST

/* Of 10 ns in 4 parts the first has 4, the others 2; work that is cut is all there again. */
START_TEST(cut_work_keeps_its_sum)
{
    struct hc_replay_base *base = uneven_base(2);
    struct hc_edited_lanes lanes;
    struct hc_planned_job job;
    struct hc_plan_refusal refusal;
    const struct hc_rearrangement to = {
        .schedule = HC_PLAN_INTERLEAVED, .chunks = 3, .microbatches = 4, .layers = HC_LAYERS_KEEP};
    size_t failed = 0;
    ck_assert(!hc_edited_lanes_make(&lanes, base, NULL, 0, &no_draws, &failed, &err));
    ck_assert(!hc_job_rearrange(&job, &lanes, &to, &refusal, &err));
    const struct hc_step_structure *of = &job.base->lanes.structures[0];
    for (int32_t stage = 0; stage < 2; stage++)
        for (int32_t microbatch = 0; microbatch < 3; microbatch++) {
            double whole_ns = duration_of(base, HC_BACKWARD_COMPUTE, microbatch, stage), ns = 0;
            for (size_t p = 0; p < of->order.n_ops; p++) {
                const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
                double its_ns = of->blocks[0].duration[p * of->blocks[0].stride];
                if (op->op_type != HC_BACKWARD_COMPUTE || op->stage != stage ||
                    op->microbatch != microbatch)
                    continue;
                ns += its_ns;
                double each_ns = (double)((int64_t)whole_ns / 3);
                ck_assert_double_eq(its_ns, op->model_chunk ? each_ns : whole_ns - 2 * each_ns);
            }
            ck_assert_double_eq(ns, whole_ns);
        }
    hc_edited_lanes_fini(&lanes);
    hc_planned_job_fini(&job);
    hc_replay_base_free(base);
}
END_TEST

/* ---- with other edits ---- */

/* Before the plan an edit is of measured ops, after it of those of the plan. */
START_TEST(edits_act_in_their_order)
{
    struct hc_synth_steps_options job = bare_job(4);
    struct hc_replay_base *base = new_base(&job);
    int32_t first[1][2] = {{0, 0}};
    struct hc_edit plan = {
        .name = "plan", .kind = HC_EDIT_REARRANGE, .rearrange = {.stages = 2, .microbatches = 8}};
    struct hc_edit slow = {.name = "slow",
                           .kind = HC_EDIT_SCALE,
                           .value = {.kind = HC_DISTRIBUTION_CONSTANT, .scale = 2},
                           .select = {.stages = {.n = 1, .range = first}}};
    const struct hc_edit before[] = {bare(), slow, plan}, after[] = {bare(), plan, slow};
    /* Stage 0 of four made twice as slow is half of the first of two: that takes 1.5 times as long
     * then, and made slow after the plan 2 times. It is never idle but before its first backward
     * pass, which comes back from the second stage when this has done a forward (f) and a backward
     * pass (2 f), while the first does its next forward pass. */
    double f = 2400.0 * US;
    ck_assert_double_eq(span_with(base, before, 3), 8 * 1.5 * 3 * f + (3 - 1.5) * f);
    ck_assert_double_eq(span_with(base, after, 3), 8 * 2 * 3 * f + (3 - 2) * f);
    hc_replay_base_free(base);
}
END_TEST

/* A launch delay and an eviction's cost go with the job into its plan. */
START_TEST(delays_go_with_their_ops)
{
    struct hc_replay_base *base = uneven_base(4);
    struct hc_edit same = {.name = "same", .kind = HC_EDIT_REARRANGE},
                   delay = {.name = "delay",
                            .kind = HC_EDIT_DELAY,
                            .value = {.kind = HC_DISTRIBUTION_CONSTANT, .scale = 0.003},
                            .select = {.op_types = 1 << HC_FORWARD_COMPUTE}},
                   cost = {.name = "cost",
                           .kind = HC_EDIT_DELAY,
                           .value = {.kind = HC_DISTRIBUTION_CONSTANT, .scale = 0.002},
                           .select = {.op_types = 1 << HC_OPTIMIZER}};
    const struct hc_edit plain[] = {delay, cost}, planned[] = {delay, same, cost};
    double want_ns = span_with(base, plain, 2);
    ck_assert_double_gt(want_ns, (double)base->span_ns[0]);
    ck_assert_double_eq(span_with(base, planned, 3), want_ns);
    ck_assert_double_eq(span_with(base, planned, 2), span_with(base, plain, 1));
    hc_replay_base_free(base);
}
END_TEST

/* ---- refusals ---- */

static void check_refused(const struct hc_replay_base *base, struct hc_rearrangement to,
                          const char *member, const char *words)
{
    struct hc_plan_refusal refusal;
    struct hc_error wrong = {.status = HC_OK};
    ck_assert_int_eq(hc_job_rearrange_check(base, &to, &refusal, &wrong), HC_BAD_INPUT);
    ck_assert_str_eq(refusal.member, member);
    ck_assert_msg(strstr(wrong.message, words), "%s", wrong.message);
}

START_TEST(refuses_plans_that_cannot_be)
{
    struct hc_replay_base *base = uneven_base(4), *alone = uneven_base(1);
    check_refused(base, (struct hc_rearrangement){.stages = 3}, "stages", "3 stages");
    check_refused(base, (struct hc_rearrangement){.schedule = HC_PLAN_INTERLEAVED}, "schedule",
                  "needs 'chunks'");
    check_refused(base, (struct hc_rearrangement){.schedule = HC_PLAN_INTERLEAVED, .chunks = 2},
                  "schedule", "rounds of 4");
    check_refused(base, (struct hc_rearrangement){.chunks = 2, .microbatches = 6}, "microbatches",
                  "rounds of 4");
    check_refused(base, (struct hc_rearrangement){.chunks = 2, .stages = 1}, "chunks",
                  "nothing to interleave");
    check_refused(base,
                  (struct hc_rearrangement){
                      .chunks = 3, .microbatches = 2, .stages = 2, .layers = HC_LAYERS_MOVE},
                  "chunks", "6 chunks of the model");
    check_refused(base, (struct hc_rearrangement){.microbatches = 90000}, "", "take fewer");
    check_refused(alone, (struct hc_rearrangement){.stages = 2}, "stages", "one stage");
    hc_replay_base_free(base);
    hc_replay_base_free(alone);
}
END_TEST

START_TEST(refuses_two_plans)
{
    struct hc_replay_base *base = uneven_base(4);
    const struct hc_edit edits[] = {{.name = "first", .kind = HC_EDIT_REARRANGE},
                                    {.name = "between",
                                     .kind = HC_EDIT_SCALE,
                                     .value = {.kind = HC_DISTRIBUTION_CONSTANT, .scale = 1}},
                                    {.name = "second", .kind = HC_EDIT_REARRANGE}};
    const struct hc_edited_job job = {base, edits, 3};
    struct hc_job_refusal refusal;
    struct hc_error wrong = {.status = HC_OK};
    ck_assert_int_eq(hc_edited_job_check(&job, &refusal, &wrong), HC_BAD_INPUT);
    ck_assert_uint_eq(refusal.edit, 2);
    ck_assert_msg(strstr(wrong.message, "'first'"), "%s", wrong.message);
    hc_replay_base_free(base);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rearrange");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, bubbles_are_exact);
    tcase_add_test(tests, bubbles_of_other_stages_are_exact);
    tcase_add_test(tests, own_plan_changes_nothing);
    tcase_add_test(tests, steps_of_all_structures_are_rearranged);
    tcase_add_test(tests, agrees_with_the_plans_of_the_generator);
    tcase_add_test(tests, microbatches_repeat_from_the_first);
    tcase_add_test(tests, joined_stages_add_up);
    tcase_add_test(tests, cut_work_keeps_its_sum);
    tcase_add_test(tests, edits_act_in_their_order);
    tcase_add_test(tests, delays_go_with_their_ops);
    tcase_add_test(tests, refuses_plans_that_cannot_be);
    tcase_add_test(tests, refuses_two_plans);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
