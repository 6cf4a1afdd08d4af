/* Several jobs on one pool: who gets a node, who pays for it, and that a job which never has to
 * wait for another lives as if it were alone. */
#include "sim/lifetime/lifetime_trace.h"
#include "sim/lifetime/pool/shared_pool.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

enum { MOST = 3 };

/* Jobs of one node each time; nodes fail, are repaired, and come back. */
struct shared_case {
    struct hc_lifetime_fault fault[MOST];
    struct hc_lifetime_incident incident[MOST][4];
    struct hc_shared_pool_job job[MOST];
    struct hc_shared_pool fleet;
};

static struct shared_case *new_case(size_t n_jobs, int32_t nodes, int32_t pool)
{
    static const char *const name[MOST] = {"a", "b", "c"};
    struct shared_case *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    for (size_t i = 0; i < n_jobs; i++) {
        struct hc_lifetime_config *c = &s->job[i].config;
        s->job[i].name = name[i];
        s->fault[i] = hc_lifetime_fault_defaults();
        s->fault[i].name = "node";
        *c = hc_lifetime_config_defaults();
        c->fault = &s->fault[i];
        c->n_faults = 1;
        c->key = i;
        c->job.nodes = nodes;
        c->job.horizon_s = 100 * DAY_S;
        c->recovery.pool_nodes = pool;
        c->repair.automatic_s = hc_distribution_constant(DAY_S);
    }
    s->fleet = (struct hc_shared_pool){.job = s->job, .n_jobs = n_jobs};
    return s;
}

/* Faults of a job at given hours, of its first node. */
static void at_hours(struct shared_case *s, size_t job, size_t n, const double *hours)
{
    for (size_t i = 0; i < n; i++)
        s->incident[job][i] = (struct hc_lifetime_incident){.at_s = hours[i] * 3600, .nodes = 1};
    s->fault[job].incident = s->incident[job];
    s->fault[job].n_incidents = n;
}

static struct hc_lifetime_replica out[400 * MOST];
static struct hc_lifetime_pool pools[400];

static void run(const struct shared_case *s, size_t n)
{
    struct hc_shared_pool_lives lives = {.job = out, .pool = pools};
    if (hc_shared_pool_run(&s->fleet, 0, n, &lives, &err))
        ck_abort_msg("%s", err.message);
}

static double hours_of(size_t job, enum hc_what what)
{
    return hc_gpu_hours(hc_account_what(&out[job].account, what)) / 8;
}

/* ---- by hand ---- */

/* Both jobs lose a node of two, b first; there is none. b's comes back after 24 h, a's an hour
 * later. Whoever has priority gets the first. */
START_TEST(the_first_node_goes_by_priority_then_by_request)
{
    for (int favoured = -1; favoured < 2; favoured++) {
        struct shared_case *s = new_case(2, 2, 4);
        at_hours(s, 0, 1, (const double[]){11});
        at_hours(s, 1, 1, (const double[]){10});
        if (favoured >= 0)
            s->job[favoured].config.job.priority = 1;
        run(s, 1);
        bool first_is_a = favoured == 0;
        ck_assert_double_eq_tol(hours_of(0, HC_WHAT_RECOVERY), 2 * (first_is_a ? 23 : 24), 1e-9);
        ck_assert_double_eq_tol(hours_of(1, HC_WHAT_RECOVERY), 2 * (first_is_a ? 25 : 24), 1e-9);
        ck_assert(pools[0].idle == 0);
        free(s);
    }
}
END_TEST

/* One free node: it idles until 10 h, and from when b's comes back at 34 h on. */
START_TEST(a_free_node_is_charged_once)
{
    struct shared_case *s = new_case(2, 2, 5);
    at_hours(s, 0, 0, NULL);
    at_hours(s, 1, 1, (const double[]){10});
    s->fault[0].per_day = 0;
    run(s, 1);
    ck_assert_double_eq_tol(hc_gpu_hours(pools[0].idle) / 8, 10 + 2400 - 34, 1e-9);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(hc_account_what(&out[i].account, HC_WHAT_POOL_IDLE) == 0);
        ck_assert(hc_account_total(&out[i].account) == (hc_gpu_ns)out[i].wall_ns * 16);
    }
    free(s);
}
END_TEST

/* b is done after 5 d and leaves two nodes, one of them to a, which waits. */
START_TEST(a_job_that_ends_gives_its_nodes)
{
    struct shared_case *s = new_case(2, 2, 4);
    at_hours(s, 0, 1, (const double[]){118});
    s->job[1].config.job.work_s = 5 * DAY_S;
    run(s, 1);
    ck_assert(out[1].finished);
    ck_assert_double_eq_tol(hours_of(0, HC_WHAT_RECOVERY), 2 * 2, 1e-9);
    /* The other is free from 120 h on, a's own from 142 h. */
    ck_assert_double_eq_tol(hc_gpu_hours(pools[0].idle) / 8, 2400 - 120 + 2400 - 142, 1e-9);
    ck_assert_int_eq(pools[0].wall_ns, (int64_t)(100 * DAY_S * 1e9));
    free(s);
}
END_TEST

/* a, of higher priority, loses two nodes; one stands by for it, two for b. */
START_TEST(standbys_of_a_lower_job_are_taken_where_allowed)
{
    for (int takes = 0; takes < 2; takes++) {
        struct shared_case *s = new_case(2, 2, 7);
        at_hours(s, 0, 2, (const double[]){10, 10.5});
        s->job[0].config.job.priority = 1;
        s->job[0].config.recovery.warm_standbys = 1;
        s->job[1].config.recovery.warm_standbys = 2;
        s->job[0].config.recovery.takes_standbys = takes;
        run(s, 1);
        ck_assert_int_eq(out[0].count[HC_COUNT_STANDBYS_USED], 1);
        ck_assert_int_eq(out[0].count[HC_COUNT_PREEMPTED], takes);
        ck_assert_double_eq_tol(hours_of(0, HC_WHAT_RECOVERY), takes ? 0 : 2 * 23.5, 1e-9);
        /* b has one less for 24.5 h at most: the first to come back stands by for a, the second
         * for b. */
        ck_assert_double_eq_tol(hours_of(1, HC_WHAT_STANDBY_IDLE), 2 * 2400 - takes * 24, 1e-9);
        free(s);
    }
}
END_TEST

/* Every node that is evicted is given up: at last all wait and none can come. The job of lower
 * priority gives up first, and the other goes on with its nodes. */
START_TEST(the_last_in_the_order_starves)
{
    struct shared_case *s = new_case(2, 2, 4);
    at_hours(s, 0, 2, (const double[]){10, 20});
    at_hours(s, 1, 1, (const double[]){5});
    s->job[0].config.repair.retire = s->job[1].config.repair.retire = 1;
    s->job[0].config.job.priority = 1;
    run(s, 1);
    ck_assert(out[1].starved && !out[0].starved);
    /* b waits from 5 h until a is without a node too: its own is given up at 34 h. */
    ck_assert_int_eq(out[1].wall_ns, (int64_t)34 * 3600 * 1000000000);
    ck_assert_double_eq_tol(hours_of(0, HC_WHAT_RECOVERY), 2 * 24, 1e-9);
    free(s);
}
END_TEST

/* ---- against what is known ---- */

/* Two jobs whose pool never runs out are two jobs. */
START_TEST(a_pool_without_want_makes_jobs_independent)
{
    enum { REPLICAS = 20 };
    struct hc_lifetime_replica alone[REPLICAS];
    struct shared_case *s = new_case(2, 10, 400);
    for (int i = 0; i < 2; i++) {
        struct hc_lifetime_config *c = &s->job[i].config;
        s->fault[i].per_day = 0.05;
        s->fault[i].detection.delay_s = hc_distribution_exponential(600);
        c->recovery.warm_standbys = 2;
        c->recovery.wake_s = hc_distribution_exponential(60);
        c->recovery.reschedule_s = hc_distribution_exponential(600);
        c->checkpoint.mode = HC_CHECKPOINT_BLOCKING;
        c->checkpoint.every_s = 1800;
        c->checkpoint.stall_s = hc_distribution_constant(10);
        c->repair.automatic_s = hc_distribution_exponential(DAY_S);
        c->repair.to_manual = 0.5;
        c->repair.manual_s = hc_distribution_lognormal_mean(3 * DAY_S, DAY_S);
        c->repair.retire = 0.1;
    }
    run(s, REPLICAS);
    for (size_t j = 0; j < 2; j++) {
        struct hc_lifetime_config c = s->job[j].config;
        c.recovery.pool_nodes = 200;
        ck_assert_int_eq(hc_lifetime_run(&c, 0, REPLICAS, alone, &err), HC_OK);
        for (size_t i = 0; i < REPLICAS; i++) {
            ck_assert_int_gt(alone[i].count[HC_COUNT_REPAIRS], 20);
            alone[i].account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = 0;
            ck_assert_mem_eq(&out[i * 2 + j], &alone[i], sizeof *alone);
        }
    }
    free(s);
}
END_TEST

/* Shares of time in which the jobs of high and low priority wait: jobs fail at rates x and y while
 * they run, k nodes are free at first, each that is out comes back at rate m. A Markov chain: with
 * up to k out both run; with k + 1 one waits; with k + 2 both do, and the next node goes to the
 * high one. */
struct waits {
    double high, low;
};

static struct waits waits_by_chain(double x, double y, double m, int k)
{
    double p = 1, all = 0, state = 1; /* p: of k out; relative to it, downwards */
    for (int out_now = k; out_now >= 0; out_now--) {
        all += state;
        state *= out_now * m / (x + y);
    }
    double high = p * x / ((k + 1) * m + y);
    double low = y * (p + high) / ((k + 1) * m);
    double both = (high * y + low * x) / ((k + 2) * m);
    all += high + low + both;
    return (struct waits){(high + both) / all, (low + both) / all};
}

START_TEST(waits_by_priority_are_those_of_the_chain)
{
    enum { REPLICAS = 200 };
    static const struct {
        double x, y, m;
        int k;
    } set[] = {{2, 2, 1, 1}, {4, 1, 2, 0}, {1, 5, 1, 3}};
    for (size_t at = 0; at < sizeof set / sizeof *set; at++) {
        struct shared_case *s = new_case(2, 10, 20 + set[at].k);
        struct hc_moments share[2] = {{0}};
        s->job[1].config.job.priority = -1;
        for (int i = 0; i < 2; i++) {
            s->fault[i].per_day = (i ? set[at].y : set[at].x) / 10;
            s->job[i].config.key = at * 2 + (size_t)i;
            s->job[i].config.job.horizon_s = 400 * DAY_S;
            s->job[i].config.repair.automatic_s = hc_distribution_exponential(DAY_S / set[at].m);
        }
        run(s, REPLICAS);
        struct waits want = waits_by_chain(set[at].x, set[at].y, set[at].m, set[at].k);
        for (size_t i = 0; i < REPLICAS; i++)
            for (size_t j = 0; j < 2; j++) {
                hc_gpu_ns waited = hc_account_what(&out[i * 2 + j].account, HC_WHAT_RECOVERY);
                hc_moments_add(&share[j], hc_gpu_hours(waited) / 80 / 9600);
            }
        for (int j = 0; j < 2; j++) {
            double half = hc_moments_half_width(&share[j], 0.999);
            ck_assert_double_lt(half, 0.02);
            ck_assert_double_eq_tol(share[j].mean, j ? want.low : want.high, half);
        }
        free(s);
    }
}
END_TEST

/* ---- what always holds ---- */

static void any_fleet(struct shared_case *s, struct hc_philox *dice)
{
    for (size_t i = 0; i < s->fleet.n_jobs; i++) {
        struct hc_lifetime_config *c = &s->job[i].config;
        s->fault[i].per_day = 0.3 * hc_philox_uniform(dice);
        s->fault[i].detection.misdiagnosis = 0.2;
        c->job.nodes = 1 + (int32_t)hc_philox_integer(dice, 8);
        c->job.work_s = 90 * DAY_S * hc_philox_uniform(dice);
        c->job.priority = (int32_t)hc_philox_integer(dice, 3);
        c->recovery.warm_standbys = (int32_t)hc_philox_integer(dice, 3);
        c->recovery.takes_standbys = hc_philox_integer(dice, 2);
        c->recovery.shortfall = (int32_t)hc_philox_integer(dice, 2);
        c->recovery.refill = (int32_t)hc_philox_integer(dice, 2);
        c->recovery.queue_s = hc_distribution_exponential(3600);
        c->recovery.preempt_s = hc_distribution_exponential(1200);
        c->recovery.replenish_s = hc_distribution_exponential(DAY_S);
        c->recovery.pool_nodes = 31;
        c->recovery.spare_nodes = 2;
        c->recovery.spares_return = true;
        c->repair.automatic_s = hc_distribution_exponential(2 * DAY_S);
        c->repair.innocent_s = hc_distribution_exponential(3600);
        c->repair.retire = 0.01;
        c->repair.quarantine_faults = 2;
        c->repair.quarantine_window_s = 9 * DAY_S;
        c->repair.quarantine_s = DAY_S;
        c->lemon_share = 0.2;
        s->fault[i].on_lemon = 3;
    }
}

START_TEST(every_life_is_booked_whatever_the_threads)
{
    enum { REPLICAS = 4 };
    static struct hc_lifetime_replica once[REPLICAS * MOST];
    struct hc_lifetime_pool pool_once[REPLICAS];
    int64_t n_waits = 0, n_taken = 0;
    for (uint64_t i = 0; i < 60; i++) {
        struct hc_philox dice;
        hc_philox_seek(&dice, 99, i, 0);
        struct shared_case *s = new_case(MOST, 1, 0);
        any_fleet(s, &dice);
        s->job[0].config.threads = 1;
        run(s, REPLICAS);
        memcpy(once, out, sizeof once);
        memcpy(pool_once, pools, sizeof pool_once);
        s->job[0].config.threads = 3;
        run(s, REPLICAS);
        ck_assert_mem_eq(once, out, sizeof once);
        ck_assert_mem_eq(pool_once, pools, sizeof pool_once);
        for (size_t r = 0; r < REPLICAS * MOST; r++) {
            const struct hc_lifetime_config *c = &s->job[r % MOST].config;
            hc_gpu_ns gpus = (hc_gpu_ns)c->job.nodes * c->job.gpus_per_node;
            hc_gpu_ns standby = hc_account_what(&out[r].account, HC_WHAT_STANDBY_IDLE);
            ck_assert(hc_account_total(&out[r].account) - standby ==
                      (out[r].wall_ns - out[r].queue_ns) * gpus);
            ck_assert(standby >= 0 && pools[r / MOST].idle >= 0);
            ck_assert_int_le(out[r].wall_ns, pools[r / MOST].wall_ns);
            n_waits += out[r].count[HC_COUNT_WAITS];
            n_taken += out[r].count[HC_COUNT_PREEMPTED];
        }
        free(s);
    }
    ck_assert_int_gt(n_waits, 100);
    ck_assert_int_gt(n_taken, 100);
}
END_TEST

/* ---- refused ---- */

static struct hc_shared_pool_lives no_lives;

#define REFUSED(change, said)                                                                      \
    do {                                                                                           \
        struct shared_case *s = new_case(2, 2, 5);                                                 \
        s->fault[0].per_day = s->fault[1].per_day = 0.1;                                           \
        change;                                                                                    \
        ck_assert_int_eq(hc_shared_pool_run(&s->fleet, 0, 0, &no_lives, &err), HC_BAD_INPUT);      \
        ck_assert_str_eq(err.message, said);                                                       \
        free(s);                                                                                   \
    } while (0)

START_TEST(refuses_and_says_why)
{
    REFUSED(s->fleet.n_jobs = 0, "/jobs: 0 jobs are not from 1 to 32");
    REFUSED(s->job[1].config.recovery.pool_nodes = 6,
            "/jobs/b/recovery/pool_nodes: 6; all jobs share one pool, and the first has 5");
    REFUSED(s->job[1].config.job.gpus_per_node = 4,
            "/jobs/b/job/gpus_per_node: 4; all jobs share one pool, and the first has 8");
    REFUSED(s->job[1].config.repair.retire = 0.5,
            "/jobs/b/repair: all jobs share one pool, and the first has another repair");
    REFUSED(s->job[1].config.key = 0,
            "/jobs/b/key: is that of job 'a': both would have the same faults");
    REFUSED(s->job[1].config.job.nodes = 4,
            "/recovery/pool_nodes: 5 nodes do not hold jobs of 6 and 0 standbys");
    REFUSED(s->job[1].config.job.horizon_s = 0,
            "/jobs/b/job: has neither work_s nor horizon_s: it never ends");
    REFUSED((s->job[0].config.recovery.pool_nodes = 0,
             s->job[0].config.repair.automatic_s = hc_distribution_constant(0)),
            "/recovery/pool_nodes: several jobs share a pool that has an end");
    REFUSED((s->job[1].config.elastic.on = true, s->job[1].config.elastic.dp_replicas = 2,
             s->job[1].config.elastic.min_replicas = 1),
            "/jobs/b/elastic/on: elastic jobs that share a pool are not simulated yet");
    REFUSED((s->fault[0].infant_factor = 3, s->fault[0].infant_s = 60),
            "/faults/node/infant_factor: infant mortality is not simulated where jobs share a "
            "pool");
}
END_TEST

/* A run of the first job, with the others beside it: alone and recorded it is the same life. */
START_TEST(the_first_job_is_run_and_recorded_among_the_others)
{
    struct shared_case *s = new_case(3, 4, 14);
    struct hc_lifetime_trace trace;
    struct hc_lifetime_curve curve;
    static struct hc_lifetime_replica run_out[2], recorded;
    for (int i = 0; i < 3; i++)
        s->fault[i].per_day = 0.3;
    struct hc_lifetime_config c = s->job[0].config;
    c.other = &s->job[1];
    c.n_others = 2;
    ck_assert_int_eq(hc_lifetime_run(&c, 0, 2, run_out, &err), HC_OK);
    ck_assert_int_gt(run_out[1].count[HC_COUNT_WAITS], 0);
    ck_assert(hc_account_what(&run_out[1].account, HC_WHAT_POOL_IDLE) > 0);
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &c, 1, &recorded, &err), HC_OK);
    ck_assert_mem_eq(&recorded, &run_out[1], sizeof recorded);
    ck_assert_int_eq(trace.span[trace.n_spans - 1].end_ns, recorded.wall_ns);
    ck_assert_int_eq(hc_lifetime_curve_run(&curve, &c, 2, 50, 3600, &err), HC_OK);
    double ettr = (hc_lifetime_figure(&run_out[0], HC_FIGURE_ETTR_BYTEROBUST) +
                   hc_lifetime_figure(&run_out[1], HC_FIGURE_ETTR_BYTEROBUST)) /
                  2;
    ck_assert_double_eq_tol(curve.cumulative[HC_CURVE_MEAN][49], ettr, 1e-9);
    hc_lifetime_curve_fini(&curve);
    hc_lifetime_trace_fini(&trace);
    free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shared_pool");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, the_first_node_goes_by_priority_then_by_request);
    tcase_add_test(tests, a_free_node_is_charged_once);
    tcase_add_test(tests, a_job_that_ends_gives_its_nodes);
    tcase_add_test(tests, standbys_of_a_lower_job_are_taken_where_allowed);
    tcase_add_test(tests, the_last_in_the_order_starves);
    tcase_add_test(tests, a_pool_without_want_makes_jobs_independent);
    tcase_add_test(tests, waits_by_priority_are_those_of_the_chain);
    tcase_add_test(tests, every_life_is_booked_whatever_the_threads);
    tcase_add_test(tests, refuses_and_says_why);
    tcase_add_test(tests, the_first_job_is_run_and_recorded_among_the_others);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
