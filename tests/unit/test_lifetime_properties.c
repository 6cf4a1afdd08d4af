/* What must hold of lifetimes whatever their config: on at least 50 random ones a property. */
#include "sim/lifetime/life_streams.h"
#include "tests/support/any_life.h"
#include "tests/support/lifetime_case.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

enum { LIVES = 24, CONFIGS = 50, KEYS = 400 };

/* Of the interval of a mean: so many are asked that one in a hundred would be wrong by chance. */
#define LEVEL 0.999

/* ---- two configs, replica by replica on the same draws ---- */

struct pair {
    struct hc_lifetime_replica life[LIVES]; /* of the base */
    struct hc_moments base, difference;     /* of ETTR; difference: other - base */
    double n_faults;
};

static void run_lives(const struct hc_lifetime_config *c, struct hc_lifetime_replica *out)
{
    if (hc_lifetime_run(c, 0, LIVES, out, &err))
        ck_abort_msg("key %llu: %s", (unsigned long long)c->key, err.message);
}

static void run_base(struct pair *pair, const struct hc_lifetime_config *base)
{
    *pair = (struct pair){0};
    run_lives(base, pair->life);
    for (int i = 0; i < LIVES; i++) {
        hc_moments_add(&pair->base, hc_lifetime_figure(&pair->life[i], HC_FIGURE_ETTR_BYTEROBUST));
        pair->n_faults += (double)pair->life[i].count[HC_COUNT_FAULTS] / LIVES;
    }
}

static void run_other(struct pair *pair, const struct hc_lifetime_config *other)
{
    static struct hc_lifetime_replica life[LIVES];
    run_lives(other, life);
    for (int i = 0; i < LIVES; i++)
        hc_moments_add(&pair->difference,
                       hc_lifetime_figure(&life[i], HC_FIGURE_ETTR_BYTEROBUST) -
                           hc_lifetime_figure(&pair->life[i], HC_FIGURE_ETTR_BYTEROBUST));
}

/* Config number key, at most a week long, where
 * - nodes are always found: in a small pool the wait for the next repair decides, and to lose time
 *   elsewhere may cost nothing;
 * - nothing is planned at a wall time: who gets on faster may have more to lose just then.
 * False where that is another config, or there is no fault. */
static bool endless_life(struct any_life *life, uint64_t key)
{
    struct hc_lifetime_job *job = &life->config.job;
    any_life_init(life, key);
    job->n_planned_stops = job->n_code_changes = 0;
    job->work_s = job->work_s > 4 * DAY_S ? 4 * DAY_S : job->work_s;
    job->horizon_s = 7 * DAY_S;
    return life->config.n_faults > 0 && life->config.recovery.pool_nodes == 0;
}

/* Enough happens, and enough is left, for a difference to be seen. */
static bool tells(const struct pair *pair)
{
    return pair->n_faults >= 5 && pair->base.mean > 0.1 && pair->base.mean < 0.99;
}

static void assert_lower(const struct pair *pair, uint64_t key)
{
    ck_assert_msg(pair->difference.mean + hc_moments_half_width(&pair->difference, LEVEL) < 0,
                  "key %llu: ETTR %g changes by %g +- %g", (unsigned long long)key, pair->base.mean,
                  pair->difference.mean, hc_moments_half_width(&pair->difference, LEVEL));
}

static void assert_not_lower(const struct pair *pair, uint64_t key)
{
    ck_assert_msg(pair->difference.mean + hc_moments_half_width(&pair->difference, LEVEL) >= 0,
                  "key %llu: ETTR %g changes by %g +- %g", (unsigned long long)key, pair->base.mean,
                  pair->difference.mean, hc_moments_half_width(&pair->difference, LEVEL));
}

/* ---- worse ---- */

START_TEST(more_faults_lower_ettr)
{
    static struct pair pair;
    int n = 0;
    for (uint64_t key = 0; n < CONFIGS && key < KEYS; key++) {
        struct any_life life, more;
        if (!endless_life(&life, key) || !endless_life(&more, key))
            continue;
        for (size_t f = 0; f < more.config.n_faults; f++) {
            more.fault[f].per_day *= 3;
            more.fault[f].between_s.scale /= 3;
        }
        run_base(&pair, &life.config);
        if (!tells(&pair))
            continue;
        run_other(&pair, &more.config);
        assert_lower(&pair, key);
        n++;
    }
    ck_assert_int_ge(n, CONFIGS);
}
END_TEST

/* An hour or more on top, where there is anything to detect and no timeout. */
START_TEST(slower_detection_lowers_ettr)
{
    static struct pair pair;
    int n = 0;
    for (uint64_t key = 0; n < CONFIGS && key < KEYS; key++) {
        struct any_life life, slower;
        if (!endless_life(&life, key) || !endless_life(&slower, key))
            continue;
        bool detects = false;
        for (size_t f = 0; f < life.config.n_faults; f++) {
            life.fault[f].detection.timeout_s = slower.fault[f].detection.timeout_s = 0;
            slower.fault[f].detection.delay_s.scale *= 3;
            slower.fault[f].detection.inspect_every_s = 7200;
            detects |= life.fault[f].effect != HC_EFFECT_NONE;
        }
        if (!detects)
            continue;
        run_base(&pair, &life.config);
        if (!tells(&pair))
            continue;
        run_other(&pair, &slower.config);
        assert_lower(&pair, key);
        n++;
    }
    ck_assert_int_ge(n, CONFIGS);
}
END_TEST

/* ---- replica by replica, where nothing heals, merges or is absorbed ---- */

static void any_saves(struct hc_lifetime_config *c)
{
    c->checkpoint.mode = HC_CHECKPOINT_BLOCKING;
    c->checkpoint.every_s = 600 + upto(3000);
}

/* Stops that the job meets while it runs, by rate; nodes without end and without standbys; nothing
 * that comes by wall time. */
static void plain_life(struct any_life *life, uint64_t key)
{
    struct hc_lifetime_config *c = &life->config;
    any_life_init(life, key);
    if (c->checkpoint.mode == HC_CHECKPOINT_NONE)
        any_saves(c);
    c->checkpoint.corrupt /= 10; /* so that all of them get on */
    c->recovery = hc_lifetime_config_defaults().recovery;
    c->repair = hc_lifetime_config_defaults().repair;
    c->recovery.queue_s = any_time(4000);
    c->recovery.reschedule_s = any_time(400);
    c->job.n_planned_stops = c->job.n_code_changes = 0;
    c->job.horizon_s = 0;
    c->job.work_s = (1 + upto(3)) * DAY_S;
    c->strikes = HC_STRIKES_RUNNING;
    c->n_faults = 1 + (size_t)one_of(3);
    for (size_t f = 0; f < c->n_faults; f++) {
        struct hc_lifetime_fault *fault = &life->fault[f];
        fault->effect = HC_EFFECT_STOP;
        fault->slow_factor = 1;
        fault->saves_first = false;
        fault->forced_after_s = 0;
        fault->between_s = hc_distribution_constant(0);
        fault->per_day =
            fault->unit == HC_PER_JOB ? 0.3 + upto(1.2) : (0.3 + upto(1.2)) / c->job.nodes;
        fault->helps = 0.5 + upto(0.5);
        fault->ladder_helps = 0.5;
        fault->detection.delay_s = hc_distribution_constant(upto(900));
        fault->detection.inspect_every_s = fault->detection.timeout_s = 0;
        fault->detection.inspect_count = 1;
    }
}

/* The same faults at the same exposure: each notice takes longer by just as much. */
START_TEST(slower_detection_costs_each_replica_just_that)
{
    static struct hc_lifetime_replica a[LIVES], b[LIVES];
    int64_t n_notices = 0;
    for (uint64_t key = 0; key < CONFIGS; key++) {
        struct any_life life;
        plain_life(&life, key);
        run_lives(&life.config, a);
        for (size_t f = 0; f < life.config.n_faults; f++)
            life.fault[f].detection.delay_s.scale += 300;
        run_lives(&life.config, b);
        for (int i = 0; i < LIVES; i++) {
            int64_t n = a[i].count[HC_COUNT_FAULTS] + a[i].count[HC_COUNT_RECURRENCES];
            ck_assert(a[i].finished && b[i].finished);
            ck_assert_int_eq(b[i].count[HC_COUNT_FAULTS], a[i].count[HC_COUNT_FAULTS]);
            ck_assert_int_eq(b[i].productive_ns, a[i].productive_ns);
            ck_assert_int_eq(b[i].wall_ns - a[i].wall_ns, n * 300000000000);
            n_notices += n;
        }
    }
    ck_assert_int_gt(n_notices, CONFIGS * LIVES);
}
END_TEST

/* With nothing to lose but time, the faults of twice the rate hold those of the rate. */
START_TEST(more_faults_cost_each_replica)
{
    static struct hc_lifetime_replica a[LIVES], b[LIVES];
    int n_more = 0;
    for (uint64_t key = 0; key < CONFIGS; key++) {
        struct any_life life;
        struct hc_lifetime_config *c = &life.config;
        plain_life(&life, key);
        c->checkpoint = hc_lifetime_config_defaults().checkpoint;
        c->checkpoint.mode = HC_CHECKPOINT_ASYNC;
        c->checkpoint.every_s = 0.001;
        c->job.step_s = hc_distribution_constant(0);
        c->n_faults = 1;
        life.fault[0].remedy = HC_REMEDY_REATTEMPT;
        life.fault[0].rollback_checkpoints = 0;
        life.fault[0].remedy_s = hc_distribution_constant(60 + upto(600));
        life.fault[0].detection.localise_s = life.phase.first_s = life.phase.hot_s =
            hc_distribution_constant(upto(300));
        life.fault[0].detection.misdiagnosis = 0;
        life.fault[0].helps = 1;
        run_lives(c, a);
        life.fault[0].per_day *= 2;
        run_lives(c, b);
        for (int i = 0; i < LIVES; i++) {
            ck_assert_int_ge(b[i].count[HC_COUNT_FAULTS], a[i].count[HC_COUNT_FAULTS]);
            if (b[i].count[HC_COUNT_FAULTS] == a[i].count[HC_COUNT_FAULTS])
                continue;
            ck_assert_int_gt(b[i].wall_ns, a[i].wall_ns);
            ck_assert(hc_lifetime_figure(&b[i], HC_FIGURE_ETTR_BYTEROBUST) <
                      hc_lifetime_figure(&a[i], HC_FIGURE_ETTR_BYTEROBUST));
            n_more++;
        }
    }
    ck_assert_int_gt(n_more, CONFIGS * LIVES / 2);
}
END_TEST

/* ---- better ---- */

/* A fault that evicts, among others. */
static bool evicting_life(struct any_life *life, uint64_t key)
{
    if (!endless_life(life, key))
        return false;
    struct hc_lifetime_fault *fault = &life->fault[0];
    fault->effect = HC_EFFECT_STOP;
    fault->remedy = HC_REMEDY_EVICT;
    fault->slow_factor = 1;
    fault->rollback_checkpoints = 0;
    fault->saves_first = false;
    fault->forced_after_s = 0;
    return true;
}

/* Standbys that come sooner than other hosts. */
START_TEST(standbys_do_not_lower_ettr)
{
    static struct pair pair;
    int n = 0, n_better = 0;
    for (uint64_t key = 0; n < CONFIGS && key < KEYS; key++) {
        struct any_life life, with;
        if (!evicting_life(&life, key) || !evicting_life(&with, key))
            continue;
        life.config.recovery.wake_s.scale = with.config.recovery.wake_s.scale = 0;
        life.config.recovery.warm_standbys = 0;
        with.config.recovery.warm_standbys = 1 + (int32_t)(key % 4);
        run_base(&pair, &life.config);
        run_other(&pair, &with.config);
        assert_not_lower(&pair, key);
        n_better += pair.difference.mean > hc_moments_half_width(&pair.difference, LEVEL);
        n++;
    }
    ck_assert_int_ge(n, CONFIGS);
    ck_assert_int_gt(n_better, CONFIGS / 4);
}
END_TEST

START_TEST(faster_recovery_does_not_lower_ettr)
{
    static struct pair pair;
    int n = 0, n_better = 0;
    for (uint64_t key = 0; n < CONFIGS && key < KEYS; key++) {
        struct any_life life, faster;
        if (!endless_life(&life, key) || !endless_life(&faster, key))
            continue;
        for (size_t f = 0; f < life.config.n_faults; f++)
            faster.fault[f].remedy_s.scale /= 4;
        struct hc_lifetime_recovery *r = &faster.config.recovery;
        r->wake_s.scale /= 4;
        r->reschedule_s.scale /= 4;
        r->queue_s.scale /= 4;
        faster.phase.full_s.scale /= 4;
        faster.phase.hot_s.scale /= 4;
        run_base(&pair, &life.config);
        run_other(&pair, &faster.config);
        assert_not_lower(&pair, key);
        n_better += pair.difference.mean > hc_moments_half_width(&pair.difference, LEVEL);
        n++;
    }
    ck_assert_int_ge(n, CONFIGS);
    ck_assert_int_gt(n_better, CONFIGS / 2);
}
END_TEST

START_TEST(cheaper_saves_do_not_lower_ettr)
{
    static struct pair pair;
    int n = 0, n_better = 0;
    for (uint64_t key = 0; n < CONFIGS && key < KEYS; key++) {
        struct any_life life, cheaper;
        if (!endless_life(&life, key) || !endless_life(&cheaper, key) ||
            life.config.checkpoint.mode == HC_CHECKPOINT_NONE)
            continue;
        cheaper.config.checkpoint.stall_s.scale /= 4;
        run_base(&pair, &life.config);
        run_other(&pair, &cheaper.config);
        assert_not_lower(&pair, key);
        n_better += pair.difference.mean > hc_moments_half_width(&pair.difference, LEVEL);
        n++;
    }
    ck_assert_int_ge(n, CONFIGS);
    ck_assert_int_gt(n_better, CONFIGS / 4);
}
END_TEST

/* ---- bytes, and GPU-hours ---- */

START_TEST(the_same_seed_gives_the_same_bytes)
{
    enum { FEW = 6 };
    struct hc_lifetime_replica one[FEW], many[FEW];
    struct hc_lifetime_summary sum, again;
    for (uint64_t key = 0; key < CONFIGS; key++) {
        struct any_life life;
        struct hc_lifetime_config *c = &life.config;
        any_life_init(&life, key);
        c->replicas = FEW;
        c->threads = 1;
        ck_assert_int_eq(hc_lifetime_run(c, 0, FEW, one, &err), HC_OK);
        ck_assert_int_eq(hc_lifetime_simulate(c, &sum, &err), HC_OK);
        for (c->threads = 2; c->threads <= 5; c->threads += 3) {
            ck_assert_int_eq(hc_lifetime_run(c, 0, FEW, many, &err), HC_OK);
            ck_assert_mem_eq(one, many, sizeof one);
            ck_assert_int_eq(hc_lifetime_simulate(c, &again, &err), HC_OK);
            ck_assert_mem_eq(&sum, &again, sizeof sum);
        }
        c->seed++;
        ck_assert_int_eq(hc_lifetime_run(c, 0, FEW, many, &err), HC_OK);
        if (c->n_faults)
            ck_assert_mem_ne(one, many, sizeof one);
    }
}
END_TEST

/* GPU-time is what the nodes were held, and what standbys waited: at most all of them always, and
 * just that where none was used. */
START_TEST(gpu_hours_are_kept_with_standbys)
{
    static struct hc_lifetime_replica out[LIVES];
    int n_unused = 0;
    for (uint64_t key = 0, n = 0; n < CONFIGS; key++) {
        struct any_life life;
        if (!endless_life(&life, key))
            continue;
        n++;
        const struct hc_lifetime_config *c = &life.config;
        hc_gpu_ns gpus = (hc_gpu_ns)c->job.nodes * c->job.gpus_per_node;
        run_lives(c, out);
        for (int i = 0; i < LIVES; i++) {
            const struct hc_lifetime_replica *r = &out[i];
            hc_gpu_ns idle = hc_account_what(&r->account, HC_WHAT_STANDBY_IDLE);
            hc_gpu_ns all =
                (hc_gpu_ns)c->recovery.warm_standbys * c->job.gpus_per_node * r->wall_ns;
            ck_assert(hc_account_total(&r->account) == (r->wall_ns - r->queue_ns) * gpus + idle);
            ck_assert(idle >= 0 && idle <= all);
            ck_assert(r->count[HC_COUNT_STANDBYS_USED] || idle == all);
            n_unused += all > 0 && !r->count[HC_COUNT_STANDBYS_USED];
            double hours = (double)(r->wall_ns - r->queue_ns) * (double)gpus / 3.6e12;
            ck_assert_double_eq_tol(hc_lifetime_figure(r, HC_FIGURE_TOTAL_GPU_H) -
                                        hc_lifetime_figure(r, HC_FIGURE_STANDBY_IDLE_GPU_H),
                                    hours, 1e-9 * (1 + hours));
        }
    }
    ck_assert_int_gt(n_unused, 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_properties");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 280);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, more_faults_lower_ettr);
    tcase_add_test(tests, slower_detection_lowers_ettr);
    tcase_add_test(tests, slower_detection_costs_each_replica_just_that);
    tcase_add_test(tests, more_faults_cost_each_replica);
    tcase_add_test(tests, standbys_do_not_lower_ettr);
    tcase_add_test(tests, faster_recovery_does_not_lower_ettr);
    tcase_add_test(tests, cheaper_saves_do_not_lower_ettr);
    tcase_add_test(tests, the_same_seed_gives_the_same_bytes);
    tcase_add_test(tests, gpu_hours_are_kept_with_standbys);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
