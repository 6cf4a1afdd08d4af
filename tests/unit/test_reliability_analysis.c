/* Trend, comparison of two times, lemon nodes, and incidents replayed: by hand, and against what
 * was simulated. */
#include "models/incidents/incident_times.h"
#include "models/incidents/reliability_analysis.h"
#include "models/stats/special.h"
#include "sim/engine/distribution.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS INT64_C(3600000000000)
#define DAY_NS  (24 * HOUR_NS)

static struct hc_error err;

/* A set with one source of nodes that were watched from day 10 to day 10 + days. */
static struct hc_incident_set watched(int32_t nodes, int64_t days)
{
    struct hc_incident_set set;
    ck_assert_int_eq(hc_incident_set_init(&set, &err), HC_OK);
    set.n_sources = 1;
    set.n_observations = 1;
    set.observations = calloc(1, sizeof *set.observations);
    ck_assert_ptr_nonnull(set.observations);
    set.observations[0] = (struct hc_observation){.group = HC_MISSING_I32,
                                                  .nodes = nodes,
                                                  .clock = HC_CLOCK_RELATIVE,
                                                  .start_ns = 10 * DAY_NS,
                                                  .end_ns = (10 + days) * DAY_NS};
    return set;
}

/* An incident of a node, hours after watching began, without an end. */
static struct hc_incident *add(struct hc_incident_set *set, const char *node, double at_h)
{
    set->incidents = realloc(set->incidents, (set->n + 1) * sizeof *set->incidents);
    ck_assert_ptr_nonnull(set->incidents);
    struct hc_incident *incident = &set->incidents[set->n++];
    *incident = (struct hc_incident){.time_ns = 10 * DAY_NS + (int64_t)(at_h * 3600e9),
                                     .recovered_ns = HC_MISSING_I64,
                                     .detected_ns = HC_MISSING_I64,
                                     .located_ns = HC_MISSING_I64,
                                     .group = HC_MISSING_I32,
                                     .node = HC_MISSING_I32,
                                     .cause = HC_CAUSE_GPU,
                                     .text = HC_MISSING_I32,
                                     .slot = HC_MISSING_I32,
                                     .part_of = HC_MISSING_I32,
                                     .replica = HC_MISSING_I32,
                                     .count = 1};
    if (node &&
        hc_text_set_add(&set->names.set[HC_NAMES_NODE], node, strlen(node), &incident->node, &err))
        ck_abort_msg("%s", err.message);
    return incident;
}

static struct hc_incident_choice choice(const struct hc_incident_set *set)
{
    struct hc_incident_choice c = {.set = set};
    c.is_cause[HC_CAUSE_GPU] = true;
    return c;
}

/* ---- replay ---- */

START_TEST(spreads_names_over_slots)
{
    struct hc_incident_set set = watched(9, 10);
    add(&set, "n10", 30);
    add(&set, "n9", 20);
    add(&set, "n2", 30);
    add(&set, "n2", 300)->cause = HC_CAUSE_CODE_CHANGE; /* not chosen, and too late */
    add(&set, "n2", 240);                               /* at the end */
    struct hc_incident_choice all = choice(&set);
    struct hc_incident_replay replay;
    ck_assert_int_eq(hc_incident_replay_open(&replay, &all, 9, &err), HC_OK);
    static const int32_t slots[] = {3, 0, 6}; /* n2, n9, n10 of nine */
    ck_assert_uint_eq(replay.n, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(replay.incidents[i].slot, slots[i]);
        ck_assert_int_eq(replay.incidents[i].at_ns, (i ? 30 : 20) * HOUR_NS);
    }
    ck_assert_int_eq(replay.n_together, 1);
    ck_assert_int_eq(replay.n_outside, 1);
    hc_incident_replay_close(&replay);
    all.from_d = 1; /* times count from there */
    ck_assert_int_eq(hc_incident_replay_open(&replay, &all, 4, &err), HC_OK);
    ck_assert_uint_eq(replay.n, 1);
    ck_assert_int_eq(replay.incidents[0].at_ns, 6 * HOUR_NS);
    ck_assert_int_eq(replay.n_beyond, 1);
    ck_assert_int_eq(replay.n_outside, 2);
    hc_incident_replay_close(&replay);
    add(&set, NULL, 50); /* somewhere: met only if all nodes are the job's */
    ck_assert_int_eq(hc_incident_replay_open(&replay, &all, 4, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_incident_replay_open(&replay, &all, 9, &err), HC_OK);
    ck_assert_int_eq(replay.incidents[replay.n - 1].slot, -1);
    hc_incident_replay_close(&replay);
    hc_incident_set_fini(&set);
}
END_TEST

/* ---- times between failures ---- */

/* Of 3 nodes over 10 days: one fails at 20 h, is down for 10 h, begins another incident meanwhile,
 * and fails again 50 h after it came back, 4 of which it was out for a planned change. */
START_TEST(counts_time_in_use)
{
    struct hc_incident_set set = watched(3, 10);
    add(&set, "a", 20)->recovered_ns = 10 * DAY_NS + 30 * HOUR_NS;
    add(&set, "a", 25)->recovered_ns = 10 * DAY_NS + 28 * HOUR_NS;
    struct hc_incident *planned = add(&set, "a", 40);
    planned->cause = HC_CAUSE_CODE_CHANGE;
    planned->recovered_ns = 10 * DAY_NS + 44 * HOUR_NS;
    add(&set, "a", 80)->recovered_ns = 10 * DAY_NS + 100 * HOUR_NS;
    add(&set, "b", -5)->recovered_ns = 10 * DAY_NS + 40 * HOUR_NS; /* down when watching begins */
    struct hc_incident_choice all = choice(&set);
    struct hc_survival s;
    ck_assert_int_eq(hc_survival_of_choice(&s, &all, HC_TIME_BETWEEN, &err), HC_OK);
    static const double hours[] = {20, 46, 140, 200, 240};
    ck_assert_uint_eq(s.n, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_double_eq(s.times[i].time, hours[i] * 3600);
        ck_assert(s.times[i].is_censored == (i > 1));
    }
    ck_assert_int_eq(s.n_events, 2);
    ck_assert_int_eq(s.n_overlapping, 1);
    double statistic, p;
    ck_assert(hc_laplace_trend(&s, &statistic, &p)); /* at 20, 25 and 80 of 240 h */
    double wanted = (125 / 3.0 - 120) / (240 * sqrt(1 / 36.0));
    ck_assert_double_eq_tol(statistic, wanted, 1e-12);
    ck_assert_double_eq_tol(p, erfc(-wanted / sqrt(2)), 1e-12);
    hc_survival_fini(&s);
    hc_incident_set_fini(&set);
}
END_TEST

/* ---- two times ---- */

static struct hc_rate_comparison compared(int64_t first, double first_days, int64_t second,
                                          double second_days)
{
    struct hc_reliability a = {.node_days = first_days}, b = {.node_days = second_days};
    a.rates[0].exposed = first;
    b.rates[0].exposed = second;
    return hc_compare_rates(&a, &b, HC_RATE_INFRASTRUCTURE);
}

/* p values are twice the smaller tail by scipy.stats.binom, ends of the ratio by its beta
 * quantiles. */
START_TEST(compares_rates)
{
    struct hc_rate_comparison c = compared(10, 1000, 25, 1000);
    ck_assert_double_eq_tol(c.ratio.value, 2.5, 1e-12);
    ck_assert_double_eq_tol(c.p_value, 0.0166738478001207, 1e-10);
    ck_assert_double_eq_tol(c.ratio.low, 1.15961897359224, 1e-8);
    ck_assert_double_eq_tol(c.ratio.high, 5.83271320033572, 1e-8);
    c = compared(419, 110592, 30, 5000);
    ck_assert_double_eq_tol(c.p_value, 0.0270593690305637, 1e-10);
    c = compared(0, 100, 3, 300);
    ck_assert_double_eq_tol(c.p_value, 2 * 0.75 * 0.75 * 0.75, 1e-12);
    ck_assert(isinf(c.ratio.value) && isinf(c.ratio.high) && c.ratio.low > 0);
    ck_assert_double_eq(compared(5, 100, 5, 100).p_value, 1);
    ck_assert(isnan(compared(0, 100, 0, 100).p_value));
    ck_assert(isnan(compared(3, 0, 2, 100).p_value));
    c = compared(200000, 1e6, 200000, 1e6);
    ck_assert_double_eq(c.p_value, 1);
}
END_TEST

/* ---- lemons ---- */

static const struct hc_lemon_options usual = {3, 28, 0.05};
static const struct hc_reliability_options no_options = {.nodes = 0};

/* 1,000 nodes, of which 50 fail at 20 times the rate of the others, over 10 windows. Returns the
 * share of those named that are no lemons. */
static double simulate(uint64_t seed, size_t *n_named, double *expected)
{
    struct hc_incident_set set = watched(1000, 280);
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 5, 0);
    char name[16];
    for (int node = 0; node < 1000; node++) {
        struct hc_distribution gap = hc_distribution_exponential(node < 50 ? 50 * 24 : 1000 * 24);
        snprintf(name, sizeof name, "n%d", node);
        for (double at = hc_distribution_draw(&gap, &rng); at < 280 * 24;
             at += hc_distribution_draw(&gap, &rng))
            add(&set, name, at);
    }
    struct hc_lemons lemons;
    ck_assert_int_eq(hc_find_lemons(&lemons, &set, &no_options, &usual, &err), HC_OK);
    ck_assert_int_eq(lemons.groups[0].n_windows, 10000);
    ck_assert_int_eq(lemons.n_windows, 10000);
    size_t n_false = 0;
    for (size_t i = 0; i < lemons.n_named; i++) {
        ck_assert(lemons.rows[i].is_named && lemons.rows[i].n_failures >= 1);
        ck_assert_double_eq_tol(lemons.rows[i].days, 28, 1e-9);
        n_false += atoi(set.names.set[HC_NAMES_NODE].text[lemons.rows[i].node] + 1) >= 50;
    }
    *n_named = lemons.n_named;
    *expected = lemons.expected_false;
    hc_lemons_fini(&lemons);
    hc_incident_set_fini(&set);
    return (double)n_false;
}

START_TEST(names_lemons)
{
    double n_false = 0, expected = 0;
    size_t n_named = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t n;
        double share;
        n_false += simulate(seed, &n, &share);
        ck_assert_msg(n > 5, "only %zu named with seed %d", n, (int)seed);
        ck_assert_double_le(share, 0.05 * (double)n);
        expected += share;
        n_named += n;
    }
    /* Two kinds of nodes are no gamma distribution, yet the share of wrong names stays in bounds.
     */
    ck_assert_msg(n_false <= 0.05 * (double)n_named, "%g of %zu are none, %g expected", n_false,
                  n_named, expected);
}
END_TEST

/* Nodes that do not differ: none is named. A failure that 5 nodes share is a fifth for each, unless
 * it is of their hardware. */
START_TEST(shares_failures)
{
    struct hc_incident_set set = watched(100, 28);
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++) {
        add(&set, names[i], 100)->cause = HC_CAUSE_SWITCH;
        add(&set, names[i], 200);
    }
    for (int i = 0; i < 6; i++)
        add(&set, "f", 300 + i);
    struct hc_lemons lemons;
    ck_assert_int_eq(hc_find_lemons(&lemons, &set, &no_options, &usual, &err), HC_OK);
    ck_assert_uint_eq(lemons.n, 6);
    ck_assert_double_eq_tol(lemons.groups[0].per_1000, 1000 * 12 / 2800.0, 1e-9);
    ck_assert_double_eq(lemons.rows[0].failures, 6);
    ck_assert(lemons.rows[0].is_named);
    ck_assert_double_eq_tol(lemons.rows[1].failures, 1.2, 1e-12);
    ck_assert_int_eq(lemons.rows[1].n_failures, 2);
    ck_assert_int_eq(lemons.rows[1].n_shared, 1);
    /* The posterior by its own formula. */
    double rate = 12 / 2800.0, a = lemons.groups[0].shape;
    ck_assert_double_eq_tol(lemons.rows[1].probability,
                            hc_sf_gamma_upper(a + 1.2, (a / rate + 28) * 3 * rate), 1e-12);
    hc_lemons_fini(&lemons);
    set.n = 5; /* one failure each of five: rates need not differ */
    for (int i = 0; i < 5; i++)
        set.incidents[i] = set.incidents[2 * i + 1];
    ck_assert_int_eq(hc_find_lemons(&lemons, &set, &no_options, &usual, &err), HC_OK);
    ck_assert_uint_eq(lemons.n, 5);
    ck_assert_uint_eq(lemons.n_named, 0);
    ck_assert(isinf(lemons.groups[0].shape));
    hc_lemons_fini(&lemons);
    hc_incident_set_fini(&set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reliability_analysis");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, spreads_names_over_slots);
    tcase_add_test(all, counts_time_in_use);
    tcase_add_test(all, compares_rates);
    tcase_add_test(all, names_lemons);
    tcase_add_test(all, shares_failures);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
