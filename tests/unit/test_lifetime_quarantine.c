/* Quarantine: by faults in a window, and of healthy nodes by mistake. */
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* 20 nodes out of 60, all free work: only what happens to nodes counts. The first cause strikes
 * ordinary nodes, the second lemons. */
struct life {
    struct hc_lifetime_config config;
    struct hc_lifetime_fault fault[2];
    struct hc_lifetime_replica out;
};

static struct life *life(double lemon_share)
{
    static struct life l;
    memset(&l, 0, sizeof l);
    l.config = hc_lifetime_config_defaults();
    l.config.job.nodes = 20;
    l.config.job.horizon_s = 1000 * DAY_S;
    for (int i = 0; i < 2; i++) {
        l.fault[i] = hc_lifetime_fault_defaults();
        l.fault[i].name = i ? "lemons" : "others";
        l.fault[i].per_day = i ? 0.3 : 0.1;
        l.fault[i].on_healthy = !i;
        l.fault[i].on_lemon = i;
    }
    l.config.fault = l.fault;
    l.config.n_faults = 2;
    l.config.lemon_share = lemon_share;
    l.config.recovery.pool_nodes = 60;
    l.config.repair.automatic_false = 1; /* lemons stay lemons */
    l.config.repair.quarantine_s = DAY_S;
    return &l;
}

static int64_t count(struct life *l, enum hc_lifetime_count which)
{
    if (hc_lifetime_run(&l->config, 0, 1, &l->out, &err))
        ck_abort_msg("%s", err.message);
    return l->out.count[which];
}

START_TEST(takes_healthy_nodes_by_mistake)
{
    struct life *l = life(0.25);
    l->config.repair.quarantine_false = 0.2;
    int64_t n = count(l, HC_COUNT_QUARANTINED_HEALTHY), of = l->out.faults[0];
    ck_assert_int_gt(of, 1000);
    ck_assert_int_gt(l->out.faults[1], 500);
    ck_assert_int_eq(l->out.count[HC_COUNT_QUARANTINED], n);
    ck_assert_double_eq_tol((double)n, 0.2 * (double)of, 3.3 * sqrt(0.16 * (double)of));
    l->config.repair.quarantine_false = 1;
    ck_assert_int_eq(count(l, HC_COUNT_QUARANTINED), l->out.faults[0]);
}
END_TEST

START_TEST(counts_who_was_no_lemon)
{
    struct life *l = life(0.25);
    l->config.repair.quarantine_faults = 1; /* all */
    l->config.repair.quarantine_window_s = 1000 * DAY_S;
    ck_assert_int_eq(count(l, HC_COUNT_QUARANTINED_HEALTHY), l->out.faults[0]);
    ck_assert_int_eq(l->out.count[HC_COUNT_QUARANTINED], l->out.faults[0] + l->out.faults[1]);
    /* Two faults in ten days are mostly lemons'; a true repair would make them healthy only then.
     */
    l->fault[0].per_day = 0.02;
    l->config.repair.quarantine_faults = 2;
    l->config.repair.quarantine_window_s = 10 * DAY_S;
    l->config.repair.automatic_false = 0;
    int64_t healthy = count(l, HC_COUNT_QUARANTINED_HEALTHY);
    ck_assert_int_gt(healthy, 0);
    ck_assert_int_lt(l->out.faults[1], 20); /* each lemon once */
    l->config.repair.automatic_false = 1;
    healthy = count(l, HC_COUNT_QUARANTINED_HEALTHY);
    ck_assert_int_gt(l->out.count[HC_COUNT_QUARANTINED] - healthy, 3 * healthy);
}
END_TEST

/* 1,000 s on ten nodes out of ten: an innocent node is checked for 50 s and out for 77 more. */
START_TEST(keeps_the_innocent_as_well)
{
    struct life *l = life(0);
    struct hc_lifetime_incident incident = {300, 3, 1};
    l->config.job = (struct hc_lifetime_job){.nodes = 10, .gpus_per_node = 8, .work_s = 1000};
    l->config.n_faults = 1;
    l->fault[0].per_day = 0;
    l->fault[0].on_lemon = 1;
    l->fault[0].incident = &incident;
    l->fault[0].n_incidents = 1;
    l->fault[0].remedy = HC_REMEDY_EVICT_GROUP;
    l->fault[0].group_nodes = 2;
    l->config.recovery.pool_nodes = 10;
    l->config.repair.innocent_s = hc_distribution_constant(50);
    l->config.repair.automatic_s = hc_distribution_constant(20);
    l->config.repair.quarantine_s = 77;
    ck_assert_int_eq(count(l, HC_COUNT_QUARANTINED), 0);
    ck_assert_int_eq(l->out.wall_ns, (int64_t)(300 + 50 + 1000) * 1000000000);
    l->config.repair.quarantine_false = 1;
    ck_assert_int_eq(count(l, HC_COUNT_QUARANTINED_HEALTHY), 2);
    ck_assert_int_eq(l->out.wall_ns, (int64_t)(300 + 127 + 1000) * 1000000000);
    l->config.lemon_share = 1;
    ck_assert_int_eq(count(l, HC_COUNT_QUARANTINED), 0);
    l->config.repair.quarantine_s = 0;
    ck_assert_int_eq(hc_lifetime_run(&l->config, 0, 1, &l->out, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "/repair/quarantine_s: 0 is no time in quarantine");
}
END_TEST

/* The faults before the first return are the same: quarantine draws from a stream of its own. */
START_TEST(other_draws_stay_what_they_were)
{
    struct life *l = life(0.25);
    l->config.job.horizon_s = 5 * DAY_S;
    l->config.repair.automatic_s = hc_distribution_exponential(0.1 * DAY_S);
    l->config.repair.quarantine_s = 1e-9; /* out, but for nothing */
    int64_t faults = count(l, HC_COUNT_FAULTS), wall_ns = l->out.wall_ns;
    struct hc_lifetime_replica before = l->out;
    l->config.repair.quarantine_false = 0.5;
    ck_assert_int_eq(count(l, HC_COUNT_FAULTS), faults);
    ck_assert_int_gt(l->out.count[HC_COUNT_QUARANTINED], 0);
    ck_assert_int_eq(l->out.wall_ns, wall_ns);
    /* Nodes that were out for a nanosecond were not free in it. */
    hc_gpu_ns *idle = &before.account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE];
    hc_gpu_ns out = *idle - hc_account_what(&l->out.account, HC_WHAT_POOL_IDLE);
    ck_assert(out > 0 &&
              out <= (hc_gpu_ns)l->out.count[HC_COUNT_QUARANTINED] * l->config.job.gpus_per_node);
    *idle -= out;
    ck_assert_mem_eq(&l->out.account, &before.account, sizeof before.account);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_quarantine");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, takes_healthy_nodes_by_mistake);
    tcase_add_test(tests, counts_who_was_no_lemon);
    tcase_add_test(tests, keeps_the_innocent_as_well);
    tcase_add_test(tests, other_draws_stay_what_they_were);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
