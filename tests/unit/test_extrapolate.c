/* More dp ranks, drawn from those measured, against the generator with so many ranks. */
#include "core/random/philox.h"
#include "tests/support/replay_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS       1000000
#define MEASURED 32

static struct hc_synth_steps_options quiet_job(void)
{
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    job.dp = MEASURED;
    job.pp = 2;
    job.microbatches = 3;
    job.n_steps = 40;
    job.step_stride = 1;
    job.compute_cv = job.transfer_cv = job.launch_cv = 0;
    job.launch_ns = 0;
    job.seed = 7;
    return job;
}

static double truth_ns(struct hc_synth_steps_options job, int32_t dp)
{
    job.dp = dp;
    job.n_steps = 6144 / dp;
    job.n_slow = job.slow ? (size_t)dp : 0;
    job.seed += 1000; /* another job of the same kind */
    struct hc_replay_base *base = new_base(&job);
    double sum = 0;
    for (size_t s = 0; s < base->lanes.n_steps; s++)
        sum += (double)base->span_ns[s];
    double mean = sum / (double)base->lanes.n_steps;
    hc_replay_base_free(base);
    return mean;
}

static double drawn_ns(const struct hc_replay_base *base, int32_t dp, uint32_t n_draws,
                       struct hc_extrapolation *extrapolation)
{
    const struct hc_edit edit = {
        .name = "more", .kind = HC_EDIT_EXTRAPOLATE, .extrapolate.dp = dp, .stream = 5};
    double sum = 0;
    for (uint32_t draw = 0; draw < n_draws; draw++) {
        struct hc_edited_times times;
        const struct hc_edit_draws draws = {1, 2, draw};
        struct hc_edited_outcome outcome = replay_edits(&times, base, &edit, 1, &draws);
        ck_assert_int_eq(outcome.dp_size, dp);
        *extrapolation = outcome.extrapolation;
        sum += mean_ns(times.span, base->lanes.n_steps);
        edited_times_fini(&times);
    }
    return sum / n_draws;
}

/* A job of some kind, by number: what it draws differs. */
typedef struct hc_synth_steps_options new_job(uint64_t number);

/* Of what varies by step, within 3 % on average over jobs; and the split says that it does. */
static void check_cause(const char *name, new_job *of)
{
    enum { N_JOBS = 3 };
    for (int32_t dp = 256; dp <= 1024; dp *= 4) {
        double off[N_JOBS], most = 0;
        for (uint64_t i = 0; i < N_JOBS; i++) {
            struct hc_extrapolation e;
            struct hc_synth_steps_options job = of(i);
            job.n_slow = job.slow ? MEASURED : 0;
            struct hc_replay_base *base = new_base(&job);
            off[i] = drawn_ns(base, dp, 1, &e) / truth_ns(of(i), dp) - 1;
            most = fmax(most, fabs(off[i]));
            ck_assert_msg(e.short_by < 0.02, "%s: short by %.3g", name, e.short_by);
            hc_replay_base_free(base);
        }
        double mean = mean_ns(off, N_JOBS);
        printf("# %s: %d dp ranks, %+.2f %% on average, %.2f %% at most\n", name, dp, 1e2 * mean,
               1e2 * most);
        ck_assert_msg(fabs(mean) < 0.03, "%s, %d dp ranks: %+.2f %%", name, dp, 1e2 * mean);
    }
}

static struct hc_synth_steps_options noisy_job(uint64_t number)
{
    struct hc_synth_steps_options job = quiet_job();
    job.seed = number + 1;
    job.compute_cv = 0.1;
    job.transfer_cv = 0.2;
    return job;
}

static struct hc_synth_steps_options pausing_job(uint64_t number)
{
    struct hc_synth_steps_options job = quiet_job();
    job.seed = number + 1;
    job.compute_cv = 0.02;
    job.gc_pause_ns = 200 * MS;
    job.gc_every = 50;
    return job;
}

/* Each dp rank is 1.5 times as slow in one step of fifty. */
static struct hc_synth_steps_options faltering_job(uint64_t number)
{
    static struct hc_synth_slow slow[1024];
    struct hc_synth_steps_options job = quiet_job();
    for (int32_t d = 0; d < 1024; d++) {
        slow[d] = (struct hc_synth_slow){.dp_rank = d, .stage = -1, .factor = 1.5};
        slow[d].limits.duty = 0.02;
    }
    job.seed = number + 1;
    job.compute_cv = 0.02;
    job.slow = slow;
    return job;
}

/* What all ranks of a step have in common is not drawn apart. */
static struct hc_synth_steps_options swaying_job(uint64_t number)
{
    struct hc_synth_steps_options job = quiet_job();
    job.seed = number + 1;
    job.compute_cv = 0.02;
    job.step_cv = 0.05;
    return job;
}

START_TEST(what_varies_by_step_is_drawn_right)
{
    check_cause("noise of ops", noisy_job);
    check_cause("pauses", pausing_job);
    check_cause("slow steps of workers", faltering_job);
    check_cause("steps that are slow for all", swaying_job);
}
END_TEST

/* ---- what persists ---- */

/* Ranks whose compute takes N(1, spread) times as long, in all steps. */
static struct hc_synth_slow *uneven_ranks(int32_t dp, double spread, uint64_t seed)
{
    struct hc_synth_slow *slow = calloc((size_t)dp, sizeof *slow);
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 0, 0);
    for (int32_t d = 0; d < dp; d++)
        slow[d] = (struct hc_synth_slow){.dp_rank = d,
                                         .stage = -1,
                                         .factor = 1 + spread * hc_philox_normal(&rng),
                                         .target = HC_SYNTH_COMPUTE};
    return slow;
}

/* A spread of 5 % between ranks: the slowest of 1,024 is slower than the slowest of 32, and drawing
 * cannot tell. The result says by how much. */
START_TEST(what_persists_is_said_to_be_at_least)
{
    double short_by = 0, said = 0;
    enum { N_JOBS = 4 };
    for (uint64_t i = 0; i < N_JOBS; i++) {
        struct hc_synth_steps_options job = quiet_job();
        struct hc_extrapolation e;
        job.compute_cv = 0.01;
        job.n_steps = 10;
        struct hc_synth_slow *measured = uneven_ranks(MEASURED, 0.05, i),
                             *more = uneven_ranks(1024, 0.05, i + 100);
        job.slow = measured;
        job.n_slow = MEASURED; /* truth_ns() takes one for each rank */
        struct hc_replay_base *base = new_base(&job);
        double is_ns = drawn_ns(base, 1024, 1, &e);
        job.slow = more;
        double off = is_ns / truth_ns(job, 1024) - 1;
        printf("# job %d: %+.2f %%, said to be short by %.2f %%\n", (int)i, 1e2 * off,
               1e2 * e.short_by);
        ck_assert_double_lt(off, 0);
        ck_assert_double_gt(e.of_rank, 10 * e.of_rest);
        short_by -= off / N_JOBS;
        said += e.short_by / N_JOBS;
        free(measured);
        free(more);
        hc_replay_base_free(base);
    }
    printf("# on average %.2f %% short, %.2f %% said\n", 1e2 * short_by, 1e2 * said);
    ck_assert_double_gt(short_by, 0.03);
    ck_assert_double_lt(short_by, 0.07);
    ck_assert_double_lt(fabs(said - short_by), 0.02);
}
END_TEST

/* ---- the split, by hand ---- */

static void set_lanes(struct hc_replay_base *base, const double (*ns)[3])
{
    struct hc_step_structure *of = &base->lanes.structures[0];
    struct hc_lane_block *block = &of->blocks[0];
    for (size_t p = 0; p < of->order.n_ops; p++)
        for (size_t l = 0; l < block->n_lanes; l++)
            block->duration[p * block->stride + l] =
                of->op_type[p] == HC_OPTIMIZER ? ns[block->step[l / 3]][l % 3] : 0;
}

/* Rows are steps, columns ranks. */
START_TEST(variance_is_split)
{
    static const double by_rank[2][3] = {{90, 100, 110}, {90, 100, 110}},
                        by_step[2][3] = {{90, 90, 90}, {110, 110, 110}},
                        by_both[2][3] = {{90, 110, 100}, {110, 90, 100}};
    struct hc_synth_steps_options job = quiet_job();
    struct hc_edited_lanes lanes;
    struct hc_extrapolation e;
    const struct hc_edit_draws draws = {0, 0, 0};
    size_t failed = 0;
    job.dp = 3;
    job.pp = 1;
    job.n_steps = 2;
    struct hc_replay_base *base = new_base(&job);
    ck_assert_uint_eq(base->lanes.structures[0].n_blocks, 1);
    ck_assert(!hc_edited_lanes_make(&lanes, base, NULL, 0, &draws, &failed, &err));
    set_lanes(base, by_rank);
    ck_assert(!hc_extrapolation_describe(&e, &lanes, 30, NULL, &err));
    ck_assert_double_eq(e.mean_ns, 100);
    ck_assert_double_eq_tol(e.of_rank, 0.01, 1e-12); /* 10 squared over 100 squared */
    ck_assert_double_eq_tol(e.of_step, 0, 1e-12);
    ck_assert_double_eq_tol(e.of_rest, 0, 1e-12);
    ck_assert_double_eq_tol(e.beyond, 30.0 / 36, 1e-12);
    set_lanes(base, by_step);
    ck_assert(!hc_extrapolation_describe(&e, &lanes, 30, NULL, &err));
    ck_assert_double_eq_tol(e.of_rank, 0, 1e-12);
    ck_assert_double_eq_tol(e.of_step, 0.02, 1e-12); /* of two steps, 10 off their mean each */
    ck_assert_double_eq_tol(e.short_by, 0, 1e-12);
    set_lanes(base, by_both);
    ck_assert(!hc_extrapolation_describe(&e, &lanes, 30, NULL, &err));
    ck_assert_double_eq_tol(e.of_rank, 0, 1e-12);
    ck_assert_double_eq_tol(e.of_step, 0, 1e-12);
    ck_assert_double_eq_tol(e.of_rest, 0.02, 1e-12); /* 4 * 100 over 2 degrees of freedom */
    hc_edited_lanes_fini(&lanes);
    hc_replay_base_free(base);
}
END_TEST

/* ---- draws ---- */

START_TEST(draws_are_named_by_seed_and_draw)
{
    struct hc_synth_steps_options job = quiet_job();
    struct hc_extrapolation e;
    job.compute_cv = 0.2;
    job.dp = 4;
    struct hc_replay_base *base = new_base(&job);
    double once = drawn_ns(base, 40, 1, &e), again = drawn_ns(base, 40, 1, &e),
           twice = drawn_ns(base, 40, 2, &e);
    ck_assert_double_eq(once, again);
    ck_assert(once != twice);
    hc_replay_base_free(base);
}
END_TEST

/* Of ranks that are all alike any number takes as long. */
START_TEST(equal_ranks_give_the_same_step)
{
    struct hc_synth_steps_options job = quiet_job();
    struct hc_extrapolation e;
    job.dp = 2;
    struct hc_replay_base *base = new_base(&job);
    ck_assert_double_eq(drawn_ns(base, 300, 1, &e), (double)base->span_ns[0]);
    ck_assert_double_eq(e.of_rank + e.of_step + e.of_rest, 0);
    hc_replay_base_free(base);
}
END_TEST

START_TEST(refuses_to_draw_from_one_rank)
{
    struct hc_synth_steps_options job = quiet_job();
    struct hc_error wrong = {.status = HC_OK};
    job.dp = 1;
    struct hc_replay_base *base = new_base(&job);
    ck_assert_int_eq(hc_job_extrapolate_check(base, 8, &wrong), HC_BAD_INPUT);
    ck_assert_msg(strstr(wrong.message, "one dp rank"), "%s", wrong.message);
    hc_replay_base_free(base);
    job.dp = 2;
    base = new_base(&job);
    ck_assert_int_eq(hc_job_extrapolate_check(base, 100000, &wrong), HC_BAD_INPUT);
    ck_assert_msg(strstr(wrong.message, "too many"), "%s", wrong.message);
    hc_replay_base_free(base);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extrapolate");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, what_varies_by_step_is_drawn_right);
    tcase_add_test(tests, what_persists_is_said_to_be_at_least);
    tcase_add_test(tests, variance_is_split);
    tcase_add_test(tests, draws_are_named_by_seed_and_draw);
    tcase_add_test(tests, equal_ranks_give_the_same_step);
    tcase_add_test(tests, refuses_to_draw_from_one_rank);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
