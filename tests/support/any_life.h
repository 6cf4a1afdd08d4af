/* any_life.h - lifetimes of any shape, drawn at random: what holds in any life is tried on them. */
#ifndef HC_TESTS_ANY_LIFE_H
#define HC_TESTS_ANY_LIFE_H

#include "tests/support/lifetime_case.h"

#include "core/random/philox.h"

static struct hc_philox dice; /* of the config that is being drawn */

static inline double upto(double most)
{
    return most * hc_philox_uniform(&dice);
}

static inline int32_t one_of(int32_t n)
{
    return (int32_t)hc_philox_integer(&dice, (uint64_t)n);
}

static inline struct hc_distribution any_time(double mean)
{
    mean *= hc_philox_uniform(&dice) + 0.01;
    switch (one_of(6)) {
    case 0:
        return hc_distribution_exponential(mean);
    case 1:
        return hc_distribution_lognormal_mean(mean, mean * 2);
    case 2:
        return hc_distribution_weibull_mean(mean, 0.7);
    case 3:
        return hc_distribution_gamma_mean(mean, 2);
    default:
        return hc_distribution_constant(mean);
    }
}

static inline void any_fault(struct hc_lifetime_fault *f, const struct hc_lifetime_config *c)
{
    *f = hc_lifetime_fault_defaults();
    f->name = "any";
    f->why = one_of(HC_WHY_NONE);
    f->unit = one_of(4);
    f->effect = one_of(4);
    f->remedy = one_of(6);
    f->domain_nodes = 1 + one_of(c->job.nodes);
    f->group_nodes = 1 + one_of(c->job.nodes);
    if (f->unit == HC_PER_DOMAIN && f->effect != HC_EFFECT_STOP)
        f->unit = HC_PER_NODE;
    if (one_of(3))
        f->per_day = f->unit == HC_PER_JOB ? upto(8) : upto(8) / c->job.nodes;
    else
        f->between_s = any_time((f->unit == HC_PER_JOB ? 1 : 8 * c->job.nodes) * DAY_S);
    f->detection.delay_s = any_time(600);
    f->detection.inspect_every_s = one_of(2) * 30;
    f->detection.inspect_count = 1 + one_of(3);
    f->detection.timeout_s = one_of(2) * 1800;
    f->detection.localise_s = any_time(100);
    f->detection.misdiagnosis = upto(0.5);
    f->remedy_s = any_time(100);
    f->helps = upto(1) * 0.9 + 0.1;
    f->n_ladder = one_of(3);
    f->ladder[0] = HC_REMEDY_ROLLBACK;
    f->ladder[1] = HC_REMEDY_EVICT;
    if (f->remedy == HC_REMEDY_ROLLBACK)
        f->rollback_checkpoints = one_of(4);
    if (f->effect == HC_EFFECT_SLOW)
        f->slow_factor = 1 + upto(2) + 0.01;
    if (f->effect == HC_EFFECT_NONE)
        f->forced_after_s = one_of(2) * 40000;
    f->saves_first = c->checkpoint.mode != HC_CHECKPOINT_NONE && one_of(2) &&
                     (f->effect == HC_EFFECT_SLOW || f->effect == HC_EFFECT_NONE);
}

static inline void any_checkpoint(struct hc_lifetime_config *c)
{
    struct hc_lifetime_checkpoint *k = &c->checkpoint;
    k->mode = one_of(HC_CHECKPOINT_EVERY_STEP + 1);
    k->load_s = any_time(100);
    k->stall_s = any_time(10);
    k->corrupt = upto(0.3);
    if (one_of(2) || k->mode == HC_CHECKPOINT_EVERY_STEP)
        c->job.step_s = hc_distribution_lognormal_mean(30, 3);
    if (k->mode != HC_CHECKPOINT_EVERY_STEP)
        k->every_s = 300 + upto(5000);
    if (k->mode == HC_CHECKPOINT_ASYNC || k->mode == HC_CHECKPOINT_IN_MEMORY)
        k->durable_s = any_time(250);
    if (k->mode == HC_CHECKPOINT_IN_MEMORY) {
        k->memory_nodes_lost = one_of(3);
        k->memory_remote_every_s = 10000;
    }
}

static inline void any_pool(struct hc_lifetime_config *c)
{
    struct hc_lifetime_recovery *r = &c->recovery;
    r->warm_standbys = one_of(4);
    r->wake_s = any_time(60);
    r->replenish_s = any_time(40000);
    r->shortfall = one_of(2);
    r->reschedule_s = any_time(400);
    r->queue_s = any_time(4000);
    r->queues_first = one_of(2);
    c->lemon_share = one_of(2) * upto(0.5);
    if (one_of(2))
        return;
    r->pool_nodes = c->job.nodes + r->warm_standbys + one_of(5);
    r->spare_nodes = one_of(5);
    r->spares_return = one_of(2);
    r->refill = one_of(2);
    r->preempt_s = any_time(1000);
    c->repair.automatic_s = any_time(DAY_S);
    c->repair.to_manual = upto(1);
    c->repair.manual_s = any_time(3 * DAY_S);
    c->repair.automatic_false = upto(1);
    c->repair.retire = one_of(2) * 0.01;
    c->repair.quarantine_faults = one_of(3);
    c->repair.quarantine_window_s = 5 * DAY_S;
    c->repair.quarantine_s = DAY_S;
    c->repair.innocent_s = any_time(1000);
}

struct any_life {
    struct hc_lifetime_fault fault[4];
    struct hc_lifetime_phase phase;
    struct hc_lifetime_planned_stop stop;
    struct hc_lifetime_code_change change;
    struct hc_lifetime_config config; /* points into the rest */
};

/* Config number i. */
static inline void any_life_init(struct any_life *life, uint64_t i)
{
    struct hc_lifetime_config *c = &life->config;
    hc_philox_seek(&dice, 77, i, 0);
    *c = hc_lifetime_config_defaults();
    life->phase = hc_lifetime_phase_defaults();
    life->stop =
        (struct hc_lifetime_planned_stop){"stop", 100000, 400000, any_time(5000), false, true};
    life->change = (struct hc_lifetime_code_change){"change", 300000, 1.2};
    c->job.nodes = 2 + one_of(30);
    c->job.work_s = upto(20) * DAY_S;
    c->job.horizon_s = upto(40) * DAY_S + 1;
    any_checkpoint(c);
    any_pool(c);
    for (int f = 0; f < 4; f++)
        any_fault(&life->fault[f], c);
    c->fault = life->fault;
    c->n_faults = (size_t)one_of(5);
    life->phase.per_node = one_of(2);
    life->phase.first_s = life->phase.full_s = life->phase.hot_s = any_time(600);
    c->startup.phase = &life->phase;
    c->startup.n_phases = 1;
    life->stop.saves_first = c->checkpoint.mode != HC_CHECKPOINT_NONE && one_of(2);
    c->job.planned_stop = &life->stop;
    c->job.code_change = &life->change;
    c->job.n_planned_stops = c->job.n_code_changes = (size_t)one_of(2);
    c->strikes = one_of(2);
    c->key = i;
}

#endif
