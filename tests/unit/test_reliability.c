/* Counts, rates, repair and availability of incidents made by hand. */
#include "models/incidents/reliability.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS INT64_C(3600000000000)
#define DAY_NS  (24 * HOUR_NS)

/* A set with one source of 10 nodes watched for 100 days. */
struct fixture {
    struct hc_incident_set set;
    struct hc_incident incidents[16];
    struct hc_observation observations[4];
    struct hc_reliability_options options;
    struct hc_reliability result;
    struct hc_error err;
};

static void start(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->set.incidents = f->incidents;
    f->set.observations = f->observations;
    f->set.n_sources = 1;
    f->set.n_observations = 1;
    f->observations[0] = (struct hc_observation){
        .group = HC_MISSING_I32, .nodes = 10, .clock = HC_CLOCK_RELATIVE, .end_ns = 100 * DAY_NS};
}

/* An incident of a node from hour start to hour end; a negative end is not known. */
static struct hc_incident *add(struct fixture *f, int32_t node, int64_t start_h, int64_t end_h)
{
    struct hc_incident *incident = &f->incidents[f->set.n++];
    *incident = (struct hc_incident){.time_ns = start_h * HOUR_NS,
                                     .recovered_ns = end_h < 0 ? HC_MISSING_I64 : end_h * HOUR_NS,
                                     .group = HC_MISSING_I32,
                                     .node = node,
                                     .cause = HC_CAUSE_GPU,
                                     .text = HC_MISSING_I32,
                                     .slot = HC_MISSING_I32,
                                     .part_of = HC_MISSING_I32,
                                     .replica = HC_MISSING_I32,
                                     .count = 1};
    return incident;
}

static void compute(struct fixture *f)
{
    ck_assert_int_eq(hc_reliability_compute(&f->result, &f->set, &f->options, &f->err), HC_OK);
}

/* Node 0: 0-10, 5-20 (overlaps), 8-9 (within), 20-30 (touches: no overlap). Node 1: 50-60, open. */
START_TEST(test_overlaps)
{
    struct fixture f;
    start(&f);
    add(&f, 0, 5, 20);
    add(&f, 1, 50, 60);
    add(&f, 0, 0, 10);
    add(&f, 0, 20, 30);
    add(&f, 0, 8, 9);
    add(&f, 1, 70, -1);
    compute(&f);
    ck_assert_int_eq(f.result.n_incidents, 6);
    ck_assert_int_eq(f.result.n_nodes_struck, 2);
    ck_assert_int_eq(f.result.n_repeats, 4);
    ck_assert_int_eq(f.result.n_overlapping, 2);
    ck_assert_int_eq(f.result.n_no_end, 1);
    ck_assert_int_eq(f.result.n_outages, 3); /* 0-20, 20-30, 50-60 */
    ck_assert_double_eq_tol(f.result.down_node_days, 40.0 / 24, 1e-12);
    ck_assert_double_eq_tol(f.result.availability, 1 - 40.0 / 24000, 1e-12);
    ck_assert_double_eq_tol(f.result.mttr_h, (15 + 10 + 10 + 10 + 1) / 5.0, 1e-12);
    ck_assert_double_eq_tol(f.result.all.repair_median_s, 36000, 1e-9);
    const struct hc_reliability_rate *rate = &f.result.rates[HC_RATE_INFRASTRUCTURE];
    ck_assert_double_eq_tol(rate->per_1000.value, 6, 1e-12);
    ck_assert_double_eq_tol(rate->per_1000.low, 2.201894, 1e-6);
    ck_assert_double_eq_tol(rate->per_1000.high, 13.059474, 1e-6);
    ck_assert_double_eq_tol(rate->mttf_node_h.value, 4000, 1e-9);
    ck_assert_double_eq_tol(rate->mttf_fleet_h.value, 400, 1e-9);
    ck_assert_double_eq_tol(rate->mttf_fleet_h.low, 2400 / 13.059474, 1e-3);
    ck_assert_double_eq_tol(rate->mtbf_node_h, (24000 - 40) / 6.0, 1e-9);
    hc_reliability_fini(&f.result);
}
END_TEST

/* Availability is MTBF / (MTBF + MTTR) over merged outages, whatever the incidents. */
START_TEST(test_availability)
{
    struct fixture f;
    start(&f);
    for (int i = 0; i < 12; i++)
        add(&f, i % 5, 7 * i, 7 * i + 1 + i);
    compute(&f);
    double outages = (double)f.result.n_outages, up = 1000 - f.result.down_node_days;
    double mtbf = up / outages, mttr = f.result.down_node_days / outages;
    ck_assert_double_eq_tol(f.result.availability, mtbf / (mtbf + mttr), 1e-12);
    hc_reliability_fini(&f.result);
}
END_TEST

START_TEST(test_origins)
{
    struct fixture f;
    start(&f);
    add(&f, 0, 1, 2);
    add(&f, 1, 1, 2)->cause = HC_CAUSE_HANG;
    add(&f, 2, 1, 2)->cause = HC_CAUSE_PROGRAM;
    add(&f, 3, 1, 2)->cause = HC_CAUSE_CODE_CHANGE;
    struct hc_incident *many = add(&f, HC_MISSING_I32, 0, -1);
    many->time_ns = HC_MISSING_I64;
    many->count = 10;
    compute(&f);
    ck_assert_int_eq(f.result.rates[HC_RATE_INFRASTRUCTURE].count, 11);
    ck_assert_int_eq(f.result.rates[HC_RATE_WITH_UNKNOWN].count, 12);
    ck_assert_int_eq(f.result.rates[HC_RATE_UNPLANNED].count, 13);
    ck_assert_int_eq(f.result.n_incidents, 14);
    ck_assert_int_eq(f.result.n_no_time, 10);
    ck_assert_int_eq(f.result.n_nodes_struck, 4);
    ck_assert_uint_eq(f.result.origins.n, 4);
    ck_assert_double_eq_tol(f.result.origins.rows[0].share, 11.0 / 14, 1e-15);
    ck_assert_int_eq(f.result.causes.rows[0].key, HC_CAUSE_GPU);
    hc_reliability_fini(&f.result);
}
END_TEST

/* What a source leaves open is filled by options, or leaves its incidents out of rates. */
START_TEST(test_exposure)
{
    struct fixture f;
    start(&f);
    f.set.n_observations = 2;
    f.observations[1] = f.observations[0];
    f.observations[1].group = 7;
    f.observations[1].nodes = HC_MISSING_I32;
    add(&f, 0, 1, 2);
    add(&f, 1, 1, 2)->group = 7;
    add(&f, 2, 2401, 2402); /* after the end of the watch */
    compute(&f);
    ck_assert_uint_eq(f.result.n_groups_known, 1);
    ck_assert_int_eq(f.result.n_exposed, 1);
    ck_assert_double_eq_tol(f.result.node_days, 1000, 1e-12);
    hc_reliability_fini(&f.result);
    f.options.nodes = 5;
    compute(&f);
    ck_assert_int_eq(f.result.n_exposed, 2);
    ck_assert_double_eq_tol(f.result.node_days, 1500, 1e-12);
    hc_reliability_fini(&f.result);
    f.options =
        (struct hc_reliability_options){.has_to = true, .is_relative = true, .to_ns = 50 * DAY_NS};
    compute(&f);
    ck_assert_double_eq_tol(f.result.node_days, 500, 1e-12);
    ck_assert_int_eq(f.result.n_out_of_window, 1);
    hc_reliability_fini(&f.result);
    f.options.is_relative = false;
    ck_assert_int_eq(hc_reliability_compute(&f.result, &f.set, &f.options, &f.err), HC_USAGE);
}
END_TEST

START_TEST(test_nothing)
{
    struct fixture f;
    start(&f);
    compute(&f);
    ck_assert_int_eq(f.result.n_incidents, 0);
    ck_assert_double_eq_tol(f.result.rates[0].per_1000.high, 3.688879, 1e-6);
    ck_assert(isnan(f.result.mttr_h));
    ck_assert_uint_eq(f.result.causes.n, 0);
    hc_reliability_fini(&f.result);
}
END_TEST

START_TEST(test_months)
{
    struct fixture f;
    start(&f);
    f.observations[0].clock = HC_CLOCK_UNIX;
    add(&f, 0, 0, 1);
    add(&f, 0, 31 * 24 - 1, -1);
    add(&f, 0, 31 * 24, -1);
    compute(&f);
    ck_assert_uint_eq(f.result.months.n, 2);
    ck_assert_int_eq(f.result.months.rows[0].key, HC_CALENDAR_MONTHS + 1970 * 12);
    ck_assert_int_eq(f.result.months.rows[0].count, 2);
    hc_reliability_fini(&f.result);
}
END_TEST

/* The names of causes are all different, and found. */
START_TEST(test_taxonomy)
{
    for (int i = 0; i < HC_N_INCIDENT_CAUSES; i++) {
        const char *name = hc_incident_cause_info((enum hc_incident_cause)i)->name;
        ck_assert_int_eq(hc_incident_cause_find(name, strlen(name)), i);
    }
    ck_assert_int_eq(hc_incident_cause_find("hardware", 8), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reliability");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, test_overlaps);
    tcase_add_test(tests, test_availability);
    tcase_add_test(tests, test_origins);
    tcase_add_test(tests, test_exposure);
    tcase_add_test(tests, test_nothing);
    tcase_add_test(tests, test_months);
    tcase_add_test(tests, test_taxonomy);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
