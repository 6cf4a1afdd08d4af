/* Jobs that go on with fewer replicas: by hand, against the share of an alternating renewal, and
 * booked to the nanosecond whatever happens. */
#include "sim/lifetime/lifetime_trace.h"
#include "tests/support/hand_life.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* As in hand_life.h, in 5 replicas of 2 nodes. Incidents are noticed after 10 s, placed after 3 and
 * treated for 2; another node takes 100 s, and 20 to start. To leave costs 4 s, to rejoin 6. */
static struct life *life(void)
{
    static struct life l;
    life_init(&l);
    for (int i = 0; i < 2; i++) {
        l.fault[i].detection.delay_s = hc_distribution_constant(10);
        l.fault[i].detection.localise_s = hc_distribution_constant(3);
        l.fault[i].remedy_s = hc_distribution_constant(2);
    }
    l.config.recovery.reschedule_s = hc_distribution_constant(100);
    l.config.recovery.full_start_on_reschedule = false;
    l.config.elastic.on = true;
    l.config.elastic.dp_replicas = 5;
    l.config.elastic.min_replicas = 1;
    l.config.elastic.leave_s = hc_distribution_constant(4);
    l.config.elastic.rejoin_s = hc_distribution_constant(6);
    return &l;
}

static void lives(struct life *l, double wall_s)
{
    if (hc_lifetime_run(&l->config, 0, 1, &l->out, &err))
        ck_abort_msg("%s", err.message);
    ck_assert(l->out.finished);
    ck_assert_double_eq_tol((double)l->out.wall_ns * 1e-9, wall_s, 5e-9);
}

static hc_gpu_ns gpu_ns(double node_s)
{
    return (hc_gpu_ns)(node_s * 1e9 + 0.5) * 8;
}

static void spent(const struct life *l, enum hc_what what, double node_s)
{
    ck_assert_msg(hc_account_what(&l->out.account, what) == gpu_ns(node_s),
                  "%s: %.9f node-s, not %g", hc_what_name(what),
                  (double)hc_account_what(&l->out.account, what) * 1e-9 / 8, node_s);
}

START_TEST(goes_on_without_a_replica)
{
    struct life *l = life();
    /* 300, 315 evicted, 319 on with 4 of 5 replicas, 415 there, 435 started, 441 all on: 250 + 116
     * * 0.8 done. */
    lives(l, 441 + 1000 - 250 - 116 * 0.8);
    spent(l, HC_WHAT_LOST_WORK, 0);
    spent(l, HC_WHAT_PRODUCTIVE_IDEAL, 1000 * 10);
    spent(l, HC_WHAT_DEGRADED,
          116 + 20); /* the other node of the replica, and the one that starts */
    ck_assert(l->out.account.leaf[HC_WHAT_DEGRADED][HC_WHY_INFRASTRUCTURE] == gpu_ns(136));
    spent(l, HC_WHAT_DETECTION, 10 * 10);
    spent(l, HC_WHAT_RECOVERY, 2 * 10 + 4 * 9 + 6 * 10);
    spent(l, HC_WHAT_STARTUP_INIT, 50 * 10);
    spent(l, HC_WHAT_STARTUP_LOAD, 0);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(100));
    ck_assert_int_eq(l->out.productive_ns, 1000000000000);
    ck_assert_int_eq(l->out.unproductive_ns[0], (15 + 4 + 6) * 1000000000ll + 23200000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_LEAVES], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_REJOINS], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    ck_assert_int_eq(l->out.stopped_ns, 19000000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_RESCHEDULES], 1);
}
END_TEST

START_TEST(stands_below_the_fewest_replicas)
{
    struct life *l = life();
    l->config.elastic.min_replicas = 5;
    lives(l, 315 + 100 + 25 + 800);
    spent(l, HC_WHAT_LOST_WORK, 50 * 10);
    spent(l, HC_WHAT_DEGRADED, 0);
    ck_assert_int_eq(l->out.count[HC_COUNT_LEAVES], 0);
    ck_assert(l->out.absent_gpu_ns == 0);
    /* A second fault, of a node of another replica, stands for its own node only: from 350 to 365
     * and 100 s on; the first is back with the restart. 250 + 31 * 0.8 were done, up to 200 saved.
     */
    l->config.elastic.min_replicas = 4;
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){350, 5, 1};
    lives(l, 465 + 25 + 800);
    spent(l, HC_WHAT_LOST_WORK, 50 * 10 + 31 * 9);
    spent(l, HC_WHAT_DEGRADED, 0);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(490 - 315)); /* in with the next steps */
    ck_assert_int_eq(l->out.count[HC_COUNT_REJOINS], 0);
}
END_TEST

START_TEST(restarts_where_the_state_is_sharded)
{
    struct life *l = life();
    l->config.elastic.keeps_state = false;
    /* 319 as before; 344 on, with the 200 s that were saved; 415 there, 435 started and saved; 466
     * all on. */
    lives(l, 466 + 1000 - 200 - 91 * 0.8);
    spent(l, HC_WHAT_LOST_WORK, 50 * 10);
    spent(l, HC_WHAT_STARTUP_INIT, 50 * 10 + 20 * 9 + 20 * 10);
    spent(l, HC_WHAT_STARTUP_LOAD, 5 * 9 + 5 * 10);
    spent(l, HC_WHAT_DEGRADED, 91 + 20);
    spent(l, HC_WHAT_PRODUCTIVE_IDEAL, 200 * 10 + 91 * 8 + (1000 - 200 - 72.8) * 10);
}
END_TEST

START_TEST(two_nodes_come_one_by_one)
{
    struct life *l = life();
    l->incident[0] = (struct hc_lifetime_incident){300, 2, 2};
    l->config.recovery.warm_standbys = 1;
    l->config.recovery.wake_s = hc_distribution_constant(30);
    lives(l, 441 + 1000 - 250 - 116 * 0.8);
    spent(l, HC_WHAT_DEGRADED, 90 + 20); /* the standby is in from 345 on, and idles */
    ck_assert(l->out.absent_gpu_ns == gpu_ns(30 * 2 + 70));
    ck_assert_int_eq(l->out.count[HC_COUNT_STANDBYS_USED], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_REJOINS], 1);
    /* One node for one standby: as ever, or meanwhile. */
    l->incident[0].nodes = 1;
    lives(l, 315 + 30 + 25 + 800);
    l->config.elastic.before_standbys = true;
    lives(l, 345 + 6 + 1000 - 250 - 26 * 0.8);
}
END_TEST

START_TEST(strikes_only_who_runs)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){350, 2, 1};
    lives(l, 441 + 1000 - 250 - 116 * 0.8);
    ck_assert_int_eq(l->out.count[HC_COUNT_ABSORBED], 1);
    ck_assert_int_eq(l->out.count[HC_COUNT_FAULTS], 1);
    /* Another replica: 350 stops, 365 out, 369 on with three until 435, 441 on with four until 485,
     * 491 on with all. */
    l->incident[1].node = 4;
    lives(l, 491 + 1000 - 250 - 31 * 0.8 - 66 * 0.6 - 44 * 0.8);
    spent(l, HC_WHAT_DEGRADED, 31 + 66 * 2 + 44 + 20 + 20);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(100 + 100));
    spent(l, HC_WHAT_PRODUCTIVE_IDEAL, 1000 * 10);
}
END_TEST

START_TEST(loses_what_ran_smaller)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){409, -1, 1};
    l->fault[1].remedy = HC_REMEDY_REATTEMPT;
    l->fault[1].detection.delay_s = l->fault[1].detection.localise_s = l->fault[1].remedy_s =
        hc_distribution_constant(0);
    /* The interval of 100 s goes on at 319 with the 50 s that it had: saved at 369, 40 s on are
     * not. The node comes at 415, while it starts, is the job's from 434 on, and has started at
     * 435. */
    lives(l, 441 + 800 - 0.8 - 90);
    spent(l, HC_WHAT_LOST_WORK, 40 * 9);
    spent(l, HC_WHAT_DEGRADED, 50 + 2);
    spent(l, HC_WHAT_STARTUP_INIT, 50 * 10 + 20 * 9);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(434 - 315));
    ck_assert_int_eq(l->out.count[HC_COUNT_REJOINS], 1);
}
END_TEST

START_TEST(ends_the_save_in_flight)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->config.checkpoint.durable_s = hc_distribution_constant(80);
    l->incident[1] = (struct hc_lifetime_incident){340, -1, 1};
    l->fault[1].remedy = HC_REMEDY_REATTEMPT;
    l->fault[1].detection.delay_s = l->fault[1].detection.localise_s = l->fault[1].remedy_s =
        hc_distribution_constant(0);
    /* The snapshot of 250 is durable at 330, though a replica left at 300: what ran since is lost.
     * On at 365 from 200 s of work, all on at 441. */
    lives(l, 441 + 800 - 70 * 0.8);
    spent(l, HC_WHAT_LOST_WORK, 50 * 10 + 21 * 9);
    /* Not where it would have been durable only after the second stop. */
    l->config.checkpoint.durable_s = hc_distribution_constant(95);
    lives(l, 441 + 900 - 70 * 0.8);
    spent(l, HC_WHAT_LOST_WORK, 150 * 10 + 21 * 9);
}
END_TEST

START_TEST(takes_nodes_of_a_pool)
{
    struct life *l = life();
    l->config.recovery.pool_nodes = 10;
    l->config.repair.automatic_s = hc_distribution_constant(500);
    /* Chosen at 415 where there is none; repaired at 815: 516 s at 0.8. */
    lives(l, 841 + 1000 - 250 - 516 * 0.8);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(500));
    ck_assert_int_eq(l->out.count[HC_COUNT_WAITS], 0);
    l->config.recovery.spare_nodes = 1;
    l->config.recovery.preempt_s = hc_distribution_constant(40);
    lives(l, 481 + 1000 - 250 - 156 * 0.8);
    ck_assert_int_eq(l->out.count[HC_COUNT_PREEMPTED], 1);
    /* No node comes: it ends on four replicas. */
    l->config.recovery.spare_nodes = 0;
    l->config.repair.retire = 1;
    lives(l, 319 + 750 / 0.8);
    ck_assert(l->out.absent_gpu_ns == (hc_gpu_ns)(l->out.wall_ns - 315000000000) * 8);
    ck_assert_int_eq(l->out.count[HC_COUNT_REJOINS], 0);
}
END_TEST

START_TEST(a_requeue_brings_all_back)
{
    struct life *l = life();
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){350, 0, 1};
    l->fault[1].remedy = HC_REMEDY_REQUEUE;
    l->config.recovery.queue_s = hc_distribution_constant(30);
    lives(l, 365 + 30 + 45 + 800);
    ck_assert(l->out.absent_gpu_ns == gpu_ns(365 - 315));
    spent(l, HC_WHAT_STARTUP_INIT, 50 * 10 + 40 * 10);
}
END_TEST

/* ---- against theory ---- */

/* Each replica runs for an exponential time of mean 1 / (each * rate) and is away for away_s: where
 * nothing else takes time, the share that runs is that of an alternating renewal. */
static void share_of_replicas(int each, double between_s, struct hc_distribution away)
{
    struct hc_lifetime_fault fault = hc_lifetime_fault_defaults();
    struct hc_lifetime_config c = hc_lifetime_config_defaults();
    struct hc_lifetime_summary sum;
    double away_s = hc_distribution_mean(&away);
    double share = between_s / each / (between_s / each + away_s);
    fault.name = "node";
    fault.per_day = DAY_S / between_s;
    c.fault = &fault;
    c.n_faults = 1;
    c.job.nodes = 32 * each;
    c.job.horizon_s = 1000 * away_s;
    c.recovery.reschedule_s = away;
    c.elastic.on = true;
    c.elastic.dp_replicas = 32;
    c.elastic.min_replicas = 1;
    c.replicas = 20;
    ck_assert_int_eq(hc_lifetime_simulate(&c, &sum, &err), HC_OK);
    const struct hc_moments *ettr = &sum.figure[HC_FIGURE_ETTR_BYTEROBUST];
    const struct hc_moments *work = &sum.figure[HC_FIGURE_WORK_DONE_S];
    double half = hc_moments_half_width(ettr, 0.999);
    ck_assert_double_lt(half, 0.006);
    ck_assert_double_eq_tol(ettr->mean, share, half);
    ck_assert_double_eq_tol(work->mean / c.job.horizon_s, share, half);
    /* Of the time held, the idle nodes of the replicas that are not whole. */
    double degraded = (double)hc_account_what(&sum.account, HC_WHAT_DEGRADED) /
                      (double)hc_account_total(&sum.account);
    double idle = (1 - share) * (each - 1) / each;
    ck_assert_double_eq_tol(degraded, idle / (share + idle), 0.006);
}

START_TEST(runs_the_share_of_a_renewal)
{
    share_of_replicas(1, 2 * DAY_S, hc_distribution_constant(0.5 * DAY_S));
    share_of_replicas(4, 6 * DAY_S, hc_distribution_constant(0.7 * DAY_S));
    share_of_replicas(2, 4 * DAY_S, hc_distribution_gamma_mean(0.5 * DAY_S, 2));
}
END_TEST

/* ---- whatever happens ---- */

static struct hc_philox dice;

static double upto(double most)
{
    return most * hc_philox_uniform(&dice);
}

static int32_t one_of(int32_t n)
{
    return (int32_t)hc_philox_integer(&dice, (uint64_t)n);
}

static struct hc_distribution any_time(double mean)
{
    return one_of(2) ? hc_distribution_exponential(upto(mean) + 1)
                     : hc_distribution_constant(upto(mean));
}

static void any_fault(struct hc_lifetime_fault *f, const struct hc_lifetime_config *c)
{
    static const int32_t remedies[] = {HC_REMEDY_EVICT, HC_REMEDY_EVICT_GROUP, HC_REMEDY_REATTEMPT,
                                       HC_REMEDY_ROLLBACK, HC_REMEDY_REQUEUE};
    *f = hc_lifetime_fault_defaults();
    f->name = "any";
    f->why = one_of(HC_WHY_NONE);
    f->unit = one_of(4);
    f->effect = one_of(4);
    f->remedy = remedies[one_of(2) ? one_of(5) : 0];
    f->domain_nodes = f->group_nodes = 1 + one_of(c->job.nodes);
    if (one_of(3))
        f->per_day = f->unit == HC_PER_JOB ? upto(4) : upto(8) / c->job.nodes;
    else
        f->between_s = any_time((f->unit == HC_PER_JOB ? 1 : 4 * c->job.nodes) * DAY_S);
    f->detection.delay_s = any_time(600);
    f->detection.misdiagnosis = upto(0.5);
    f->remedy_s = any_time(100);
    f->helps = upto(0.9) + 0.1;
    f->n_ladder = one_of(2);
    f->ladder[0] = HC_REMEDY_EVICT;
    f->rollback_checkpoints = f->remedy == HC_REMEDY_ROLLBACK ? one_of(3) : 0;
    f->slow_factor = f->effect == HC_EFFECT_SLOW ? 1.01 + upto(2) : 1;
    f->forced_after_s = f->effect == HC_EFFECT_NONE ? one_of(2) * 40000 : 0;
}

static void any_config(struct hc_lifetime_config *c, struct hc_lifetime_fault fault[3])
{
    int32_t each = 1 + one_of(4);
    c->elastic.on = true;
    c->elastic.dp_replicas = 1 + one_of(8);
    c->elastic.min_replicas = 1 + one_of(c->elastic.dp_replicas);
    c->elastic.before_standbys = one_of(2);
    c->elastic.keeps_state = one_of(2);
    c->elastic.leave_s = any_time(60);
    c->elastic.rejoin_s = any_time(200);
    c->job.nodes = c->elastic.dp_replicas * each;
    c->job.work_s = upto(20) * DAY_S;
    c->job.horizon_s = upto(40) * DAY_S + 1;
    c->checkpoint.mode = one_of(4);
    c->checkpoint.every_s = c->checkpoint.mode == HC_CHECKPOINT_NONE ? 0 : 300 + upto(5000);
    c->checkpoint.stall_s = any_time(10);
    if (c->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY)
        c->checkpoint.memory_remote_every_s = 10000;
    c->recovery.warm_standbys = one_of(3);
    c->recovery.wake_s = any_time(60);
    c->recovery.replenish_s = any_time(40000);
    c->recovery.shortfall = one_of(2);
    c->recovery.reschedule_s = any_time(20000);
    c->recovery.queue_s = any_time(4000);
    c->lemon_share = one_of(2) * 0.3;
    c->strikes = one_of(2);
    if (one_of(2)) {
        c->recovery.pool_nodes = c->job.nodes + c->recovery.warm_standbys + one_of(4);
        c->recovery.spare_nodes = one_of(3);
        c->recovery.preempt_s = any_time(1000);
        c->repair.automatic_s = any_time(3 * DAY_S);
        c->repair.retire = one_of(2) * 0.01;
    }
    c->n_faults = (size_t)(1 + one_of(3));
    for (size_t i = 0; i < c->n_faults; i++) {
        any_fault(&fault[i], c);
        if (c->recovery.pool_nodes && fault[i].per_day > 0 && fault[i].unit < HC_PER_JOB) {
            fault[i].infant_factor = upto(3);
            fault[i].infant_s = upto(3) * DAY_S + 1;
        }
    }
    c->fault = fault;
}

/* The engine compares the account with the time held; here what else must sum. */
static void assert_booked(const struct hc_lifetime_config *c, const struct hc_lifetime_replica *r)
{
    int64_t sum = r->productive_ns;
    hc_gpu_ns gpus = (hc_gpu_ns)c->job.nodes * c->job.gpus_per_node;
    hc_gpu_ns standby = hc_account_what(&r->account, HC_WHAT_STANDBY_IDLE) +
                        hc_account_what(&r->account, HC_WHAT_POOL_IDLE);
    for (int i = 0; i <= HC_LIFETIME_MAX_FAULTS; i++) {
        ck_assert_int_ge(r->unproductive_ns[i], 0);
        sum += r->unproductive_ns[i];
    }
    ck_assert_int_eq(sum, r->wall_ns);
    ck_assert(r->absent_gpu_ns >= 0);
    ck_assert(hc_account_total(&r->account) - standby ==
              (r->wall_ns - r->queue_ns) * gpus - r->absent_gpu_ns);
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            ck_assert_msg(r->account.leaf[what][why] >= 0, "%s is negative",
                          hc_what_name((enum hc_what)what));
    hc_gpu_ns productive = hc_account_what(&r->account, HC_WHAT_PRODUCTIVE_IDEAL) +
                           hc_account_what(&r->account, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS);
    ck_assert_double_eq_tol((double)(productive / gpus), (double)r->productive_ns, 1e6);
}

/* The record of the life has the same account: no gap, and the same time that counts and that is
 * lost. */
static void assert_recorded(const struct hc_lifetime_config *c, const struct hc_lifetime_replica *r)
{
    struct hc_lifetime_trace trace = {0};
    struct hc_lifetime_replica again;
    if (hc_lifetime_trace_run(&trace, c, 0, &again, &err))
        ck_abort_msg("%s", err.message);
    ck_assert_mem_eq(&again, r, sizeof again);
    struct hc_life_reader productive = {.trace = &trace, .what = HC_WHAT_PRODUCTIVE_IDEAL};
    int64_t at_ns = 0;
    for (size_t i = 0; i < trace.n_spans; i++) {
        ck_assert_int_eq(trace.span[i].start_ns, at_ns);
        at_ns = trace.span[i].end_ns;
    }
    ck_assert_int_eq(at_ns, r->wall_ns);
    ck_assert_double_eq_tol((double)hc_life_read_total(&productive, r->wall_ns),
                            (double)r->productive_ns, 10. + (double)trace.n_spans);
    hc_lifetime_trace_fini(&trace);
}

START_TEST(any_elastic_life_is_booked_to_the_nanosecond)
{
    enum { LIVES = 3 };
    int64_t count[HC_COUNT_COUNT] = {0};
    int n_degraded = 0;
    for (int i = 0; i < 400; i++) {
        struct hc_lifetime_config c = hc_lifetime_config_defaults();
        struct hc_lifetime_fault fault[3];
        struct hc_lifetime_phase phase = hc_lifetime_phase_defaults();
        struct hc_lifetime_replica out[LIVES];
        hc_philox_seek(&dice, 78, (uint64_t)i, 0);
        any_config(&c, fault);
        phase.per_node = one_of(2);
        phase.first_s = phase.full_s = phase.hot_s = any_time(600);
        c.startup.phase = &phase;
        c.startup.n_phases = 1;
        c.key = (uint64_t)i;
        if (hc_lifetime_run(&c, 0, LIVES, out, &err))
            ck_abort_msg("life %d: %s", i, err.message);
        for (int j = 0; j < LIVES; j++) {
            assert_booked(&c, &out[j]);
            if (!j)
                assert_recorded(&c, &out[j]);
            n_degraded += hc_account_what(&out[j].account, HC_WHAT_DEGRADED) > 0;
            for (int k = 0; k < HC_COUNT_COUNT; k++)
                count[k] += out[j].count[k];
        }
    }
    ck_assert_int_gt(n_degraded, 200);
    ck_assert_int_gt(count[HC_COUNT_LEAVES], 5000);
    ck_assert_int_gt(count[HC_COUNT_REJOINS], 2000);
    ck_assert_int_gt(count[HC_COUNT_WAITS], 20);
}
END_TEST

/* On, but nothing is evicted: the same life in every byte. */
START_TEST(on_without_evictions_is_off)
{
    struct hc_ettr_terms t = {1e-4, 600, 10, 60, 0};
    struct hc_renewal_case r;
    struct hc_lifetime_replica out[2];
    hc_renewal_case_init(&r, &t);
    r.config.fault = &r.fault;
    r.config.startup.phase = &r.phase;
    r.config.job.work_s = 1e6;
    for (int i = 0; i < 2; i++) {
        r.config.elastic.on = i;
        r.config.elastic.dp_replicas = 10;
        r.config.elastic.min_replicas = 1;
        ck_assert_int_eq(hc_lifetime_run(&r.config, 5, 1, &out[i], &err), HC_OK);
    }
    ck_assert_int_gt(out[0].count[HC_COUNT_STOPS], 50);
    ck_assert_mem_eq(&out[0], &out[1], sizeof out[0]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_elastic");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, goes_on_without_a_replica);
    tcase_add_test(tests, stands_below_the_fewest_replicas);
    tcase_add_test(tests, restarts_where_the_state_is_sharded);
    tcase_add_test(tests, two_nodes_come_one_by_one);
    tcase_add_test(tests, strikes_only_who_runs);
    tcase_add_test(tests, loses_what_ran_smaller);
    tcase_add_test(tests, ends_the_save_in_flight);
    tcase_add_test(tests, takes_nodes_of_a_pool);
    tcase_add_test(tests, a_requeue_brings_all_back);
    tcase_add_test(tests, runs_the_share_of_a_renewal);
    tcase_add_test(tests, any_elastic_life_is_booked_to_the_nanosecond);
    tcase_add_test(tests, on_without_evictions_is_off);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
