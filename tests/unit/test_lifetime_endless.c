/* A pool that never runs out is a pool without end: the same job lives the same life on both, to
 * the last bit, as long as no node comes back from repair: one that does stands by at once, before
 * the one that was ordered, and divides the intervals of which step noise is drawn and work
 * rounded.
 *
 * What is left out: free nodes of the pool, which are charged; counts of repairs and quarantine,
 * which only a pool that follows its nodes has; lemons, whose number is exact there and drawn node
 * by node without an end. */
#include "sim/lifetime/pool/shared_pool.h"
#include "tests/support/any_life.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

enum { LIVES = 3, MANY = 6000, MOST_JOBS = 3 };

/* A config without a pool in which more nodes go than stand by, and standbys come while hosts are
 * chosen. */
static void any_endless_life(struct any_life *life, uint64_t key)
{
    struct hc_lifetime_config *c = &life->config;
    struct hc_lifetime_recovery r;
    any_life_init(life, key);
    r = (struct hc_lifetime_recovery){.warm_standbys = c->recovery.warm_standbys,
                                      .wake_s = c->recovery.wake_s,
                                      .replenish_s = any_time(one_of(2) ? 2000 : 40000),
                                      .shortfall = c->recovery.shortfall,
                                      .reschedule_s = any_time(20000),
                                      .queue_s = any_time(20000),
                                      .queues_first = c->recovery.queues_first,
                                      .full_start_on_reschedule = one_of(2)};
    c->recovery = r;
    c->repair = (struct hc_lifetime_repair){0};
    c->lemon_share = 0;
    c->job.horizon_s = c->job.horizon_s > 5 * DAY_S ? 5 * DAY_S : c->job.horizon_s;
    for (size_t f = 0; f < c->n_faults; f++) {
        life->fault[f].per_day *= 3;
        if (!one_of(2) || life->fault[f].effect != HC_EFFECT_STOP)
            continue;
        life->fault[f].remedy = HC_REMEDY_EVICT + one_of(2);
        life->fault[f].rollback_checkpoints = 0;
    }
}

static void make_elastic(struct any_life *life)
{
    struct hc_lifetime_config *c = &life->config;
    c->elastic.on = true;
    c->elastic.dp_replicas = 2 + one_of(6);
    c->elastic.min_replicas = 1 + one_of(c->elastic.dp_replicas);
    c->elastic.before_standbys = one_of(2);
    c->elastic.keeps_state = one_of(2);
    c->elastic.leave_s = any_time(60);
    c->elastic.rejoin_s = any_time(200);
    c->job.nodes = c->elastic.dp_replicas * (1 + one_of(4));
    for (int f = 0; f < 4; f++) {
        life->fault[f].domain_nodes = 1 + one_of(c->job.nodes);
        life->fault[f].group_nodes = 1 + one_of(c->job.nodes);
    }
}

/* Copies in memory, placed by shape; groups of ranks go together. */
static void place_copies(struct any_life *life)
{
    struct hc_lifetime_config *c = &life->config;
    c->job.nodes = 8;
    c->job.gpus_per_node = 2;
    c->job.parallel = (struct hc_lifetime_parallel){.tp = 2, .pp = 4, .dp = 2};
    c->checkpoint.mode = HC_CHECKPOINT_IN_MEMORY;
    c->checkpoint.every_s = 900;
    c->checkpoint.durable_s = hc_distribution_constant(100);
    c->checkpoint.memory_remote_every_s = 10000;
    c->checkpoint.memory_nodes_lost = 0;
    c->job.step_s = hc_distribution_constant(0);
    for (int f = 0; f < 4; f++) {
        life->fault[f].domain_nodes = 1 + one_of(8);
        life->fault[f].group_nodes = 1 + one_of(8);
        if (life->fault[f].remedy == HC_REMEDY_EVICT_GROUP)
            life->fault[f].group = one_of(4);
    }
}

/* The same on a pool that holds MANY more nodes than it needs. */
static struct hc_lifetime_config on_large_pool(const struct hc_lifetime_config *endless)
{
    struct hc_lifetime_config c = *endless;
    const struct hc_distribution never = hc_distribution_constant(1e10);
    c.recovery.pool_nodes = c.job.nodes + c.recovery.warm_standbys + MANY;
    c.recovery.spare_nodes = one_of(3);
    c.recovery.spares_return = one_of(2);
    c.recovery.preempt_s = any_time(1000);
    c.recovery.takes_standbys = one_of(2);
    c.recovery.refill = c.recovery.warm_standbys ? HC_REFILL_ALWAYS : one_of(2);
    c.repair.automatic_s = c.repair.innocent_s = never;
    c.repair.to_manual = c.repair.retire = upto(0.5);
    c.repair.manual_s = any_time(DAY_S);
    c.repair.quarantine_faults = one_of(3);
    c.repair.quarantine_window_s = 5 * DAY_S;
    c.repair.quarantine_s = DAY_S;
    c.repair.quarantine_false = one_of(2) * 0.3;
    return c;
}

/* Take out of a life what only a pool with an end has. */
static void leave_out_pool(struct hc_lifetime_replica *life)
{
    static const int only[] = {HC_COUNT_REPAIRS, HC_COUNT_QUARANTINED,
                               HC_COUNT_QUARANTINED_HEALTHY};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        life->count[only[i]] = 0;
    life->account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = 0;
}

static void assert_same(struct hc_lifetime_replica *endless, struct hc_lifetime_replica *pooled,
                        uint64_t key)
{
    leave_out_pool(endless);
    leave_out_pool(pooled);
    ck_assert_msg(memcmp(endless, pooled, sizeof *endless) == 0,
                  "key %llu: wall %.9f s without an end, %.9f s on a large pool; standbys used "
                  "%lld, %lld; seconds of idle standbys %.9f, %.9f",
                  (unsigned long long)key, (double)endless->wall_ns * 1e-9,
                  (double)pooled->wall_ns * 1e-9, (long long)endless->count[HC_COUNT_STANDBYS_USED],
                  (long long)pooled->count[HC_COUNT_STANDBYS_USED],
                  hc_gpu_hours(hc_account_what(&endless->account, HC_WHAT_STANDBY_IDLE)) * 3600,
                  hc_gpu_hours(hc_account_what(&pooled->account, HC_WHAT_STANDBY_IDLE)) * 3600);
}

static void run_lives(const struct hc_lifetime_config *c, struct hc_lifetime_replica *out)
{
    if (hc_lifetime_run(c, 0, LIVES, out, &err))
        ck_abort_msg("key %llu: %s", (unsigned long long)c->key, err.message);
}

/* What the lives of a property went through: it says nothing about what did not happen. */
struct met {
    int64_t used, short_of, requeues, leaves, slow;
};

static void count_met(struct met *met, const struct hc_lifetime_replica *life)
{
    met->used += life->count[HC_COUNT_STANDBYS_USED];
    met->short_of += life->count[HC_COUNT_RESCHEDULES];
    met->requeues += life->count[HC_COUNT_REQUEUES];
    met->leaves += life->count[HC_COUNT_LEAVES];
    met->slow += hc_account_what(&life->account, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS) > 0;
}

START_TEST(a_large_pool_is_a_pool_without_end)
{
    struct hc_lifetime_replica endless[LIVES], pooled[LIVES];
    struct met met = {0};
    for (uint64_t key = 0; key < 120; key++) {
        struct any_life life;
        any_endless_life(&life, key);
        if (key % 3 == 1)
            make_elastic(&life);
        if (key % 6 == 2)
            place_copies(&life);
        struct hc_lifetime_config c = on_large_pool(&life.config);
        run_lives(&life.config, endless);
        run_lives(&c, pooled);
        for (int i = 0; i < LIVES; i++) {
            count_met(&met, &endless[i]);
            assert_same(&endless[i], &pooled[i], key);
        }
    }
    ck_assert_int_gt(met.used, 1000);
    ck_assert_int_gt(met.short_of, 800);
    ck_assert_int_gt(met.requeues, 1000);
    ck_assert_int_gt(met.leaves, 500);
    ck_assert_int_gt(met.slow, 50);
}
END_TEST

/* Jobs that share such a pool live as each does without an end. */
START_TEST(jobs_on_a_large_pool_live_as_alone)
{
    static struct any_life life[MOST_JOBS];
    struct hc_lifetime_replica endless[LIVES], together[LIVES * MOST_JOBS];
    struct hc_lifetime_pool pool[LIVES];
    struct met met = {0};
    for (uint64_t key = 0; key < 30; key++) {
        struct hc_shared_pool_job job[MOST_JOBS];
        struct hc_shared_pool fleet = {.job = job, .n_jobs = 2 + key % 2};
        for (size_t j = 0; j < fleet.n_jobs; j++) {
            any_endless_life(&life[j], key * MOST_JOBS + j);
            life[j].config.recovery.warm_standbys += !life[j].config.recovery.warm_standbys;
            life[j].config.job.work_s = 0; /* a job that ends leaves nodes to the others */
            life[j].config.job.horizon_s = life[0].config.job.horizon_s;
            job[j] = (struct hc_shared_pool_job){"job", on_large_pool(&life[j].config)};
            job[j].config.job.priority = one_of(3);
            job[j].config.repair = job[0].config.repair;
            job[j].config.recovery.pool_nodes = MOST_JOBS * MANY;
            job[j].config.recovery.spare_nodes = job[0].config.recovery.spare_nodes;
            job[j].config.recovery.spares_return = job[0].config.recovery.spares_return;
        }
        struct hc_shared_pool_lives lives = {.job = together, .pool = pool};
        if (hc_shared_pool_run(&fleet, 0, LIVES, &lives, &err))
            ck_abort_msg("key %llu: %s", (unsigned long long)key, err.message);
        for (size_t j = 0; j < fleet.n_jobs; j++) {
            run_lives(&life[j].config, endless);
            for (size_t i = 0; i < LIVES; i++) {
                count_met(&met, &endless[i]);
                assert_same(&endless[i], &together[i * fleet.n_jobs + j], key);
            }
        }
    }
    ck_assert_int_gt(met.used, 500);
    ck_assert_int_gt(met.short_of, 500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_endless");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_large_pool_is_a_pool_without_end);
    tcase_add_test(tests, jobs_on_a_large_pool_live_as_alone);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
