/* Planted causes: each acts where it is planted and nowhere else. */
#include "core/random/philox.h"
#include "sim/synth/step_synth.h"
#include "tests/support/synth_pair.h"
#include "tests/support/synth_rules.h"
#include "tests/support/synth_run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static struct hc_synth_steps_options defaults(void)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.dp = 3;
    o.n_steps = 3;
    o.seed = 11;
    return o;
}

/* Forward and backward of a microbatch, on all stages, have one load; other ops have none. */
START_TEST(a_load_is_of_a_microbatch)
{
    struct hc_synth_steps_options o = defaults(), with = o;
    with.vpp = o.vpp = _i ? 2 : 1;
    with.sequence_cv = 0.5;
    struct pair pair = pair_of(&o, &with);
    double load[3][3][8] = {{{0}}};
    int n_different = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        double healthy = taken(&pair.healthy[i]), factor = taken(row) / healthy;
        if (!hc_op_is_pass(row->type)) {
            ck_assert_double_eq(taken(row), healthy);
            continue;
        }
        double *first = &load[(row->step - o.first_step) / o.step_stride][row->dp][row->microbatch];
        if (*first == 0)
            *first = factor;
        ck_assert_double_eq_tol(factor, *first, 4 / healthy);
    }
    for (int k = 0; k < 3; k++)
        for (int dp = 0; dp < 3; dp++)
            for (int mb = 1; mb < 8; mb++)
                n_different += fabs(load[k][dp][mb] - load[k][dp][mb - 1]) > 1e-4;
    ck_assert_int_gt(n_different, 55); /* of 63: each has its own */
    free_pair(&pair);
}
END_TEST

START_TEST(loads_have_mean_and_variation)
{
    static const double cvs[] = {0.2, 1.0, HC_SYNTH_MAX_SEQUENCE_CV};
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.dp = 16;
    o.pp = 1;
    o.microbatches = 32;
    o.n_steps = 40;
    o.compute_cv = 0;
    o.sequence_cv = cvs[_i];
    size_t n, n_loads = 0;
    struct rule_row *rows = generate(&o, 5000, &n);
    double sum = 0, squares = 0, largest = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i].type == HC_FORWARD_COMPUTE) {
            double load = (double)(rows[i].end - rows[i].start) / 50e6;
            ck_assert_double_gt(load, 0);
            largest = load > largest ? load : largest;
            sum += load;
            squares += load * load;
            n_loads++;
        }
    double mean = sum / (double)n_loads;
    ck_assert_uint_eq(n_loads, 16 * 32 * 40);
    ck_assert_double_eq_tol(mean, 1, 5 * o.sequence_cv / sqrt((double)n_loads));
    ck_assert_double_eq_tol(sqrt(squares / (double)n_loads - mean * mean) / o.sequence_cv, 1, 0.03);
    /* The tail is long: a lognormal of this size would reach 4 deviations, not so two points. */
    ck_assert_double_gt((largest - 1) / o.sequence_cv, 3.4);
    free(rows);
}
END_TEST

START_TEST(a_pause_is_in_one_forward_pass)
{
    struct hc_synth_steps_options o = defaults(), with = o;
    with.n_steps = o.n_steps = 200;
    with.gc_pause_ns = 300000000;
    with.gc_every = 8;
    struct pair pair = pair_of(&o, &with);
    int n_pauses = 0, per_worker[12] = {0}, before = -1;
    double sum = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        double longer = taken(row) - taken(&pair.healthy[i]);
        if (longer == 0)
            continue;
        ck_assert_int_eq(row->type, HC_FORWARD_COMPUTE);
        ck_assert_double_gt(longer, 50e6);
        int worker = row->dp * 4 + row->stage, place = row->step * 12 + worker;
        ck_assert_int_ne(place, before); /* one a step */
        before = place;
        per_worker[worker]++;
        n_pauses++;
        sum += longer;
    }
    /* 2,400 chances of 1 in 8: 300, deviation 16; of a worker 25, deviation 4.7. */
    ck_assert_int_gt(n_pauses, 235);
    ck_assert_int_lt(n_pauses, 365);
    for (int worker = 0; worker < 12; worker++) {
        ck_assert_int_gt(per_worker[worker], 5);
        ck_assert_int_lt(per_worker[worker], 48);
    }
    ck_assert_double_eq_tol(sum / n_pauses / 300e6, 1, 0.1);
    free_pair(&pair);
}
END_TEST

/* Where a factor acts, and by how much. */
static void check_slow(const struct hc_synth_slow *slow, int vpp,
                       bool is_here(const struct rule_row *row, const struct hc_synth_slow *slow))
{
    struct hc_synth_steps_options o = defaults(), with = o;
    with.vpp = o.vpp = vpp;
    with.slow = slow;
    with.n_slow = 1;
    struct pair pair = pair_of(&o, &with);
    size_t n_here = 0;
    for (size_t i = 0; i < pair.n; i++) {
        double healthy = taken(&pair.healthy[i]), sick = taken(&pair.sick[i]);
        bool here = is_here(&pair.sick[i], slow) && !pair.sick[i].is_no_op;
        ck_assert_double_eq_tol(sick, healthy * (here ? slow->factor : 1),
                                here ? slow->factor : 0.5);
        n_here += here;
    }
    ck_assert_uint_gt(n_here, 0);
    free_pair(&pair);
}

static bool is_on_link(const struct rule_row *row, const struct hc_synth_slow *slow)
{
    int32_t next = (slow->stage + 1) % 4;
    bool out = row->type == HC_FORWARD_SEND || row->type == HC_BACKWARD_RECV;
    return hc_op_is_p2p(row->type) && row->dp == slow->dp_rank &&
           row->stage == (out ? slow->stage : next);
}

START_TEST(a_link_is_slow_both_ways)
{
    const struct hc_synth_slow slow = {1, _i, 30, HC_SYNTH_LINK, {0}};
    if (_i < 3)
        check_slow(&slow, 1, is_on_link);
    check_slow(&slow, 2, is_on_link); /* stage 3 to stage 0: on to the next chunk */
}
END_TEST

static bool is_collective(const struct rule_row *row, const struct hc_synth_slow *slow)
{
    return (row->type == HC_PARAMS_ALL_GATHER || row->type == HC_GRADS_REDUCE_SCATTER ||
            row->type == HC_SEPARATE_GRADS_ALL_REDUCE) &&
           row->stage == slow->stage;
}

START_TEST(collectives_of_a_stage)
{
    const struct hc_synth_slow slow = {-1, 2, 5, HC_SYNTH_COLLECTIVES, {0}};
    check_slow(&slow, 1, is_collective);
}
END_TEST

START_TEST(a_host_launches_late)
{
    const struct hc_synth_slow slow = {2, 1, 50, HC_SYNTH_HOST, {0}};
    struct hc_synth_steps_options o = defaults(), with = o;
    with.slow = &slow;
    with.n_slow = 1;
    struct pair pair = pair_of(&o, &with);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *a = &pair.healthy[i], *b = &pair.sick[i];
        ck_assert_double_eq(taken(a), taken(b));
        if (a->ready < 0)
            continue; /* an op that waits for nothing: counted from the earliest of the step */
        double factor = a->dp == 2 && a->stage == 1 ? 50 : 1;
        ck_assert_double_eq_tol((double)(b->start - b->ready),
                                factor * (double)(a->start - a->ready), factor - 0.5);
    }
    free_pair(&pair);
}
END_TEST

/* The factor of each step, from the first forward pass of a job without other noise. */
static void step_factors(struct hc_synth_steps_options *o, double *factor)
{
    o->dp = o->pp = 1;
    o->compute_cv = o->transfer_cv = 0;
    size_t n;
    struct rule_row *rows = generate(o, 5000, &n);
    for (size_t i = 0; i < n; i++) {
        int k = (rows[i].step - o->first_step) / o->step_stride;
        if (rows[i].type == HC_FORWARD_COMPUTE && rows[i].seq == 0)
            factor[k] = (double)(rows[i].end - rows[i].start) / 50e6;
        if (rows[i].type == HC_OPTIMIZER)
            ck_assert_double_eq_tol((double)(rows[i].end - rows[i].start) / 20e6, factor[k], 1e-6);
    }
    free(rows);
}

START_TEST(steps_have_a_factor)
{
    enum { N = 4000 };
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    double *factor = calloc(N, sizeof *factor), sum = 0, squares = 0, products = 0;
    o.n_steps = N;
    o.step_stride = 1;
    o.microbatches = 1;
    o.step_cv = 0.1;
    o.step_rho = 0.9;
    step_factors(&o, factor);
    for (int k = 0; k < N; k++) {
        double z = log(factor[k]);
        sum += z;
        squares += z * z;
        products += k ? z * log(factor[k - 1]) : 0;
    }
    double mean = sum / N, variance = squares / N - mean * mean;
    /* Deviations: of the mean 0.1 sqrt(19 / N) = 0.007, of rho sqrt(0.19 / N) = 0.007. */
    ck_assert_double_eq_tol(mean, -0.005, 0.03);
    ck_assert_double_eq_tol(sqrt(variance), 0.1, 0.015);
    ck_assert_double_eq_tol((products / (N - 1) - mean * mean) / variance, 0.9, 0.03);
    /* A step that is far from those before it knows them all the same. */
    double alone;
    struct hc_synth_steps_options one = o;
    one.first_step = o.first_step + 1234;
    one.n_steps = 1;
    step_factors(&one, &alone);
    ck_assert_double_eq(alone, factor[1234]);
    free(factor);
}
END_TEST

START_TEST(a_straggler_wanders)
{
    struct hc_synth_steps_options o = defaults(), with = o;
    with.n_steps = o.n_steps = 100;
    with.wander = 2;
    struct pair pair = pair_of(&o, &with);
    int slow[100], seen[12] = {0}, n_seen = 0;
    memset(slow, -1, sizeof slow);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        if (!hc_op_is_pass(row->type) && row->type != HC_OPTIMIZER)
            continue;
        int k = (row->step - o.first_step) / o.step_stride, worker = row->dp * 4 + row->stage;
        double factor = taken(row) / taken(&pair.healthy[i]);
        if (fabs(factor - 2) < 1e-6) {
            ck_assert(slow[k] == -1 || slow[k] == worker);
            slow[k] = worker;
        } else {
            ck_assert_double_eq(factor, 1);
            ck_assert_int_ne(slow[k], worker);
        }
    }
    for (int k = 0; k < 100; k++) {
        ck_assert_int_ge(slow[k], 0);
        n_seen += seen[slow[k]]++ == 0;
    }
    ck_assert_int_ge(n_seen, 11); /* of 12 */
    free_pair(&pair);
}
END_TEST

static struct hc_synth_steps_options everything(const struct hc_synth_slow *slow, size_t n)
{
    struct hc_synth_steps_options o = defaults();
    o.dp = 12;
    o.vpp = 2;
    o.slow = slow;
    o.n_slow = n;
    o.sequence_cv = 0.4;
    o.gc_pause_ns = 200000000;
    o.gc_every = 2;
    o.step_cv = 0.1;
    o.step_rho = 0.8;
    o.wander = 1.5;
    return o;
}

START_TEST(planted_steps_stand_alone)
{
    const struct hc_synth_slow slow[] = {{1, 2, 2, HC_SYNTH_COMPUTE, {0}},
                                         {0, 1, 9, HC_SYNTH_LINK, {0}},
                                         {-1, 1, 3, HC_SYNTH_COLLECTIVES, {0}},
                                         {3, 0, 8, HC_SYNTH_HOST, {0}}};
    struct hc_synth_steps_options o = everything(slow, 4), one = o;
    size_t n, n_again, n_alone;
    one.first_step = o.first_step + 2 * o.step_stride;
    one.n_steps = 1;
#ifdef _OPENMP
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
#endif
    struct rule_row *whole = generate(&o, 1 << 20, &n);
#ifdef _OPENMP
    omp_set_num_threads(3);
#endif
    struct rule_row *again = generate(&o, 999, &n_again);
    struct rule_row *alone = generate(&one, 4096, &n_alone);
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    ck_assert_uint_eq(n, n_again);
    ck_assert_int_eq(memcmp(whole, again, n * sizeof *whole), 0);
    ck_assert_int_eq(memcmp(whole + 2 * n_alone, alone, n_alone * sizeof *alone), 0);
    free(whole);
    free(again);
    free(alone);
}
END_TEST

START_TEST(planted_options_are_checked)
{
    static const struct hc_synth_slow wrong[] = {{0, 3, 2, HC_SYNTH_LINK, {0}},
                                                 {0, 1, 2, HC_SYNTH_COLLECTIVES, {0}},
                                                 {0, 0, -1, HC_SYNTH_HOST, {0}},
                                                 {-1, 0, 2, HC_SYNTH_COLLECTIVES, {0}}};
    struct hc_synth_steps_options bad[10];
    for (size_t i = 0; i < 10; i++)
        bad[i] = defaults();
    for (size_t i = 0; i < 4; i++)
        bad[i].slow = &wrong[i], bad[i].n_slow = 1;
    bad[3].dp = 1;
    bad[4].sequence_cv = 1.4;
    bad[5].gc_pause_ns = 1, bad[5].gc_every = 0.5;
    bad[6].gc_pause_ns = -1;
    bad[7].step_rho = 1;
    bad[8].step_cv = NAN;
    bad[9].wander = -1;
    for (size_t i = 0; i < 10; i++) {
        struct hc_error err = {0};
        struct hc_synth_steps *generator = NULL;
        ck_assert_msg(hc_synth_steps_open(&generator, &bad[i], &err) == HC_USAGE, "case %zu", i);
        ck_assert_ptr_null(generator);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_plant");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_load_is_of_a_microbatch, 0, 2);
    tcase_add_loop_test(tests, loads_have_mean_and_variation, 0, 3);
    tcase_add_test(tests, a_pause_is_in_one_forward_pass);
    tcase_add_loop_test(tests, a_link_is_slow_both_ways, 0, 4);
    tcase_add_test(tests, collectives_of_a_stage);
    tcase_add_test(tests, a_host_launches_late);
    tcase_add_test(tests, steps_have_a_factor);
    tcase_add_test(tests, a_straggler_wanders);
    tcase_add_test(tests, planted_steps_stand_alone);
    tcase_add_test(tests, planted_options_are_checked);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
