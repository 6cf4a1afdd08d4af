/* What intervals are made of: ratios of sums over steps, how far steps are correlated, and how the
 * ideals move with them. */
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/step_doubt.h"
#include "tests/support/interval_jobs.h"

#include <check.h>

#define ANY_SEED 77

static struct hc_error err;

/* Independent steps: Student's interval of a mean, where the whole does not vary. */
START_TEST(test_ratio_of_a_constant)
{
    enum { N = 10 };
    double part[N], whole[N], square = 0;
    for (int i = 0; i < N; i++) {
        part[i] = 3 + (i % 2 ? 0.2 : -0.2);
        whole[i] = 2;
        square += 0.2 * 0.2;
    }
    struct hc_step_doubt doubt = {.growth = 1, .freedom = N - 1};
    struct hc_interval interval = hc_ratio_interval(part, whole, N, &doubt, 0.95);
    double half = 2.2621571628 * sqrt(square / (N - 1) / N) / 2;
    ck_assert_double_eq_tol(interval.low, 1.5 - half, 1e-9);
    ck_assert_double_eq_tol(interval.high, 1.5 + half, 1e-9);
}
END_TEST

/* A ratio to what may be 0 can be anything. Of one that is nearly certain, the interval is not
 * symmetric. */
START_TEST(test_ratio_to_what_may_be_none)
{
    enum { N = 10 };
    double part[N], whole[N];
    struct hc_step_doubt doubt = {.growth = 1, .freedom = N - 1};
    for (int i = 0; i < N; i++) {
        part[i] = 1;
        whole[i] = i % 2 ? 3 : -2;
    }
    ck_assert(isnan(hc_ratio_interval(part, whole, N, &doubt, 0.95).low));
    for (int i = 0; i < N; i++)
        whole[i] = i % 2 ? 3 : 1;
    struct hc_interval interval = hc_ratio_interval(part, whole, N, &doubt, 0.95);
    ck_assert(interval.low < 0.5 && interval.high > 0.5);
    ck_assert_double_gt(interval.high - 0.5, 1.5 * (0.5 - interval.low));
}
END_TEST

/* The variance of the mean of 20 values that are correlated by 0.5, 0.25, ..., summed pair by pair.
 */
START_TEST(test_growth_of_variance)
{
    enum { N = 20 };
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            sum += pow(0.5, abs(i - k));
    struct hc_step_doubt doubt = hc_doubt_of_steps(0.5, N, 0);
    ck_assert_double_eq_tol(doubt.growth, sum / N, 1e-12);
    ck_assert(hc_doubt_of_steps(0.6, N, 0).is_hopeless);
    doubt = hc_doubt_of_steps(0, N, 0);
    ck_assert_double_eq(doubt.growth, 1);
    ck_assert_double_eq(doubt.freedom, N - 1);
    ck_assert(!doubt.is_hopeless);
}
END_TEST

/* Levels may be correlated by more than they show, the less the more steps show it, and count by
 * their share. */
START_TEST(test_doubt_of_levels)
{
    struct hc_step_doubt few = hc_doubt_of_levels(0, 1, 20), many = hc_doubt_of_levels(0, 1, 400);
    struct hc_step_doubt part = hc_doubt_of_levels(0, 0.1, 20);
    ck_assert_double_gt(few.growth, 2);
    ck_assert_double_lt(many.growth, 1.5);
    ck_assert_double_gt(many.growth, 1);
    ck_assert_double_eq_tol(part.growth - 1, 0.1 * (few.growth - 1), 1e-12);
    ck_assert(!few.is_hopeless && !many.is_hopeless);
    ck_assert(hc_doubt_of_levels(0.6, 1, 20).is_hopeless);
    size_t enough = hc_enough_steps(0.6);
    ck_assert_uint_gt(enough, 40);
    ck_assert(!hc_doubt_of_levels(0.6, 1, enough).is_hopeless);
    ck_assert_uint_gt(hc_enough_steps(0.8), enough);
    ck_assert_uint_lt(hc_enough_steps(0.99), 100000);
}
END_TEST

START_TEST(test_correlation)
{
    enum { N = 4000 };
    static double value[N];
    struct hc_philox rng;
    hc_philox_seek(&rng, ANY_SEED, 0, 0);
    for (int i = 0; i < N; i++)
        value[i] = hc_philox_normal(&rng) * sqrt(0.75) + (i ? 0.5 * value[i - 1] : 0);
    ck_assert_double_eq_tol(hc_step_correlation(value, N), 0.5, 4 * sqrt(0.75 / N));
    for (int i = 0; i < N; i++)
        value[i] = i % 2 ? 1 : -1;
    ck_assert_double_eq_tol(hc_step_correlation(value, N), -1, 0.01);
    for (int i = 0; i < N; i++)
        value[i] = i < N / 2 ? 1 : -1;
    ck_assert_double_eq_tol(hc_step_correlation(value, N), 1, 0.01);
    memset(value, 0, sizeof value);
    ck_assert_double_eq(hc_step_correlation(value, N), 0);
}
END_TEST

/* Over half of the steps the moves say what the ideals of that half are. */
START_TEST(test_moves_of_ideals)
{
    enum { N = 40 };
    struct hc_ideals ideals[2];
    struct hc_step_lanes lanes;
    struct hc_ideal_moves moves;
    const struct job_kind kind = {.dp = 2,
                                  .pp = 2,
                                  .microbatches = 4,
                                  .compute_cv = 0.1,
                                  .loss_factor = 1,
                                  .slow_factor = 1,
                                  .step_sd = 0.02};
    int32_t range[][2] = {{0, N / 2 - 1}};
    const struct hc_step_ranges first_half = {.n = 1, .range = range};
    double half[HC_N_OP_TYPES] = {0};
    for (int i = 0; i < 2; i++) {
        struct hc_whatif_options options = job_options;
        struct hc_step_trace *trace = NULL;
        options.replay.steps = i ? &first_half : NULL;
        ck_assert(!job_trace(&trace, &kind, N, ANY_SEED, &err));
        ck_assert(!hc_step_lanes_build(&lanes, trace, &options.replay, &err));
        ck_assert(!hc_ideals_find(&ideals[i], &lanes, &err));
        if (i == 0) {
            ck_assert(!hc_ideal_moves_find(&moves, &lanes, &ideals[0], &err));
            for (int type = 0; type < HC_N_OP_TYPES; type++)
                for (int s = 0; moves.move_ns[type] && s < N / 2; s++)
                    half[type] += moves.move_ns[type][s] / (N / 2);
            hc_ideal_moves_fini(&moves);
        }
        hc_step_lanes_fini(&lanes);
        hc_step_trace_free(trace);
    }
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        double real = (double)(ideals[1].duration_ns[type] - ideals[0].duration_ns[type]);
        /* Means to the rounding; medians to a part of how far they move, 2 % of the ideal. */
        double tolerance = hc_ideal_is_mean(type) ? 2 : 0.02 * (double)ideals[0].duration_ns[type];
        ck_assert_msg(fabs(half[type] - real) <= tolerance, "type %d: %g, not %g", type, half[type],
                      real);
    }
    ck_assert_double_gt(fabs(half[HC_FORWARD_COMPUTE]), 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interval_parts");
    TCase *tcase = tcase_create("interval_parts");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, test_ratio_of_a_constant);
    tcase_add_test(tcase, test_ratio_to_what_may_be_none);
    tcase_add_test(tcase, test_growth_of_variance);
    tcase_add_test(tcase, test_doubt_of_levels);
    tcase_add_test(tcase, test_correlation);
    tcase_add_test(tcase, test_moves_of_ideals);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
