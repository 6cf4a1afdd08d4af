/* How long stops last: kept as counts by length, and as the longest of a life. */
#include "core/random/philox.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

/* The shortest stop of a count other than the first, sought between the ends of the range. */
static int64_t shortest_ns(int length)
{
    int64_t below = 0, there = INT64_MAX;
    while (there - below > 1) {
        int64_t middle = below + (there - below) / 2;
        if (hc_stop_length(middle) >= length)
            there = middle;
        else
            below = middle;
    }
    return there;
}

START_TEST(counts_are_a_sixteenth_wide)
{
    ck_assert_int_eq(hc_stop_length(0), 0);
    ck_assert_int_eq(hc_stop_length(INT64_MAX), HC_STOP_LENGTHS - 1);
    for (int i = 1; i < HC_STOP_LENGTHS; i++) {
        int64_t from = shortest_ns(i);
        ck_assert_int_eq(hc_stop_length(from), i);
        ck_assert_int_eq(hc_stop_length(from - 1), i - 1);
        if (i > 1) {
            int64_t before = shortest_ns(i - 1);
            ck_assert_int_le((from - before) * 16, before);
        }
    }
}
END_TEST

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

START_TEST(quantiles_are_near_those_of_the_values)
{
    enum { N = 20000 };
    static double value[N];
    static uint64_t n[HC_STOP_LENGTHS];
    static const double share[] = {0.01, 0.5, 0.9, 0.99, 0.999};
    struct hc_distribution d = hc_distribution_lognormal_p99(300, 20000);
    struct hc_philox rng;
    int64_t longest = 0;
    hc_philox_seek(&rng, 31, 0, 0);
    for (int i = 0; i < N; i++) {
        value[i] = hc_distribution_draw(&d, &rng);
        int64_t ns = (int64_t)(value[i] * 1e9);
        n[hc_stop_length(ns)]++;
        longest = ns > longest ? ns : longest;
    }
    qsort(value, N, sizeof value[0], by_value);
    for (int i = 0; i < 5; i++) {
        double exact = value[(int)(share[i] * N) - 1];
        ck_assert_double_eq_tol(hc_stop_quantile_s(n, longest, share[i]), exact, exact / 16);
    }
    ck_assert_double_eq_tol(hc_stop_quantile_s(n, longest, 1), value[N - 1], 1e-6);
}
END_TEST

START_TEST(no_stops_have_no_quantile)
{
    static const uint64_t none[HC_STOP_LENGTHS];
    ck_assert(isnan(hc_stop_quantile_s(none, 0, 0.5)));
}
END_TEST

/* Each stop is 200 s of notice and 300 s of start; nothing strikes meanwhile. */
static void constant_stops(struct hc_renewal_case *r)
{
    const struct hc_ettr_terms t = {1 / 7200.0, 600, 0, 300, 0};
    hc_renewal_case_init(r, &t);
    r->fault.detection.delay_s = hc_distribution_constant(200);
    r->config.strikes = HC_STRIKES_RUNNING;
    r->config.job.horizon_s = 30 * DAY_S;
}

START_TEST(each_stop_is_counted_with_its_length)
{
    static struct hc_lifetime_replica out[20];
    struct hc_renewal_case r;
    int64_t length = 500 * (int64_t)1000000000;
    constant_stops(&r);
    if (hc_lifetime_run(&r.config, 0, 20, out, &err))
        ck_abort_msg("%s", err.message);
    for (int i = 0; i < 20; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < HC_STOP_LENGTHS; k++)
            sum += out[i].stops_of[k];
        ck_assert_int_gt(out[i].count[HC_COUNT_STOPS], 200);
        ck_assert_uint_eq(sum, (uint64_t)out[i].count[HC_COUNT_STOPS]);
        ck_assert_int_eq(out[i].longest_stop_ns, length);
        /* All but one that the horizon may have cut. */
        ck_assert_uint_ge(out[i].stops_of[hc_stop_length(length)] + 1, sum);
    }
}
END_TEST

START_TEST(a_stop_that_the_horizon_cuts_counts_up_to_there)
{
    static struct hc_lifetime_replica out;
    struct hc_renewal_case r;
    constant_stops(&r);
    r.fault.detection.delay_s = hc_distribution_constant(40 * DAY_S);
    if (hc_lifetime_run(&r.config, 0, 1, &out, &err))
        ck_abort_msg("%s", err.message);
    ck_assert_int_eq(out.count[HC_COUNT_STOPS], 1);
    ck_assert_int_eq(out.longest_stop_ns,
                     out.wall_ns - 300 * (int64_t)1000000000 - out.productive_ns -
                         (int64_t)out.account.leaf[HC_WHAT_LOST_WORK][HC_WHY_INFRASTRUCTURE] /
                             (100 * r.config.job.gpus_per_node));
}
END_TEST

START_TEST(a_summary_has_the_stops_of_all)
{
    static struct hc_lifetime_replica out[10];
    static struct hc_lifetime_summary all;
    static uint64_t stops_of[HC_STOP_LENGTHS];
    struct hc_renewal_case r;
    constant_stops(&r);
    r.config.strikes = HC_STRIKES_HELD;
    if (hc_lifetime_run(&r.config, 0, 10, out, &err))
        ck_abort_msg("%s", err.message);
    int64_t longest = 0;
    for (int i = 0; i < 10; i++) {
        hc_lifetime_summary_add(&all, &out[i]);
        for (int k = 0; k < HC_STOP_LENGTHS; k++)
            stops_of[k] += (uint64_t)out[i].stops_of[k];
        longest = out[i].longest_stop_ns > longest ? out[i].longest_stop_ns : longest;
    }
    ck_assert_int_eq(all.longest_stop_ns, longest);
    for (int k = 0; k < HC_STOP_LENGTHS; k++)
        ck_assert_uint_eq(stops_of[k], all.stops_of[k]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stop lengths");
    TCase *tests = tcase_create("stop lengths");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, counts_are_a_sixteenth_wide);
    tcase_add_test(tests, quantiles_are_near_those_of_the_values);
    tcase_add_test(tests, no_stops_have_no_quantile);
    tcase_add_test(tests, each_stop_is_counted_with_its_length);
    tcase_add_test(tests, a_stop_that_the_horizon_cuts_counts_up_to_there);
    tcase_add_test(tests, a_summary_has_the_stops_of_all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
