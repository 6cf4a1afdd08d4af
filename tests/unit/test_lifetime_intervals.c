/* Intervals between saves as they were measured. */
#include "tests/support/lifetime_case.h"

#include "core/random/philox.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;
static const double measured[] = {100, 100, 400, 1000};
enum { N = 4 };

static struct hc_renewal_case with_intervals(double rate_per_s, double stall_s)
{
    struct hc_ettr_terms t = {rate_per_s, 0, stall_s, 30, 0};
    struct hc_renewal_case r;
    hc_renewal_case_init(&r, &t);
    r.config.strikes = HC_STRIKES_RUNNING;
    r.config.checkpoint.interval = HC_INTERVAL_MEASURED;
    r.config.checkpoint.intervals_s =
        (struct hc_distribution){HC_DISTRIBUTION_EMPIRICAL, 1, 0, measured, N};
    r.config.job.work_s = 4000 / rate_per_s;
    r.config.replicas = 20;
    return r;
}

static void point(struct hc_renewal_case *r)
{
    r->config.fault = &r->fault;
    r->config.startup.phase = &r->phase;
}

/* What a fault loses, and the saves in a second, where intervals are drawn one by one. */
static void one_by_one(double rate, double *lost_s, double *saves_per_s)
{
    struct hc_philox rng;
    double lost = 0, run = 0, saves = 0;
    int faults = 200000;
    hc_philox_seek(&rng, 4711, 0, 0);
    for (int i = 0; i < faults; i++) {
        double left = -log(1 - hc_philox_uniform(&rng)) / rate;
        run += left;
        for (double next; left >= (next = measured[hc_philox_integer(&rng, N)]); left -= next)
            saves++;
        lost += left;
    }
    *lost_s = lost / faults;
    *saves_per_s = saves / run;
}

START_TEST(means_are_those_of_single_draws)
{
    double lost_s, saves_per_s, rate = 2e-5;
    struct hc_lifetime_summary sum;
    one_by_one(rate, &lost_s, &saves_per_s);
    struct hc_renewal_case r = with_intervals(rate, 0);
    point(&r);
    ck_assert_int_eq(hc_lifetime_simulate(&r.config, &sum, &err), HC_OK);
    double stops = sum.count[HC_COUNT_STOPS].mean * 20;
    double lost =
        hc_gpu_hours(hc_account_what(&sum.account, HC_WHAT_LOST_WORK)) * 3600 / 800 / stops;
    ck_assert_double_gt(stops, 60000);
    /* The square of the intervals over twice their sum; half their mean would be 200. */
    ck_assert_double_eq_tol(lost_s, 1180000. / 3200, 5);
    ck_assert_double_eq_tol(lost, lost_s, 0.01 * lost_s);
    r = with_intervals(rate, 0.01); /* blocking saves, too short to matter to the rest */
    point(&r);
    ck_assert_int_eq(hc_lifetime_simulate(&r.config, &sum, &err), HC_OK);
    double run_s = (double)(sum.productive_ns * 1e-9) + lost * stops;
    double saves =
        hc_gpu_hours(hc_account_what(&sum.account, HC_WHAT_CHECKPOINT_STALL)) * 3600 / 800 / 0.01;
    ck_assert_double_eq_tol(saves / run_s, saves_per_s, 0.01 * saves_per_s);
}
END_TEST

START_TEST(one_value_is_fixed)
{
    struct hc_lifetime_replica out[2];
    struct hc_renewal_case r = with_intervals(1e-4, 2);
    point(&r);
    r.config.checkpoint.intervals_s = hc_distribution_constant(400);
    r.config.job.step_s = hc_distribution_constant(30); /* whole steps: 420 s */
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out[0], &err), HC_OK);
    r.config.checkpoint.interval = HC_INTERVAL_FIXED;
    r.config.checkpoint.every_s = 420;
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out[1], &err), HC_OK);
    ck_assert_mem_eq(&out[0], &out[1], sizeof out[0]);
}
END_TEST

static void refused(const struct hc_renewal_case *r, const char *said)
{
    struct hc_renewal_case copy = *r;
    point(&copy);
    ck_assert_int_eq(hc_lifetime_config_check(&copy.config, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, said);
}

START_TEST(refuses_what_is_no_measurement)
{
    static const double zero[] = {0, 5};
    struct hc_renewal_case r = with_intervals(1e-4, 2);
    r.config.checkpoint.every_s = 5;
    refused(&r, "/checkpoint/every_s: the interval is measured");
    r = with_intervals(1e-4, 2);
    r.config.checkpoint.intervals_s = hc_distribution_exponential(5);
    refused(&r, "/checkpoint/intervals_s: measured intervals are empirical");
    r.config.checkpoint.intervals_s =
        (struct hc_distribution){HC_DISTRIBUTION_EMPIRICAL, 1, 0, zero, 2};
    refused(&r, "/checkpoint/intervals_s: 0 s is no time between saves");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_intervals");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, means_are_those_of_single_draws);
    tcase_add_test(tests, one_value_is_fixed);
    tcase_add_test(tests, refuses_what_is_no_measurement);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
