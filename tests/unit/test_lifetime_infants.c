/* Nodes that fail sooner after a repair: one node in a pool of one is a renewal process whose times
 * have the rate factor * rate for the infancy, and rate from then on. */
#include "tests/support/lifetime_case.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

/* One node, n causes of 1 and 2 faults a day; the repair takes 0.1 days, the start-up another 0.3,
 * which are no exposure. */
struct lone {
    struct hc_lifetime_fault fault[2];
    struct hc_lifetime_phase phase;
    struct hc_lifetime_config config;
};

static void lone_init(struct lone *l, size_t n, double factor, double infant_s)
{
    struct hc_lifetime_config *c = &l->config;
    *c = hc_lifetime_config_defaults();
    for (size_t i = 0; i < 2; i++) {
        l->fault[i] = hc_lifetime_fault_defaults();
        l->fault[i].name = i ? "second" : "first";
        l->fault[i].per_day = i ? 2 : 1;
        l->fault[i].infant_factor = factor;
        l->fault[i].infant_s = infant_s;
    }
    l->phase = hc_lifetime_phase_defaults();
    l->phase.first_s = l->phase.full_s = l->phase.hot_s = hc_distribution_constant(0.3 * DAY_S);
    c->fault = l->fault;
    c->n_faults = n;
    c->startup.phase = &l->phase;
    c->startup.n_phases = 1;
    c->job.horizon_s = 400 * DAY_S;
    c->checkpoint.mode = HC_CHECKPOINT_ASYNC; /* nothing is lost */
    c->checkpoint.every_s = 0.001;
    c->recovery.pool_nodes = 1;
    c->repair.automatic_s = hc_distribution_constant(0.1 * DAY_S);
    c->replicas = 60;
}

/* rate: of all causes together, per day. */
static void agrees(struct lone *l, double rate, double factor, double infant_d)
{
    struct hc_lifetime_summary sum;
    ck_assert_int_eq(hc_lifetime_simulate(&l->config, &sum, &err), HC_OK);
    double survives = exp(-factor * rate * infant_d);
    double up = (1 - survives) / (factor * rate) + survives / rate;
    const struct hc_moments *ettr = &sum.figure[HC_FIGURE_ETTR_META];
    ck_assert_double_eq_tol(ettr->mean, up / (up + 0.4), hc_moments_half_width(ettr, 0.999));
    const struct hc_moments *faults = &sum.count[HC_COUNT_FAULTS];
    ck_assert_double_eq_tol(faults->mean, 400 / (up + 0.4),
                            hc_moments_half_width(faults, 0.999) + 1); /* the first is no infant */
    double n = faults->mean * faults->n, p = 1 - survives;
    double infants = sum.count[HC_COUNT_INFANT_FAULTS].mean * faults->n;
    ck_assert_double_gt(n, 10000);
    ck_assert_double_eq_tol(infants, (n - faults->n) * p, 3.3 * sqrt(n * p * (1 - p)) + 60 * p);
}

START_TEST(fails_as_a_renewal_with_two_rates)
{
    struct lone l;
    lone_init(&l, 1, 5, 0.2 * DAY_S);
    agrees(&l, 1, 5, 0.2);
    lone_init(&l, 1, 0.25, 1.5 * DAY_S);
    agrees(&l, 1, 0.25, 1.5);
    lone_init(&l, 1, 0, 0.5 * DAY_S); /* never in its infancy */
    agrees(&l, 1, 1e-9, 0.5);
}
END_TEST

START_TEST(two_causes_have_two_clocks)
{
    struct lone l;
    lone_init(&l, 2, 3, 0.2 * DAY_S);
    agrees(&l, 3, 3, 0.2);
}
END_TEST

START_TEST(devices_and_lemons_have_their_own_rate)
{
    struct lone l;
    lone_init(&l, 1, 4, 0.1 * DAY_S);
    l.fault[0].unit = HC_PER_DEVICE;
    l.fault[0].per_day = 0.1;
    l.fault[0].on_lemon = 3;
    l.config.lemon_share = 1;
    l.config.repair.automatic_false = 1; /* stays a lemon */
    agrees(&l, 0.1 * 8 * 3, 4, 0.1);
}
END_TEST

/* A reattempt leaves the node where it is: faults of the infancy go on coming until it ends. */
START_TEST(infancy_goes_on_after_a_fault)
{
    struct lone l;
    struct hc_lifetime_summary sum;
    lone_init(&l, 2, 1, 0);
    l.fault[0].infant_factor = 20;
    l.fault[0].infant_s = 0.5 * DAY_S;
    l.fault[0].remedy = HC_REMEDY_REATTEMPT;
    l.fault[1].per_day = 0.25;
    ck_assert_int_eq(hc_lifetime_simulate(&l.config, &sum, &err), HC_OK);
    /* For each repair, which faults of the second cause bring, min(infancy, exponential) of
     * exposure at a rate of 20 a day. */
    double seen = (1 - exp(-0.25 * 0.5)) / 0.25 * 20;
    double repairs = sum.count[HC_COUNT_REPAIRS].mean;
    const struct hc_moments *infants = &sum.count[HC_COUNT_INFANT_FAULTS];
    ck_assert_double_gt(repairs, 20);
    ck_assert_double_eq_tol(infants->mean, repairs * seen,
                            hc_moments_half_width(infants, 0.999) + seen / 2);
}
END_TEST

/* Which faults strike does not change before the first repair. */
START_TEST(arrivals_stay_what_they_were)
{
    struct hc_lifetime_replica out[2];
    struct lone l;
    for (int i = 0; i < 2; i++) {
        lone_init(&l, 1, i ? 7 : 1, i ? 3600 : 0);
        l.config.job.horizon_s = 3 * DAY_S;
        l.config.repair.automatic_s = hc_distribution_constant(10 * DAY_S);
        ck_assert_int_eq(hc_lifetime_run(&l.config, 3, 1, &out[i], &err), HC_OK);
    }
    ck_assert_int_eq(out[0].count[HC_COUNT_FAULTS], 1);
    ck_assert_mem_eq(&out[0], &out[1], sizeof out[0]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_infants");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fails_as_a_renewal_with_two_rates);
    tcase_add_test(tests, two_causes_have_two_clocks);
    tcase_add_test(tests, devices_and_lemons_have_their_own_rate);
    tcase_add_test(tests, infancy_goes_on_after_a_fault);
    tcase_add_test(tests, arrivals_stay_what_they_were);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
