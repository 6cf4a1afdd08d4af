/* What theory says of a run (docs/methods/lifetime.md, "Against closed forms"), where the config is
 * near enough to what the formula is for; else what of it is not.
 *
 * The formula is exact for exponential faults, one restart time and blocking saves. Here the
 * restart is the mean over causes, standbys are taken to be there, and a save that is durable d
 * after its snapshot costs d of steps more at each stop. */
#include "study/engines/lifetime/lifetime_wing.h"

#include <math.h>

#define POINTS 64 /* of a distribution whose slowest draw is averaged */

/* ---- durations ---- */

/* Of the slowest of n, by quantiles. */
static double mean_of_slowest(const struct hc_distribution *d, double n)
{
    double sum = 0;
    if (n <= 1 || d->kind == HC_DISTRIBUTION_CONSTANT)
        return hc_distribution_mean(d);
    for (int i = 0; i < POINTS; i++)
        sum += hc_distribution_exceeded(d, -expm1(log((i + 0.5) / POINTS) / n));
    return sum / POINTS;
}

static double start_s(const struct hc_lifetime_config *config, bool is_full)
{
    double sum = 0;
    for (size_t i = 0; i < config->startup.n_phases; i++) {
        const struct hc_lifetime_phase *phase = &config->startup.phase[i];
        sum += phase->factor * mean_of_slowest(is_full ? &phase->full_s : &phase->hot_s,
                                               phase->per_node ? config->job.nodes : 1);
    }
    return sum;
}

static double notice_s(const struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_detection *d = &fault->detection;
    double seconds = hc_distribution_mean(&d->delay_s);
    if (fault->effect == HC_EFFECT_NONE)
        return 0;
    if (d->inspect_every_s > 0)
        seconds += d->inspect_every_s * (d->inspect_count - 0.5);
    if (d->timeout_s > 0 && (seconds == 0 || seconds > d->timeout_s))
        seconds = d->timeout_s;
    return seconds + hc_distribution_mean(&d->localise_s) + 2 * d->replay_s;
}

/* ---- one stop ---- */

struct stop {
    double rate_per_s;
    double standing_s; /* nothing strikes */
    double start_s;
    double redone_s; /* of steps, beyond those since the last snapshot */
};

struct given {
    const struct hc_lifetime_config *config;
    struct hc_lifetime_derived derived;
};

static void choose_hosts(const struct given *given, const struct hc_lifetime_fault *fault,
                         struct stop *stop)
{
    const struct hc_lifetime_recovery *r = &given->config->recovery;
    bool is_evicted = fault->remedy == HC_REMEDY_EVICT || fault->remedy == HC_REMEDY_EVICT_GROUP;
    bool is_queued =
        fault->remedy == HC_REMEDY_REQUEUE ||
        (is_evicted && !given->derived.standbys && r->shortfall == HC_SHORTFALL_REQUEUE);
    bool is_full = is_queued;
    if (is_queued) {
        stop->standing_s += hc_distribution_mean(&r->queue_s);
    } else if (is_evicted && given->derived.standbys) {
        stop->standing_s += hc_distribution_mean(&r->wake_s);
    } else if (is_evicted) {
        stop->standing_s += hc_distribution_mean(&r->reschedule_s);
        is_full = r->full_start_on_reschedule;
    }
    stop->start_s += start_s(given->config, is_full);
}

static struct stop stop_of(const struct given *given, const struct hc_lifetime_fault *fault)
{
    struct hc_lifetime_config alone = *given->config;
    struct hc_lifetime_fault stopping = *fault;
    struct stop stop = {0};
    stopping.effect = HC_EFFECT_STOP;
    alone.fault = &stopping;
    alone.n_faults = 1;
    stop.rate_per_s = hc_lifetime_stop_rate(&alone);
    stop.standing_s = notice_s(fault) + hc_distribution_mean(&fault->remedy_s);
    choose_hosts(given, fault, &stop);
    if (fault->remedy == HC_REMEDY_ROLLBACK)
        stop.redone_s = fault->rollback_checkpoints * (double)given->derived.every_ns * 1e-9;
    return stop;
}

/* ---- whether theory may be asked ---- */

/* A change of code that waits for nothing stops the job as a fault does. */
static bool is_stopping(const struct hc_lifetime_fault *fault)
{
    return fault->effect == HC_EFFECT_STOP ||
           (fault->effect == HC_EFFECT_NONE && fault->forced_after_s == 0);
}

/* Whether the rate of a cause is another one at first. */
static bool is_young(const struct hc_lifetime_fault *fault)
{
    return hc_distribution_mean(&fault->between_s) > 0 && fault->age != HC_AGE_STATIONARY &&
           fault->between_s.kind != HC_DISTRIBUTION_EXPONENTIAL;
}

/* What of a fault the closed form does not know; NULL: nothing. */
static const char *outside_of_fault(const struct hc_lifetime_fault *fault)
{
    if (!is_stopping(fault))
        return "faults that do not stop the job at once";
    if (fault->n_incidents)
        return "recorded incidents";
    if (hc_distribution_mean(&fault->between_s) > 0)
        return "times between faults that are not exponential";
    if (fault->infant_factor != 1)
        return "nodes that fail more often after their repair";
    if (fault->detection.misdiagnosis > 0 || fault->helps < 1)
        return "remedies that may not help";
    return NULL;
}

static const char *outside_of_saves(const struct hc_lifetime_checkpoint *c)
{
    if (c->mode == HC_CHECKPOINT_NONE)
        return "a job that saves nothing";
    if (c->mode == HC_CHECKPOINT_IN_MEMORY)
        return "saves in memory";
    if (c->interval == HC_INTERVAL_MEASURED)
        return "intervals between saves that differ";
    return c->corrupt > 0 ? "saves that may be corrupt" : NULL;
}

/* Standbys are taken to be there whenever one is needed: so it must have been at nearly every stop
 * of what was simulated. */
#define MOST_SHORT 0.005

static bool run_out(const struct given *given, const struct hc_lifetime_summary *lives)
{
    double without = lives->count[HC_COUNT_RESCHEDULES].mean;
    if (given->config->recovery.shortfall == HC_SHORTFALL_REQUEUE)
        without = lives->count[HC_COUNT_REQUEUES].mean;
    return given->derived.standbys && without > MOST_SHORT * lives->count[HC_COUNT_STOPS].mean;
}

static const char *outside_of(const struct given *given, const struct hc_lifetime_summary *lives)
{
    const struct hc_lifetime_config *config = given->config;
    const char *outside = outside_of_saves(&config->checkpoint);
    for (size_t i = 0; i < config->n_faults && !outside; i++)
        outside = outside_of_fault(&config->fault[i]);
    if (outside)
        return outside;
    if (config->strikes == HC_STRIKES_ALWAYS)
        return "faults that strike while the job stands";
    if (config->recovery.pool_nodes)
        return "a pool with an end";
    if (config->elastic.on)
        return "an elastic job";
    if (config->job.n_planned_stops)
        return "planned stops";
    if (config->job.n_code_changes)
        return "changes of code";
    return run_out(given, lives) ? "standbys that run out" : NULL;
}

static void put_ettr(const struct given *given, struct hc_study_reference *reference)
{
    const struct hc_lifetime_checkpoint *c = &given->config->checkpoint;
    struct stop sum = {0};
    for (size_t i = 0; i < given->config->n_faults; i++) {
        struct stop stop = stop_of(given, &given->config->fault[i]);
        sum.rate_per_s += stop.rate_per_s;
        sum.standing_s += stop.rate_per_s * stop.standing_s;
        sum.start_s += stop.rate_per_s * stop.start_s;
        sum.redone_s += stop.rate_per_s * stop.redone_s;
    }
    double redone = sum.redone_s / sum.rate_per_s, standing = sum.standing_s / sum.rate_per_s;
    double start = sum.start_s / sum.rate_per_s + hc_distribution_mean(&c->load_s) +
                   given->derived.load_extra_s;
    if (c->mode != HC_CHECKPOINT_BLOCKING)
        redone += hc_distribution_mean(&c->durable_s) + given->derived.durable_extra_s;
    bool is_exposed = given->config->strikes == HC_STRIKES_HELD;
    struct hc_ettr_terms terms = {
        .rate_per_s = sum.rate_per_s,
        .every_s = (double)given->derived.every_ns * 1e-9,
        .write_s = hc_distribution_mean(&c->stall_s) + given->derived.stall_extra_s,
        .restart_s = redone + (is_exposed ? start : 0),
        .queue_s = standing + (is_exposed ? 0 : start),
    };
    if (!(terms.rate_per_s > 0))
        return;
    reference->ettr_exact = hc_ettr_exact(&terms);
    reference->ettr_first_order = hc_ettr_first_order(&terms);
}

struct hc_study_reference hc_lifetime_reference(const struct hc_lifetime_config *config,
                                                const struct hc_lifetime_summary *lives)
{
    struct hc_study_reference reference = {NAN, false, NAN, NAN, NAN, NULL};
    struct given given = {.config = config};
    struct hc_error ignored;
    double rate = hc_lifetime_stop_rate(config), all = rate;
    bool heals = config->lemon_share > 0 && config->recovery.pool_nodes > 0; /* the rates change */
    if (config->n_faults == 0 || hc_lifetime_derive(&given.derived, config, &ignored))
        return reference;
    reference.outside = outside_of(&given, lives);
    if (heals)
        return reference;
    for (size_t i = 0; i < config->n_faults; i++)
        if (config->fault[i].effect != HC_EFFECT_STOP && is_stopping(&config->fault[i]))
            all += stop_of(&given, &config->fault[i]).rate_per_s;
    if (all > 0)
        reference.mttf_s = 1 / all;
    for (size_t i = 0; i < config->n_faults; i++)
        reference.is_long_run |= is_stopping(&config->fault[i]) && is_young(&config->fault[i]);
    double write = hc_distribution_mean(&config->checkpoint.stall_s) + given.derived.stall_extra_s;
    if (rate > 0 && write > 0 && config->checkpoint.mode != HC_CHECKPOINT_NONE)
        reference.young_interval_s = hc_young_interval_s(write, 1 / rate);
    if (!reference.outside)
        put_ettr(&given, &reference);
    return reference;
}
