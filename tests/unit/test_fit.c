/* Parameters fitted to plain records: times between the faults of a node on the clock of its use,
 * rates of causes and domains, distributions of times, what held-out periods bring; by hand. */
#include "models/fit/backtest.h"
#include "models/fit/duration_fit.h"
#include "models/fit/fault_fit.h"
#include "models/fit/fit_model.h"
#include "models/fit/negative_binomial.h"
#include "models/fit/node_renewal.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S_NS  ((int64_t)1000000000)
#define DAY_S 86400

static struct hc_error err;

static void near(double value, double wanted, double part)
{
    if (!(fabs(value - wanted) <= part * fabs(wanted)))
        ck_abort_msg("%.17g is not %.17g", value, wanted);
}

/* ---- counts whose rate is not known for sure ---- */

/* Of size 1 it is geometric: P(X <= k) = 1 - (mean / (1 + mean))^(k + 1): 1/3, 5/9. */
START_TEST(negative_binomial)
{
    ck_assert_int_eq(hc_negative_binomial_quantile(0.975, 2, 1), 9);
    ck_assert_int_eq(hc_negative_binomial_quantile(1.0 / 3 - 1e-6, 2, 1), 0);
    ck_assert_int_eq(hc_negative_binomial_quantile(1.0 / 3 + 1e-6, 2, 1), 1);
    ck_assert_int_eq(hc_negative_binomial_quantile(5.0 / 9 - 1e-6, 2, 1), 1);
    ck_assert_int_eq(hc_negative_binomial_quantile(5.0 / 9 + 1e-6, 2, 1), 2);
    ck_assert_int_eq(hc_negative_binomial_quantile(0.5 - 1e-6, 2, 2), 1);
    ck_assert_int_eq(hc_negative_binomial_quantile(0.5 + 1e-6, 2, 2), 2);
    /* A size without bound is Poisson's: of mean 10, 95 % lie from 4 to 17. */
    ck_assert_int_eq(hc_negative_binomial_quantile(0.025, 10, 1e9), 4);
    ck_assert_int_eq(hc_negative_binomial_quantile(0.975, 10, 1e9), 17);
}
END_TEST

/* ---- the clock of a node ---- */

static int64_t count_of(const struct hc_survival *times, double time, bool is_censored,
                        bool is_residual)
{
    for (size_t i = 0; i < times->n; i++)
        if (fabs(times->times[i].time - time) < 1e-9 &&
            times->times[i].is_censored == is_censored &&
            times->times[i].is_residual == is_residual)
            return times->times[i].count;
    return 0;
}

START_TEST(clocks_run_in_use)
{
    /* Node 0: used from 0 to 10 and, by two jobs, from 100 to 130; struck at 5 (5 s of use) and at
     * 110 (20 s of use, so 15 later); 20 s are left. Node 1: used for 7 s, never struck. Node 2:
     * struck between two uses, at 4 s of use, and 6 left. Node 3 was never used. */
    struct hc_node_use uses[] = {
        {2, 0, 4 * S_NS},          {0, 100 * S_NS, 120 * S_NS}, {1, 0, 7 * S_NS},
        {0, 90 * S_NS, 90 * S_NS}, {0, 110 * S_NS, 130 * S_NS}, {0, 0, 10 * S_NS},
        {2, 50 * S_NS, 56 * S_NS},
    };
    struct hc_node_strike strikes[] = {
        {3, 1 * S_NS}, {0, 110 * S_NS}, {2, 20 * S_NS}, {0, 5 * S_NS}};
    struct hc_survival times = {0};
    size_t n = sizeof uses / sizeof *uses;
    hc_node_uses_unite(uses, &n);
    ck_assert_uint_eq(n, 6);
    ck_assert_int_eq(hc_node_renewals_add(&times, uses, n, strikes, 4, &err), HC_OK);
    hc_survival_finish(&times);
    ck_assert_int_eq(times.n_events, 3);
    ck_assert_int_eq(times.n_unknown, 1);
    ck_assert_int_eq(count_of(&times, 5, false, true), 1);
    ck_assert_int_eq(count_of(&times, 15, false, false), 1);
    ck_assert_int_eq(count_of(&times, 20, true, false), 1);
    ck_assert_int_eq(count_of(&times, 7, true, true), 1);
    ck_assert_int_eq(count_of(&times, 4, false, true), 1);
    ck_assert_int_eq(count_of(&times, 6, true, false), 1);
    near(times.total, 57, 1e-12);
    hc_survival_fini(&times);
}
END_TEST

/* ---- times ---- */

static struct hc_duration_fit fit_of(const double *seconds, size_t n, size_t n_cut)
{
    struct hc_survival times = {0};
    struct hc_duration_fit fit;
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(hc_survival_add(&times, seconds[i], i < n_cut, 1, &err), HC_OK);
    ck_assert_int_eq(hc_duration_fit_make(&fit, &times, 1, 7, &err), HC_OK);
    hc_survival_fini(&times);
    return fit;
}

START_TEST(alike_times_are_a_number)
{
    static const double timeouts[] = {600, 601, 600, 599};
    struct hc_duration_fit fit = fit_of(timeouts, 4, 0);
    ck_assert_int_eq(fit.family, HC_FIT_NO_FAMILY);
    near(fit.mean.value, 600, 1e-12);
    near(fit.mean.low, 599, 1e-12);
    near(fit.mean.high, 601, 1e-12);
    /* Two times say nothing of a third; none says nothing at all. */
    fit = fit_of(timeouts, 2, 0);
    near(fit.mean.value, 600.5, 1e-12);
    ck_assert_double_nan(fit.mean.low);
    fit = fit_of(timeouts, 2, 2);
    ck_assert_int_eq(fit.n, 0);
    ck_assert_int_eq(fit.n_censored, 2);
    ck_assert_double_nan(fit.mean.value);
}
END_TEST

START_TEST(spread_times_have_a_family)
{
    /* Quantiles of a lognormal with median 100 and sigma 0.5, at 1/40, 3/40... */
    static const double normal[] = {-1.96, -1.44, -1.15, -0.93, -0.76, -0.60, -0.45,
                                    -0.32, -0.19, -0.06, 0.06,  0.19,  0.32,  0.45,
                                    0.60,  0.76,  0.93,  1.15,  1.44,  1.96};
    double seconds[20];
    for (int i = 0; i < 20; i++)
        seconds[i] = 100 * exp(0.5 * normal[i]);
    struct hc_duration_fit fit = fit_of(seconds, 20, 0);
    ck_assert_int_eq(fit.family, HC_FIT_LOGNORMAL);
    near(fit.mean.value, 100 * exp(0.125), 0.02);
    ck_assert(fit.mean.low < fit.mean.value && fit.mean.value < fit.mean.high);
    /* Half-width about t sd / sqrt(20). */
    near(fit.mean.high - fit.mean.low, 2 * 2.09 * 60.4 / sqrt(20), 0.35);
    ck_assert(fit.median.low < 100 && 100 < fit.median.high);
    /* The same times, the longest of which were not over: longer in the mean. */
    double cut[20];
    for (int i = 0; i < 20; i++)
        cut[i] = seconds[19 - i];
    struct hc_duration_fit longer = fit_of(cut, 20, 5);
    ck_assert_int_eq(longer.n, 15);
    ck_assert(longer.mean.value > fit.mean.value);
    ck_assert_double_nan(longer.median.value);
}
END_TEST

/* Of five times that lie far apart no mean is believed that is beyond all of them. */
START_TEST(tails_that_nobody_saw)
{
    static const double seconds[] = {5, 5.1, 5.2, 600, 601};
    struct hc_duration_fit fit = fit_of(seconds, 5, 0);
    ck_assert(fit.mean.value < 601);
    ck_assert(fit.mean.high <= fmax(2 * 601, 5 * fit.mean.value));
}
END_TEST

/* ---- causes ---- */

static struct hc_fit_records records;

static void start(void)
{
    records = (struct hc_fit_records){.run = -1, .to_ns = 100 * DAY_S * S_NS, .chance = NAN};
    static const char *const causes[] = {"xid_79", "infiniband", "odd"};
    for (int i = 0; i < 3; i++) {
        int32_t code;
        ck_assert_int_eq(
            hc_text_set_add(&records.causes, causes[i], strlen(causes[i]), &code, &err), HC_OK);
    }
    records.node_days = records.use_days = 1000;
    records.sizes = calloc(2, sizeof *records.sizes);
    records.sizes[0] = (struct hc_fit_size){1, 200};
    records.sizes[1] = (struct hc_fit_size){20, 800};
    records.n_sizes = 2;
    records.strikes = calloc(32, sizeof *records.strikes);
}

static void stop(void)
{
    hc_fit_records_fini(&records);
}

static struct hc_fit_strike *strike(int64_t time_s, int32_t cause, int32_t node)
{
    records.strikes[records.n_strikes] = (struct hc_fit_strike){.time_ns = time_s * S_NS,
                                                                .cause = cause,
                                                                .node = node,
                                                                .nodes = 1,
                                                                .run = -1,
                                                                .n_hit = 1,
                                                                .detect_s = NAN,
                                                                .detect_most_s = NAN,
                                                                .line_s = NAN,
                                                                .cycle = -1,
                                                                .held_s = NAN,
                                                                .gap_s = NAN,
                                                                .wait_s = NAN};
    return &records.strikes[records.n_strikes++];
}

START_TEST(several_jobs_of_a_node_are_one_incident)
{
    /* Node 1 takes three jobs, node 2 and node 3 one each, node 1 another later. */
    struct hc_fault_fits fits;
    for (int i = 0; i < 3; i++)
        strike(1000 + i, 0, 1);
    strike(5000, 0, 2);
    strike(5001, 0, 3);
    strike(9000, 0, 1);
    ck_assert_int_eq(hc_fault_fits_make(&fits, &records, 3, &err), HC_OK);
    ck_assert_uint_eq(fits.n, 1);
    ck_assert_str_eq(fits.fit[0].name, "xid_79");
    ck_assert_int_eq(fits.fit[0].n_strikes, 6);
    ck_assert_int_eq(fits.fit[0].n_incidents, 4);
    near(fits.fit[0].rate.value, 4, 1e-12); /* in 1,000 node-days */
    near(fits.fit[0].rate.low, 1.08986537, 1e-8);
    near(fits.fit[0].rate.high, 10.2415887, 1e-8);
    hc_fault_fits_fini(&fits);
}
END_TEST

START_TEST(domains_have_their_exposure)
{
    /* Two incidents of 16 nodes: one stops three jobs, the other one. 200 domain-days of jobs of
     * one node; jobs of 20 nodes lie on two domains: 800 / 20 * 2 = 80. */
    struct hc_fault_fits fits;
    for (int i = 0; i < 3; i++)
        strike(1000 + 60 * i, 1, i)->n_hit = 16;
    strike(9000, 1, 5)->n_hit = 16;
    strike(20000, 2, 5);
    ck_assert_int_eq(hc_fault_fits_make(&fits, &records, 2, &err), HC_OK);
    ck_assert_uint_eq(fits.n, 2);
    ck_assert_str_eq(fits.fit[0].name, "infiniband_domain");
    near(fits.fit[0].domain_nodes, 16, 0);
    near(fits.fit[0].exposure_days, 280, 1e-12);
    near(fits.fit[0].dispersion, 2.5, 1e-12); /* (9 + 1) / 4 */
    near(fits.fit[0].rate.value, 1000 * 4 / 280.0, 1e-8);
    /* Of one independent incident (4 / 2.5, rounded down), by which there were 4. */
    near(fits.fit[0].rate.low, 1000 * 0.0253178080 * 4 / 280, 1e-7);
    near(fits.fit[0].rate.high, 1000 * 5.57164339 * 4 / 280, 1e-7);
    ck_assert_str_eq(fits.fit[1].name, "rare_causes");
    ck_assert_int_eq(fits.fit[1].n_incidents, 1);
    hc_fault_fits_fini(&fits);
}
END_TEST

/* Ten days of 100 node-days; 10 incidents on each of five days and none on the others: spans are of
 * one day each (5 are expected), Pearson's statistic is 10 * 25 / 5 = 50, over 9 degrees of
 * freedom. */
START_TEST(bursts_widen_rates)
{
    struct hc_fault_fits fits;
    double use_days[10];
    for (int d = 0; d < 10; d++)
        use_days[d] = 100;
    records.n_days = 10;
    records.day_use_days = use_days;
    records.strikes = realloc(records.strikes, 50 * sizeof *records.strikes);
    for (int i = 0; i < 50; i++)
        strike((i / 10) * DAY_S + 1000 * (i % 10), 0, i);
    ck_assert_int_eq(hc_fault_fits_make(&fits, &records, 3, &err), HC_OK);
    near(fits.bursts, 50.0 / 9, 1e-9);
    near(fits.fit[0].rate.value, 50, 1e-9);
    /* As of floor(50 * 9 / 50) = 9 incidents: 4.1154 to 17.0848. */
    near(fits.fit[0].rate.low, 4.115373 * 50 / 9, 1e-5);
    near(fits.fit[0].rate.high, 17.084803 * 50 / 9, 1e-5);
    hc_fault_fits_fini(&fits);
    /* Five on each day: less than Poisson numbers vary, which narrows nothing. */
    for (int i = 0; i < 50; i++)
        records.strikes[i].time_ns = ((int64_t)(i / 5) * DAY_S + 1000 * (i % 5)) * S_NS;
    ck_assert_int_eq(hc_fault_fits_make(&fits, &records, 3, &err), HC_OK);
    near(fits.bursts, 1, 0);
    hc_fault_fits_fini(&fits);
    records.day_use_days = NULL;
}
END_TEST

/* ---- the scenario ---- */

START_TEST(remedies_follow_what_was_seen)
{
    /* Four of a cause went on in place, two in a new allocation: two faults that share its rate. */
    struct hc_fit_parameters parameters = {0};
    for (int i = 0; i < 6; i++) {
        struct hc_fit_strike *s = strike(10000 * (i + 1), 0, i);
        s->follow = i < 4 ? HC_FOLLOW_IN_PLACE : HC_FOLLOW_NEW_JOB;
        s->held_s = i < 4 ? 90 : 20;
        s->gap_s = i < 4 ? NAN : 1000;
        s->wait_s = i < 4 ? NAN : 100;
        s->detect_s = 5;
    }
    ck_assert_int_eq(hc_fit_model_make(&parameters, &records, 3, &err), HC_OK);
    const struct hc_fit_parameter *p =
        hc_fit_parameter_find(&parameters, "/faults/xid_79_in_place/per_1000_node_days");
    ck_assert_ptr_nonnull(p);
    near(p->first.value, 4, 1e-9);
    ck_assert(p->first.low < 4 && 4 < p->first.high);
    near(hc_fit_parameter_find(&parameters, "/faults/xid_79/per_1000_node_days")->first.value, 2,
         1e-9);
    near(hc_fit_parameter_find(&parameters, "/faults/xid_79_in_place/remedy_s")->first.value, 90,
         1e-9);
    near(hc_fit_parameter_find(&parameters, "/faults/xid_79/remedy_s")->first.value, 20, 1e-9);
    ck_assert_str_eq(hc_fit_parameter_find(&parameters, "/faults/xid_79/remedy")->word, "evict");
    ck_assert_str_eq(hc_fit_parameter_find(&parameters, "/faults/xid_79_in_place/remedy")->word,
                     "reattempt");
    near(hc_fit_parameter_find(&parameters, "resubmit_s")->first.value, 900, 1e-9);
    /* Nothing is made up of what there is no record. */
    ck_assert_int_eq(hc_fit_parameter_find(&parameters, "/startup/full_s")->form, HC_FIT_ABSENT);
    ck_assert_int_eq(hc_fit_parameter_find(&parameters, "/job")->form, HC_FIT_ABSENT);
    hc_fit_parameters_fini(&parameters);
}
END_TEST

/* Lines of steps each 100 s; the notice comes 60 s after the fault, which falls 10, 30, 50, 70 and
 * 90 s after a line. */
START_TEST(gaps_tell_detection)
{
    struct hc_fit_parameters parameters = {0};
    for (int i = 0; i < 5; i++) {
        struct hc_fit_strike *s = strike(10000 * (i + 1), 0, i);
        s->detect_most_s = 60 + 10 + 20 * i;
        s->line_s = 100;
    }
    ck_assert_int_eq(hc_fit_model_make(&parameters, &records, 3, &err), HC_OK);
    const struct hc_fit_parameter *p =
        hc_fit_parameter_find(&parameters, "/faults/xid_79/detect_s");
    near(p->first.value, 60, 1e-4); /* sd 31.6, error 14.1: hardly cut at 0 */
    near(p->first.low, 60 - 1.96 * 14.14, 1e-2);
    near(p->first.high, 60 + 1.96 * 14.14, 1e-2);
    hc_fit_parameters_fini(&parameters);
    /* Of one of them it is not known how far its lines lie apart: the middle, up to all of it. */
    records.strikes[2].line_s = NAN;
    ck_assert_int_eq(hc_fit_model_make(&parameters, &records, 3, &err), HC_OK);
    p = hc_fit_parameter_find(&parameters, "/faults/xid_79/detect_s");
    near(p->first.value, 55, 1e-9);
    near(p->first.high, 110, 1e-9);
    hc_fit_parameters_fini(&parameters);
}
END_TEST

/* ---- held-out periods ---- */

START_TEST(periods_are_foretold)
{
    /* 40 incidents in 400 node-days; then periods of 100 with 10, 30 and none, and one without
     * jobs. The posterior of the mean of 100 is gamma of 40.5, mean 10.125. */
    struct hc_backtest_period periods[] = {
        {.node_days = 100, .n_incidents = 12}, {.node_days = 100, .n_incidents = 8},
        {.node_days = 100, .n_incidents = 11}, {.node_days = 100, .n_incidents = 9},
        {.node_days = 100, .n_incidents = 10}, {.node_days = 100, .n_incidents = 30},
        {.node_days = 100, .n_incidents = 0},  {.node_days = 0, .n_incidents = 0},
    };
    struct hc_backtest backtest = {.n = 8, .n_held_out = 4, .periods = periods};
    ck_assert_int_eq(hc_backtest_run(&backtest, &err), HC_OK);
    ck_assert_int_eq(backtest.n_fitted, 40);
    near(backtest.index, 1.0 / 3, 1e-9); /* (4 + 4 + 1 + 1) / 10 over 3 */
    ck_assert(isinf(backtest.size));
    near(periods[4].expected, 10.125, 1e-12);
    ck_assert_int_eq(periods[4].low, hc_negative_binomial_quantile(0.025, 10.125, 40.5));
    ck_assert_int_eq(periods[4].high, hc_negative_binomial_quantile(0.975, 10.125, 40.5));
    ck_assert_int_eq(backtest.n_hits, 1);
    ck_assert_int_eq(backtest.n_above, 1);
    ck_assert_int_eq(backtest.n_below, 1);
}
END_TEST

START_TEST(bursts_widen_what_is_foretold)
{
    /* Off by 8 each: variance 64 of mean 10, so 4 / 3 (64 - 10) above Poisson: size 100 / 72. */
    struct hc_backtest_period periods[] = {
        {.node_days = 100, .n_incidents = 18}, {.node_days = 100, .n_incidents = 2},
        {.node_days = 100, .n_incidents = 2},  {.node_days = 100, .n_incidents = 18},
        {.node_days = 100, .n_incidents = 22},
    };
    struct hc_backtest backtest = {.n = 5, .n_held_out = 1, .periods = periods};
    ck_assert_int_eq(hc_backtest_run(&backtest, &err), HC_OK);
    near(backtest.index, 6.4 * 4 / 3, 1e-9);
    near(backtest.size, 100 / 72.0, 1e-9);
    ck_assert(periods[4].is_hit);
    ck_assert_int_eq(periods[4].low, 0);
    /* Nothing ran in what is to be fitted. */
    for (int i = 0; i < 4; i++)
        periods[i].node_days = 0;
    ck_assert_int_eq(hc_backtest_run(&backtest, &err), HC_BAD_INPUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, negative_binomial);
    tcase_add_test(tests, clocks_run_in_use);
    tcase_add_test(tests, alike_times_are_a_number);
    tcase_add_test(tests, spread_times_have_a_family);
    tcase_add_test(tests, tails_that_nobody_saw);
    tcase_add_test(tests, gaps_tell_detection);
    tcase_add_test(tests, several_jobs_of_a_node_are_one_incident);
    tcase_add_test(tests, domains_have_their_exposure);
    tcase_add_test(tests, bursts_widen_rates);
    tcase_add_test(tests, remedies_follow_what_was_seen);
    tcase_add_test(tests, periods_are_foretold);
    tcase_add_test(tests, bursts_widen_what_is_foretold);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
