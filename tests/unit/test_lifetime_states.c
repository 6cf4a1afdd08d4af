/* The states of a lifetime one by one: recorded faults and constant times, so that each nanosecond
 * can be worked out by hand. */
#include "tests/support/hand_life.h"

#include <check.h>
#include <stdlib.h>

static struct hc_error err;

static struct life *life(void)
{
    static struct life l;
    life_init(&l);
    l.config.recovery.full_start_on_reschedule = false;
    return &l;
}

/* Run, and check when it ended and what was lost. */
static void lives(struct life *l, double wall_s, double lost_s)
{
    if (hc_lifetime_run(&l->config, 0, 1, &l->out, &err))
        ck_abort_msg("%s", err.message);
    ck_assert(l->out.finished);
    ck_assert_double_eq_tol((double)l->out.wall_ns * 1e-9, wall_s, 1e-8);
    ck_assert(hc_account_what(&l->out.account, HC_WHAT_LOST_WORK) ==
              (hc_gpu_ns)(lost_s * 1e9 + 0.5) * 80);
}

static void spent(const struct life *l, enum hc_what what, enum hc_why why, double node_s)
{
    ck_assert_msg(l->out.account.leaf[what][why] == (hc_gpu_ns)(node_s * 1e9 + 0.5) * 8,
                  "%s: %g GPU-s, not %g", hc_what_name(what),
                  (double)l->out.account.leaf[what][why] * 1e-9, node_s * 8);
}

START_TEST(evicts_to_a_standby)
{
    struct life *l = life();
    l->fault[0].detection.delay_s = hc_distribution_constant(10);
    l->fault[0].detection.localise_s = hc_distribution_constant(3);
    l->fault[0].remedy_s = hc_distribution_constant(2);
    l->config.recovery.warm_standbys = 1;
    l->config.recovery.wake_s = hc_distribution_constant(7);
    l->config.recovery.replenish_s = hc_distribution_constant(100);
    lives(l, 300 + 10 + 3 + 2 + 7 + 20 + 5 + 800, 50);
    spent(l, HC_WHAT_STARTUP_INIT, HC_WHY_FIRST_START, 50 * 10);
    spent(l, HC_WHAT_STARTUP_INIT, HC_WHY_INFRASTRUCTURE, 20 * 10);
    spent(l, HC_WHAT_STARTUP_LOAD, HC_WHY_INFRASTRUCTURE, 5 * 10);
    spent(l, HC_WHAT_DETECTION, HC_WHY_INFRASTRUCTURE, 10 * 10);
    spent(l, HC_WHAT_LOCALISATION, HC_WHY_INFRASTRUCTURE, 3 * 10);
    spent(l, HC_WHAT_RECOVERY, HC_WHY_INFRASTRUCTURE, 9 * 10);
    spent(l, HC_WHAT_PRODUCTIVE_IDEAL, HC_WHY_NONE, 1000 * 10);
    /* There until 315 s, and again from 415 s to the end. */
    spent(l, HC_WHAT_STANDBY_IDLE, HC_WHY_NONE, 315 + 1147 - 415);
    ck_assert_int_eq(l->out.unproductive_ns[0], 97000000000);
    ck_assert_int_eq(l->out.unproductive_ns[HC_LIFETIME_MAX_FAULTS], 50000000000);
}
END_TEST

START_TEST(loses_what_is_not_durable)
{
    struct life *l = life();
    l->config.checkpoint.durable_s = hc_distribution_constant(60);
    lives(l, 300 + 25 + 900, 150); /* the save of 200 s is in flight until 260 s */
    l->config.checkpoint.durable_s = hc_distribution_constant(49);
    lives(l, 300 + 25 + 800, 50);
    l = life();
    l->config.checkpoint.mode = HC_CHECKPOINT_NONE;
    l->config.checkpoint.load_s = hc_distribution_constant(0);
    lives(l, 300 + 20 + 1000, 250);
    l = life();
    l->config.checkpoint.mode = HC_CHECKPOINT_EVERY_STEP;
    l->config.checkpoint.every_s = 0;
    l->config.job.step_s = hc_distribution_constant(7);
    lives(l, 300 + 25 + 755, 5); /* 35 steps of 7 s */
    l = life();
    l->config.job.step_s = hc_distribution_constant(30);
    lives(l, 300 + 25 + 760, 10); /* every 100 s is every 4 steps */
}
END_TEST

START_TEST(size_and_bandwidth_add)
{
    struct life *l = life();
    l->config.checkpoint.save_bytes = 1e12;
    l->config.checkpoint.load_bytes_per_s = 1e11;    /* 10 s */
    l->config.checkpoint.stall_bytes_per_s = 2.5e11; /* 4 s */
    l->config.checkpoint.durable_bytes_per_s = 5e10; /* 20 s */
    /* 250 s: 100 + 4 + 100 + 4 + 42; then 800 s with a stall after each 100 but the last. */
    lives(l, 300 + 20 + 15 + 800 + 7 * 4, 42);
    spent(l, HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE, 9 * 4 * 10);
}
END_TEST

START_TEST(reschedules_and_requeues)
{
    struct life *l = life();
    l->config.recovery.reschedule_s = hc_distribution_constant(33);
    lives(l, 300 + 33 + 25 + 800, 50);
    l->config.recovery.full_start_on_reschedule = true;
    lives(l, 300 + 33 + 45 + 800, 50);
    l->config.recovery.shortfall = HC_SHORTFALL_REQUEUE;
    l->config.recovery.queue_s = hc_distribution_constant(400);
    lives(l, 300 + 400 + 45 + 800, 50);
    ck_assert_int_eq(l->out.queue_ns, 400000000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_REQUEUES], 1);
    l->config.recovery.queues_first = true; /* nothing of the job is there at 300 s */
    lives(l, 400 + 50 + 1000, 0);
    ck_assert_int_eq(l->out.first_queue_ns, 400000000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
    ck_assert_double_eq_tol(hc_lifetime_figure(&l->out, HC_FIGURE_ETTR_META), 1000. / 1450, 1e-15);
    ck_assert_double_eq_tol(hc_lifetime_figure(&l->out, HC_FIGURE_ETTR_BYTEROBUST), 1000. / 1050,
                            1e-15);
}
END_TEST

START_TEST(climbs_the_ladder)
{
    struct life *l = life();
    l->fault[0].remedy = HC_REMEDY_REATTEMPT;
    l->fault[0].helps = 0;
    l->fault[0].n_ladder = 1;
    l->fault[0].ladder[0] = HC_REMEDY_ROLLBACK;
    l->fault[0].rollback_checkpoints = 0;
    l->fault[0].detection.delay_s = hc_distribution_constant(10);
    lives(l, 300 + 2 * (10 + 25) + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_RECURRENCES], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    l = life();
    l->fault[0].detection.misdiagnosis = 1; /* the first eviction takes an innocent node */
    lives(l, 300 + 2 * 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 2);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 1);
    l = life();
    l->fault[0].remedy = HC_REMEDY_ROLLBACK;
    l->fault[0].rollback_checkpoints = 1;
    lives(l, 300 + 25 + 900, 150);
}
END_TEST

START_TEST(evicts_groups_and_domains)
{
    struct life *l = life();
    l->fault[0].remedy = HC_REMEDY_EVICT_GROUP;
    l->fault[0].group_nodes = 4;
    lives(l, 300 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 4);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 3);
    l->incident[0].nodes = 3; /* 3, 4, 5: two groups */
    lives(l, 300 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 8);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 5);
    l->fault[0].detection.replay_s = 30; /* two replays, and only who is at fault */
    lives(l, 300 + 60 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 3);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 0);
    l->incident[0].node = 12; /* not a node of this job */
    lives(l, 50 + 1000, 0);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
}
END_TEST

/* Records of the same time are one stop; of the same node, only the first counts. */
START_TEST(takes_records_together)
{
    struct life *l = life();
    l->fault[0].n_incidents = 2;
    l->incident[1] = (struct hc_lifetime_incident){300, 6, 2};
    lives(l, 300 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_FAULTS], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 3);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 0);
    l->incident[1].node = 3;
    lives(l, 300 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
    l->incident[1] = (struct hc_lifetime_incident){300.5, 6, 1}; /* not the same time */
    lives(l, 300 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
}
END_TEST

START_TEST(merges_changes)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->fault[0].effect = HC_EFFECT_NONE;
    l->fault[0].remedy = HC_REMEDY_HOT_UPDATE;
    l->fault[0].forced_after_s = 500;
    l->incident[1].at_s = 410; /* 360 s into the run */
    lives(l, 410 + 25 + 700, 60);
    ck_assert_int_eq(l->out.count[HC_COUNT_MERGED], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    l->config.n_faults = 1; /* forced at 800 s, 750 s into the run */
    lives(l, 800 + 25 + 300, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_MERGED], 0);
    l->fault[0].saves_first = true;
    lives(l, 800 + 25 + 250, 0);
    l->fault[0].forced_after_s = 0; /* at once */
    lives(l, 300 + 25 + 750, 0);
}
END_TEST

START_TEST(goes_on_slower)
{
    struct life *l = life();
    l->fault[0].effect = HC_EFFECT_SLOW;
    l->fault[0].slow_factor = 2;
    l->fault[0].remedy = HC_REMEDY_NONE;
    l->fault[0].lasts_s = hc_distribution_constant(100);
    lives(l, 50 + 1000 + 50, 0);
    spent(l, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_WHY_NONE, 50 * 10);
    spent(l, HC_WHAT_PRODUCTIVE_IDEAL, HC_WHY_NONE, 1000 * 10);
    ck_assert_int_eq(l->out.work_done_ns, 1000000000000);
    /* Noticed after 80 s, at 330 s of run time: the save of 300 s has 275 s of work. */
    l->fault[0].remedy = HC_REMEDY_EVICT;
    l->fault[0].lasts_s = hc_distribution_constant(0);
    l->fault[0].detection.delay_s = hc_distribution_constant(80);
    lives(l, 380 + 25 + 725, 30);
    /* Two at once: the slower decides. */
    l->config.n_faults = 2;
    l->fault[1] = l->fault[0];
    l->fault[1].incident = &l->incident[1];
    l->fault[1].slow_factor = 4;
    l->fault[0].remedy = l->fault[1].remedy = HC_REMEDY_NONE;
    l->fault[0].lasts_s = hc_distribution_constant(100);
    l->fault[1].lasts_s = hc_distribution_constant(60);
    lives(l, 50 + 1000 + 45 + 20, 0);
}
END_TEST

START_TEST(finds_corruption_late)
{
    struct life *l = life();
    l->fault[0].effect = HC_EFFECT_CORRUPT;
    l->fault[0].detection.delay_s = hc_distribution_constant(170);
    lives(l, 470 + 25 + 800, 220); /* back to the save of 200 s */
    ck_assert_int_eq(l->out.count[HC_COUNT_LATE_FINDS], 1);
    /* A stop in between loses its own; the corruption is found after the restart. */
    l->config.n_faults = 2;
    l->incident[1].at_s = 410;
    lives(l, 470 + 25 + 800, 60 + 100 + 35);
}
END_TEST

START_TEST(keeps_copies_in_memory)
{
    struct life *l = life();
    l->config.checkpoint.mode = HC_CHECKPOINT_IN_MEMORY;
    l->config.checkpoint.memory_nodes_lost = 2;
    l->config.checkpoint.memory_remote_every_s = 300;
    l->incident[0].at_s = 550; /* 500 s into the run; the fifth save is durable right then */
    lives(l, 550 + 25 + 500, 0);
    l->incident[0].nodes = 3; /* more than the copies stand: back to the remote save of 300 s */
    lives(l, 550 + 25 + 700, 200);
    l->incident[0].at_s = 300; /* no remote save yet, nothing to load */
    lives(l, 300 + 20 + 1000, 250);
    l->incident[0] = (struct hc_lifetime_incident){550, 3, 1};
    l->fault[0].remedy = HC_REMEDY_REQUEUE; /* all nodes are given back */
    lives(l, 550 + 45 + 700, 200);
    l->fault[0].remedy = HC_REMEDY_EVICT;
    l->config.recovery.shortfall = HC_SHORTFALL_REQUEUE;
    lives(l, 550 + 45 + 700, 200);
}
END_TEST

/* The save that a rollback gave up does not count towards the next remote one. */
START_TEST(counts_saves_between_remote_ones)
{
    struct life *l = life();
    l->config.checkpoint.mode = HC_CHECKPOINT_IN_MEMORY;
    l->config.checkpoint.memory_nodes_lost = 2;
    l->config.checkpoint.memory_remote_every_s = 300;
    l->config.n_faults = 2;
    l->fault[0].remedy = HC_REMEDY_ROLLBACK;
    l->fault[0].rollback_checkpoints = 1; /* at 250 s of work: back to 100 s, and on at 325 s */
    l->incident[1] = (struct hc_lifetime_incident){575, 0, 3}; /* at 350 s: back to 300 s */
    lives(l, 575 + 25 + 700, 150 + 50);
}
END_TEST

START_TEST(stops_as_planned)
{
    struct life *l = life();
    struct hc_lifetime_planned_stop stop = hc_lifetime_planned_stop_defaults();
    stop.name = "maintenance";
    stop.first_s = 300;
    stop.lasts_s = hc_distribution_constant(60);
    l->config.n_faults = 0;
    l->config.job.planned_stop = &stop;
    l->config.job.n_planned_stops = 1;
    l->config.checkpoint.stall_s = hc_distribution_constant(5);
    /* 240 s of steps until then; 5 s for the save; 760 s left, with 7 stalls. */
    lives(l, 300 + 5 + 60 + 25 + 760 + 35, 0);
    spent(l, HC_WHAT_RECOVERY, HC_WHY_PLANNED, 60 * 10);
    stop.saves_first = false;
    stop.full_start = true;
    lives(l, 300 + 60 + 45 + 800 + 35, 40);
    stop.every_s = 500; /* at 800 and 1,300 s again: each 395 s on, with 3 saves of 100 s */
    lives(l, 1300 + 60 + 45 + 200 + 5, 40 + 80 + 80);
}
END_TEST

START_TEST(gets_faster)
{
    struct life *l = life();
    struct hc_lifetime_code_change change = {"kernels", 300, 2};
    l->config.n_faults = 0;
    l->config.job.code_change = &change;
    l->config.job.n_code_changes = 1;
    lives(l, 300 + 25 + 375, 0);
    change.at_s = 10; /* while it starts: at no cost */
    lives(l, 50 + 500, 0);
    ck_assert_int_eq(l->out.count[HC_COUNT_MERGED], 1);
}
END_TEST

START_TEST(fails_to_start)
{
    struct life *l = life();
    l->config.strikes = HC_STRIKES_HELD;
    l->incident[0].at_s = 30;
    l->fault[0].detection.delay_s = hc_distribution_constant(9);
    lives(l, 30 + 9 + 20 + 1000, 0);
    spent(l, HC_WHAT_STARTUP_FAILED, HC_WHY_FIRST_START, 30 * 10);
    ck_assert_int_eq(l->out.count[HC_COUNT_FAILED_STARTS], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 0);
    l->config.strikes = HC_STRIKES_RUNNING;
    lives(l, 50 + 1000, 0);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
}
END_TEST

/* What strikes while the first fault is noticed is found when the job starts. */
START_TEST(strikes_always)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->incident[1].at_s = 305;
    l->fault[0].detection.delay_s = l->fault[1].detection.delay_s = hc_distribution_constant(9);
    lives(l, 300 + 9 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
    l->config.strikes = HC_STRIKES_ALWAYS;
    lives(l, 300 + 9 + 9 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 0);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    ck_assert_int_eq(l->out.stopped_ns, 43000000000);
    /* In the queue no nodes are held. */
    l->fault[0].remedy = HC_REMEDY_REQUEUE;
    l->config.recovery.queue_s = hc_distribution_constant(100);
    l->incident[1].at_s = 350;
    lives(l, 300 + 9 + 100 + 45 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
}
END_TEST

START_TEST(follows_nodes_of_a_pool)
{
    struct life *l = life();
    l->config.recovery.pool_nodes = 10;
    l->config.repair.automatic_s = hc_distribution_constant(100);
    lives(l, 300 + 100 + 25 + 800, 50); /* waits for its own node */
    ck_assert_int_eq(l->out.count[HC_COUNT_WAITS], 1);
    l->config.repair.to_manual = 1;
    l->config.repair.manual_s = hc_distribution_constant(1000);
    lives(l, 300 + 1100 + 25 + 800, 50);
    l->config.recovery.spare_nodes = 1;
    l->config.recovery.preempt_s = hc_distribution_constant(60);
    lives(l, 300 + 60 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_PREEMPTED], 1);
    l->config.recovery.spare_nodes = 0;
    l->config.repair.to_manual = 0;
    l->config.repair.quarantine_faults = 1;
    l->config.repair.quarantine_s = 77;
    l->config.repair.quarantine_window_s = 1000;
    lives(l, 300 + 177 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_QUARANTINED], 1);
    l->config.repair.retire = 1; /* and now there are nine nodes for ten */
    ck_assert_int_eq(hc_lifetime_run(&l->config, 0, 1, &l->out, &err), HC_OK);
    ck_assert(l->out.starved && !l->out.finished);
    ck_assert_int_eq(l->out.wall_ns, 400000000000);
}
END_TEST

/* Two nodes go where one stands by: it is used at once, another is ordered, and the job waits for
 * the second. */
START_TEST(orders_standbys_that_were_too_few)
{
    struct life *l = life();
    l->incident[0].nodes = 2;
    l->config.recovery.pool_nodes = 14;
    l->config.recovery.warm_standbys = 1;
    l->config.recovery.replenish_s = hc_distribution_constant(100);
    l->config.recovery.reschedule_s = hc_distribution_constant(30);
    l->config.repair.automatic_s = hc_distribution_constant(1e6);
    lives(l, 300 + 30 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_STANDBYS_USED], 1);
    spent(l, HC_WHAT_STANDBY_IDLE, HC_WHY_NONE, 300 + 1155 - 400);
    spent(l, HC_WHAT_POOL_IDLE, HC_WHY_NONE, 330 * 3 + 70 * 2 + 1155 - 400);
    l->config.recovery.pool_nodes = 11; /* none is free: one wait for both repairs */
    l->config.repair.automatic_s = hc_distribution_constant(150);
    lives(l, 300 + 150 + 25 + 800, 50);
    ck_assert_int_eq(l->out.count[HC_COUNT_WAITS], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_STANDBYS_USED], 1);
}
END_TEST

START_TEST(ends_at_the_horizon)
{
    struct life *l = life();
    for (double at = 0.5; at < 500; at += 7.25) { /* in every state that the life goes through */
        l->config.job.horizon_s = at;
        l->fault[0].detection.delay_s = hc_distribution_constant(31);
        l->config.recovery.shortfall = HC_SHORTFALL_REQUEUE;
        l->config.recovery.queue_s = hc_distribution_constant(40);
        ck_assert_int_eq(hc_lifetime_run(&l->config, 0, 1, &l->out, &err), HC_OK);
        ck_assert(!l->out.finished);
        ck_assert_int_eq(l->out.wall_ns, (int64_t)(at * 1e9));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_states");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, evicts_to_a_standby);
    tcase_add_test(tests, loses_what_is_not_durable);
    tcase_add_test(tests, size_and_bandwidth_add);
    tcase_add_test(tests, reschedules_and_requeues);
    tcase_add_test(tests, climbs_the_ladder);
    tcase_add_test(tests, evicts_groups_and_domains);
    tcase_add_test(tests, takes_records_together);
    tcase_add_test(tests, merges_changes);
    tcase_add_test(tests, goes_on_slower);
    tcase_add_test(tests, finds_corruption_late);
    tcase_add_test(tests, keeps_copies_in_memory);
    tcase_add_test(tests, counts_saves_between_remote_ones);
    tcase_add_test(tests, stops_as_planned);
    tcase_add_test(tests, gets_faster);
    tcase_add_test(tests, fails_to_start);
    tcase_add_test(tests, strikes_always);
    tcase_add_test(tests, follows_nodes_of_a_pool);
    tcase_add_test(tests, orders_standbys_that_were_too_few);
    tcase_add_test(tests, ends_at_the_horizon);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
