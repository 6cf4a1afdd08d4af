/* Copies in memory by parallel shape, and the eviction of parallel groups. */
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* 1,000 s of work, saved in memory every 100 s and remotely every 300 s; start-up 50 s at first,
 * then 20 and 5 to load. The incident is 500 s into the run, when the fifth save is there. Nodes of
 * 2 GPUs: node dp + DP * pp has both tp ranks. */
struct life {
    struct hc_lifetime_config config;
    struct hc_lifetime_fault fault;
    struct hc_lifetime_incident incident[2];
    struct hc_lifetime_phase phase;
    struct hc_lifetime_replica out;
};

static struct life *life(int32_t pp, int32_t dp)
{
    static struct life l;
    memset(&l, 0, sizeof l);
    l.config = hc_lifetime_config_defaults();
    l.config.job.nodes = pp * dp;
    l.config.job.gpus_per_node = 2;
    l.config.job.parallel = (struct hc_lifetime_parallel){.tp = 2, .pp = pp, .dp = dp};
    l.config.job.work_s = 1000;
    l.phase = hc_lifetime_phase_defaults();
    l.phase.first_s = hc_distribution_constant(50);
    l.phase.full_s = l.phase.hot_s = hc_distribution_constant(20);
    l.config.startup.phase = &l.phase;
    l.config.startup.n_phases = 1;
    l.config.checkpoint.mode = HC_CHECKPOINT_IN_MEMORY;
    l.config.checkpoint.every_s = 100;
    l.config.checkpoint.memory_remote_every_s = 300;
    l.config.checkpoint.load_s = hc_distribution_constant(5);
    l.fault = hc_lifetime_fault_defaults();
    l.fault.name = "any";
    l.fault.incident = l.incident;
    l.fault.n_incidents = 1;
    l.config.fault = &l.fault;
    l.config.n_faults = 1;
    return &l;
}

static void strikes(struct life *l, int32_t node, int32_t nodes)
{
    l->incident[0] = (struct hc_lifetime_incident){550, node, nodes};
    if (hc_lifetime_run(&l->config, 0, 1, &l->out, &err))
        ck_abort_msg("%s", err.message);
    ck_assert(l->out.finished);
}

static void keeps(struct life *l, int32_t node, int32_t nodes)
{
    strikes(l, node, nodes);
    ck_assert_int_eq(l->out.wall_ns, (int64_t)(550 + 25 + 500) * 1000000000);
}

static void loses(struct life *l, int32_t node, int32_t nodes)
{
    strikes(l, node, nodes);
    ck_assert_int_eq(l->out.wall_ns, (int64_t)(550 + 25 + 700) * 1000000000);
}

START_TEST(groups_are_survived)
{
    static const struct {
        int32_t group, evicted;
    } groups[] = {{HC_GROUP_TP, 1}, {HC_GROUP_DP, 2}, {HC_GROUP_PP, 4}};
    struct life *l = life(4, 2);
    l->fault.remedy = HC_REMEDY_EVICT_GROUP;
    for (size_t i = 0; i < 3; i++)
        for (int32_t node = 0; node < 8; node++) {
            l->fault.group = groups[i].group;
            keeps(l, node, 1);
            ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], groups[i].evicted);
            ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], groups[i].evicted - 1);
        }
    /* Two stages of one replica: the groups of both, 1 3 5 7 once. */
    l->fault.group = HC_GROUP_DP;
    loses(l, 3, 4); /* dp groups of 3, 4, 5, 6: all but 0 and 1, and 2 and 7 are a pair */
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 6);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 2);
}
END_TEST

START_TEST(pairs_are_not)
{
    struct life *l = life(2, 2); /* 0 and 3, 1 and 2 keep each other's */
    for (int32_t node = 0; node < 4; node++)
        keeps(l, node, 1);
    keeps(l, 0, 2);
    keeps(l, 2, 2);
    loses(l, 1, 2);
    loses(l, 0, 3);
    l = life(4, 2); /* 0 and 5, 1 and 4, 2 and 7, 3 and 6 */
    keeps(l, 1, 3);
    loses(l, 1, 4);
    /* One after the other: the copies are whole again with the restart. */
    l = life(2, 2);
    l->fault.n_incidents = 2;
    l->incident[1] = (struct hc_lifetime_incident){600, 2, 1};
    strikes(l, 1, 1);
    ck_assert_int_eq(l->out.wall_ns, (int64_t)(600 + 25 + 500) * 1000000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 2);
}
END_TEST

START_TEST(a_requeue_takes_all_copies)
{
    struct life *l = life(4, 2);
    l->fault.remedy = HC_REMEDY_REQUEUE;
    loses(l, 0, 1);
    l->fault.remedy = HC_REMEDY_EVICT;
    l->config.recovery.shortfall = HC_SHORTFALL_REQUEUE;
    loses(l, 0, 1);
    l->fault.remedy = HC_REMEDY_REATTEMPT;
    keeps(l, 0, 1);
}
END_TEST

static void refused(struct life *l, const char *said)
{
    ck_assert_int_eq(hc_lifetime_run(&l->config, 0, 1, &l->out, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, said);
}

START_TEST(shapes_must_fit)
{
    struct life *l = life(4, 2);
    l->config.job.nodes = 10;
    refused(l, "/job/parallel: tp 2, pp 4 and dp 2 are 16 ranks, not the 20 GPUs of the job");
    l = life(4, 2);
    l->config.job.parallel.dp = 0;
    refused(l, "/job/parallel: has not all of tp, pp and dp");
    l = life(1, 1);
    refused(l, "/job/parallel: rank 0 and its copy, on rank 1, would be on the same node");
    l->config.checkpoint.mode = HC_CHECKPOINT_ASYNC; /* no copies */
    l->config.checkpoint.memory_remote_every_s = 0;
    strikes(l, 0, 1);
    l = life(4, 2);
    l->config.checkpoint.memory_nodes_lost = 1;
    refused(l, "/checkpoint/memory_nodes_lost: /job/parallel says already which evictions lose the "
               "copies");
    l = life(4, 2);
    l->config.elastic =
        (struct hc_lifetime_elastic){.on = true, .dp_replicas = 2, .min_replicas = 1};
    refused(l, "/elastic/dp_replicas: 2 replicas of nodes in a row are not the dp replicas of "
               "/job/parallel");
    l = life(1, 4);
    l->config.elastic =
        (struct hc_lifetime_elastic){.on = true, .dp_replicas = 4, .min_replicas = 1};
    strikes(l, 0, 1);
    l->config.job.parallel = (struct hc_lifetime_parallel){0};
    l->fault.group = HC_GROUP_PP;
    refused(l, "/faults/any/group: parallel groups need /job/parallel");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_backups");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, groups_are_survived);
    tcase_add_test(tests, pairs_are_not);
    tcase_add_test(tests, a_requeue_takes_all_copies);
    tcase_add_test(tests, shapes_must_fit);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
