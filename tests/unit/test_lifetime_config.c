/* What a lifetime refuses, and what holds in any that it takes. */
#include "sim/lifetime/pool/shared_pool.h"
#include "tests/support/any_life.h"
#include "tests/support/lifetime_case.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

static struct hc_renewal_case base(void)
{
    static const struct hc_ettr_terms t = {1e-4, 600, 10, 60, 30};
    struct hc_renewal_case r;
    hc_renewal_case_init(&r, &t);
    r.config.job.work_s = 1e6;
    return r;
}

/* The struct points into itself: make it do so where it stands now. */
static enum hc_status check(struct hc_renewal_case *r)
{
    r->config.fault = &r->fault;
    r->config.startup.phase = &r->phase;
    return hc_lifetime_config_check(&r->config, &err);
}

#define REFUSED(change, said)                                                                      \
    do {                                                                                           \
        struct hc_renewal_case r = base();                                                         \
        change;                                                                                    \
        ck_assert_int_eq(check(&r), HC_BAD_INPUT);                                                 \
        ck_assert_str_eq(err.message, said);                                                       \
    } while (0)

START_TEST(refuses_and_says_why)
{
    struct hc_renewal_case r0 = base();
    ck_assert_int_eq(check(&r0), HC_OK);
    REFUSED(r.config.job.work_s = 0, "/job: has neither work_s nor horizon_s: it never ends");
    REFUSED(r.config.job.nodes = 0, "/job/nodes: 0 is not from 1 to 1e+07");
    REFUSED(r.config.job.step_s = hc_distribution_constant(-1),
            "/job/step_s: constant: -1 is not a number from 0 to 1e12");
    REFUSED(r.config.elastic.on = true, "/elastic/dp_replicas: 0 is not from 1 to 100");
    REFUSED((r.config.elastic.on = true, r.config.elastic.dp_replicas = 7,
             r.config.elastic.min_replicas = 1),
            "/elastic/dp_replicas: 100 nodes are not 7 replicas of the same size");
    REFUSED(r.fault.infant_factor = 3, "/faults/node/infant_s: 0 is not from 1e-09 to 1e+09");
    REFUSED(
        (r.fault.infant_factor = 3, r.fault.infant_s = 60),
        "/faults/node/infant_factor: only a rate per node or per device differs after a repair");
    REFUSED((r.fault.infant_factor = 3, r.fault.infant_s = 60, r.fault.unit = HC_PER_NODE),
            "/faults/node/infant_factor: without /recovery/pool_nodes no node is repaired");
    REFUSED(r.fault.between_s = hc_distribution_exponential(9),
            "/faults/node: has more than one of per_day, between_s and incidents");
    REFUSED(r.fault.on_lemon = 5,
            "/faults/node/on_lemon: only a rate per node or per device differs for lemons");
    REFUSED((r.fault.unit = HC_PER_NODE, r.fault.on_lemon = 5),
            "/faults/node/on_lemon: /lemon_share is 0: there are no lemons");
    REFUSED(r.fault.slow_factor = 2, "/faults/node/slow_factor: is for faults that slow the job");
    REFUSED(r.fault.effect = HC_EFFECT_SLOW,
            "/faults/node/slow_factor: 1: a slow fault makes steps longer");
    REFUSED(r.fault.remedy = HC_REMEDY_NONE,
            "/faults/node/remedy: only a slow fault passes by itself");
    REFUSED(r.fault.helps = 0, "/faults/node/helps: 0 is not from 0.001 to 1");
    REFUSED(r.fault.saves_first = true,
            "/faults/node/saves_first: this fault leaves no time for a save");
    REFUSED(r.fault.per_day = __builtin_nan(""),
            "/faults/node/per_day: nan is not from 0 to 1e+06");
    REFUSED(r.config.checkpoint.every_s = 0, "/checkpoint/every_s: 0 is no time between saves");
    REFUSED(r.config.checkpoint.interval = HC_INTERVAL_YOUNG_DALY,
            "/checkpoint/every_s: the interval is Young/Daly's");
    REFUSED(r.config.checkpoint.mode = HC_CHECKPOINT_EVERY_STEP,
            "/checkpoint/every_s: the mode saves at every step");
    REFUSED(r.config.checkpoint.durable_s = hc_distribution_constant(3),
            "/checkpoint/durable_s: a blocking save is durable at the end of its stall");
    REFUSED(r.config.checkpoint.mode = HC_CHECKPOINT_IN_MEMORY,
            "/checkpoint/memory_remote_every_s: saves in memory need remote ones behind them");
    REFUSED(r.config.recovery.spare_nodes = 3,
            "/recovery/pool_nodes: spares and repairs need a pool with an end");
    REFUSED(r.config.recovery.pool_nodes = 99,
            "/recovery/pool_nodes: 99 do not hold a job of 100 nodes");
    REFUSED(r.phase.what = HC_WHAT_DETECTION, "/startup/?/what: 18 is not from 0 to 8");
}
END_TEST

START_TEST(refuses_before_it_runs)
{
    struct hc_lifetime_replica out;
    struct hc_renewal_case r = base();
    r.config.fault = &r.fault;
    r.config.startup.phase = &r.phase;
    r.config.checkpoint.mode = HC_CHECKPOINT_ASYNC;
    r.config.checkpoint.durable_s = hc_distribution_constant(700);
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "/checkpoint/durable_s: a save takes 700 s to be durable, but "
                                  "the next snapshot comes after 610 s");
    r.config.checkpoint.durable_s = hc_distribution_constant(0);
    r.config.recovery.pool_nodes = 101;
    r.config.recovery.warm_standbys = 2;
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message,
                     "/recovery/pool_nodes: 101 nodes do not hold a job of 100 and 2 standbys");
}
END_TEST

/* A job that never gets on, and 1,000 times its work is more than a clock holds: it ends all the
 * same, and long times that come on top of each other do not pass what a clock holds. */
START_TEST(ends_where_nothing_gets_on)
{
    struct hc_lifetime_replica out;
    struct hc_renewal_case r = base();
    r.config.fault = &r.fault;
    r.config.startup.phase = &r.phase;
    r.config.job.work_s = 30 * 86400;
    r.config.checkpoint.every_s = 1e8;
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_OK);
    ck_assert(!out.finished && out.productive_ns < (int64_t)1e15);
    ck_assert_int_eq(out.wall_ns, INT64_MAX / 4);

    r.config.checkpoint.every_s = 1;
    r.config.checkpoint.corrupt = 0.999;
    r.config.checkpoint.load_s = hc_distribution_constant(2.2e9);
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_OK);
    ck_assert_int_eq(out.wall_ns, INT64_MAX / 4);

    r.config.checkpoint.stall_s = hc_distribution_constant(3e9);
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_OK);
    ck_assert_int_eq(out.wall_ns, INT64_MAX / 4);
}
END_TEST

/* Code that is a million times as fast: its work is more than a clock holds, too. */
START_TEST(refuses_work_beyond_count)
{
    const struct hc_lifetime_code_change change[] = {{.name = "a", .speed_factor = 1000},
                                                     {.name = "b", .speed_factor = 1000}};
    struct hc_renewal_case r = base();
    r.config.job.horizon_s = 1e6;
    r.config.job.code_change = change;
    r.config.job.n_code_changes = 1;
    ck_assert_int_eq(check(&r), HC_OK);
    r.config.job.n_code_changes = 2;
    ck_assert_int_eq(check(&r), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "/job/code_changes: 1e+06 s at 1e+06 times the speed are more "
                                  "than 2e+09 s of work");
}
END_TEST

/* ---- anything goes (any_life.h), and every nanosecond is booked ---- */

/* The engine itself compares the account with the time held; here from the outside. */
static void assert_booked(const struct hc_lifetime_config *c, const struct hc_lifetime_replica *r)
{
    int64_t sum = r->productive_ns;
    for (int i = 0; i <= HC_LIFETIME_MAX_FAULTS; i++) {
        ck_assert_int_ge(r->unproductive_ns[i], 0);
        sum += r->unproductive_ns[i];
    }
    ck_assert_int_eq(sum, r->wall_ns);
    hc_gpu_ns gpus = (hc_gpu_ns)c->job.nodes * c->job.gpus_per_node;
    hc_gpu_ns standby = hc_account_what(&r->account, HC_WHAT_STANDBY_IDLE) +
                        hc_account_what(&r->account, HC_WHAT_POOL_IDLE);
    ck_assert(hc_account_total(&r->account) - standby == (r->wall_ns - r->queue_ns) * gpus);
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            ck_assert_msg(r->account.leaf[what][why] >= 0, "%s is negative",
                          hc_what_name((enum hc_what)what));
    if (r->finished)
        ck_assert_int_ge(r->work_done_ns, (int64_t)(c->job.work_s * 1e9));
}

/* A job that shares its pool with no other lives the same life, to the last bit; what its free
 * nodes idled is the pool's. */
static void assert_same_in_fleet(const struct hc_lifetime_config *c,
                                 const struct hc_lifetime_replica *alone, size_t n)
{
    struct hc_shared_pool_job job = {.name = "job", .config = *c};
    struct hc_shared_pool fleet = {.job = &job, .n_jobs = 1};
    struct hc_lifetime_replica out[8];
    struct hc_lifetime_pool pool[8];
    struct hc_shared_pool_lives lives = {.job = out, .pool = pool};
    if (hc_shared_pool_run(&fleet, 0, n, &lives, &err))
        ck_abort_msg("%s", err.message);
    for (size_t i = 0; i < n; i++) {
        out[i].account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = pool[i].idle;
        ck_assert_mem_eq(&out[i], &alone[i], sizeof *out);
        ck_assert_int_eq(pool[i].wall_ns, out[i].wall_ns);
    }
}

START_TEST(any_life_is_booked_to_the_nanosecond)
{
    enum { LIVES = 3 };
    int n_finished = 0, n_stops = 0, n_pooled = 0;
    for (int i = 0; i < 400; i++) {
        struct any_life life;
        any_life_init(&life, (uint64_t)i);
        struct hc_lifetime_replica out[LIVES];
        if (hc_lifetime_run(&life.config, 0, LIVES, out, &err))
            ck_abort_msg("life %d: %s", i, err.message);
        for (int j = 0; j < LIVES; j++) {
            assert_booked(&life.config, &out[j]);
            n_finished += out[j].finished;
            n_stops += (int)out[j].count[HC_COUNT_STOPS];
        }
        if (life.config.recovery.pool_nodes) {
            assert_same_in_fleet(&life.config, out, LIVES);
            n_pooled++;
        }
    }
    ck_assert_int_gt(n_finished, 100);
    ck_assert_int_gt(n_stops, 20000);
    ck_assert_int_gt(n_pooled, 150);
}
END_TEST

/* Slower detection and more faults cost, beyond what chance could do. */
START_TEST(worse_is_worse)
{
    double mean[3], half[3];
    for (int i = 0; i < 3; i++) {
        struct hc_renewal_case r = base();
        struct hc_lifetime_summary sum;
        r.config.fault = &r.fault;
        r.config.startup.phase = &r.phase;
        r.config.replicas = 100;
        r.fault.detection.delay_s = hc_distribution_exponential(i == 1 ? 600 : 60);
        r.fault.per_day *= i == 2 ? 1.5 : 1;
        ck_assert_int_eq(hc_lifetime_simulate(&r.config, &sum, &err), HC_OK);
        mean[i] = sum.figure[HC_FIGURE_ETTR_BYTEROBUST].mean;
        half[i] = hc_moments_half_width(&sum.figure[HC_FIGURE_ETTR_BYTEROBUST], 0.99);
    }
    ck_assert(mean[1] + half[1] < mean[0] - half[0]);
    ck_assert(mean[2] + half[2] < mean[0] - half[0]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_config");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, refuses_and_says_why);
    tcase_add_test(tests, refuses_before_it_runs);
    tcase_add_test(tests, ends_where_nothing_gets_on);
    tcase_add_test(tests, refuses_work_beyond_count);
    tcase_add_test(tests, any_life_is_booked_to_the_nanosecond);
    tcase_add_test(tests, worse_is_worse);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
