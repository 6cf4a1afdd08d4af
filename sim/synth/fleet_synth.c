#include "sim/synth/fleet_synth.h"

#include "core/base/memory.h"
#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "core/tables/table.h"
#include "sim/synth/step_synth_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Random streams of the fleet as a whole. Job n has stream n, from 1 on. */
#define KIND_STREAM    UINT64_MAX
#define DISCARD_STREAM (UINT64_MAX - 1)

#define DISCARD_EVERY 20
#define TWO_CAUSES    HC_N_STRAGGLER_CAUSES /* a kind of job: two of the causes at once */

/* Jobs of each kind in a hundred. */
static const struct {
    int kind, share;
} kinds[] = {{HC_STRAGGLER_NONE, 20},     {HC_STRAGGLER_WORKER, 14}, {HC_STRAGGLER_STAGE, 16},
             {HC_STRAGGLER_SEQUENCE, 14}, {HC_STRAGGLER_GC, 10},     {HC_STRAGGLER_LINK, 10},
             {HC_STRAGGLER_LAUNCH, 6},    {TWO_CAUSES, 10}};

#define N_PLANTABLE 6 /* HC_STRAGGLER_WORKER .. HC_STRAGGLER_LAUNCH */

/* --- numbers ---------------------------------------------------------------------------------- */

/* To thousandths, so that truth.csv can hold the number and give the same back. */
static double rounded(double x)
{
    return round(x * 1000.0) / 1000.0;
}

static double between(struct hc_philox *rng, double low, double high)
{
    return rounded(low + (high - low) * hc_philox_uniform(rng));
}

/* Evenly spread over the logarithm: as often from 1 to 2 as from 2 to 4. */
static double log_between(struct hc_philox *rng, double low, double high)
{
    return rounded(low * hc_stable_exp(hc_stable_log(high / low) * hc_philox_uniform(rng)));
}

static int32_t one_of(struct hc_philox *rng, const int32_t *values, size_t n)
{
    return values[hc_philox_integer(rng, n)];
}
#define ONE_OF(rng, ...)                                                                           \
    one_of(rng, (const int32_t[]){__VA_ARGS__},                                                    \
           sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

static bool happens(struct hc_philox *rng, double share)
{
    return hc_philox_uniform(rng) < share;
}

static int64_t to_ns(double ms)
{
    return llround(ms * 1e3) * 1000;
}

static double to_ms(int64_t ns)
{
    return (double)ns / 1e6;
}

/* --- shape ------------------------------------------------------------------------------------ */

static bool plants(const struct hc_fleet_synth_job *job, enum hc_straggler_cause cause)
{
    for (size_t i = 0; i < job->n_planted; i++)
        if (job->planted[i].cause == cause)
            return true;
    return false;
}

/* Whether the planted causes can be told from others in this shape. With one dp rank a slow worker
 * is a slow stage; a cause that has most of the workers (links) is what the ideal is made of. */
static bool shows_causes(const struct hc_fleet_synth_job *job)
{
    const struct hc_synth_steps_options *o = &job->options;
    if (plants(job, HC_STRAGGLER_STAGE) && (o->pp < 2 || o->dp < 2))
        return false;
    if (plants(job, HC_STRAGGLER_SEQUENCE) && o->dp < 2)
        return false;
    if ((plants(job, HC_STRAGGLER_WORKER) || plants(job, HC_STRAGGLER_GC)) &&
        (o->dp < 2 || o->dp * o->pp < 4))
        return false;
    return !plants(job, HC_STRAGGLER_LINK) || (o->dp >= 2 && o->dp * (o->pp - 1) >= 3);
}

static int64_t ops_of_step(const struct hc_synth_steps_options *o)
{
    const struct hc_synth_shape shape = {.pp = o->pp,
                                         .vpp = o->vpp,
                                         .microbatches = o->microbatches,
                                         .uses_dp = o->dp * o->dsp > 1,
                                         .overlaps_dp = o->overlap_dp};
    return hc_synth_shape_ops(&shape) * o->dp;
}

static void draw_stages(struct hc_synth_steps_options *o, struct hc_philox *rng)
{
    o->pp = ONE_OF(rng, 1, 1, 1, 2, 2, 2, 3, 4, 4, 4, 6, 8);
    o->vpp = o->pp > 1 && happens(rng, 0.2) ? 2 : 1;
    o->overlap_dp = happens(rng, 0.5);
}

static void draw_width(struct hc_synth_steps_options *o, struct hc_philox *rng)
{
    o->dp = ONE_OF(rng, 1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16);
    o->microbatches = ONE_OF(rng, 4, 6, 8, 8, 12, 16, 16, 24, 32);
    if (o->vpp > 1)
        o->microbatches = (o->microbatches + o->pp - 1) / o->pp * o->pp;
    o->n_steps = 10 + (int32_t)hc_philox_integer(rng, 31);
}

/* Sizes are drawn until the trace is no longer than what a job may have: log-uniform, so that small
 * jobs are more often. One job in 50 may be large. */
static void draw_shape(struct hc_fleet_synth_job *job, struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double room = log_between(rng, 1500, 16000);
    if (happens(rng, 0.02))
        room = log_between(rng, 50000, 120000);
    o->first_step = 10 * (int32_t)hc_philox_integer(rng, 5000);
    o->step_stride = ONE_OF(rng, 1, 2, 5, 10);
    do
        draw_stages(o, rng);
    while (o->pp < 2 && (plants(job, HC_STRAGGLER_STAGE) || plants(job, HC_STRAGGLER_LINK)));
    do {
        draw_width(o, rng);
        room *= 1.02; /* so that some width fits */
    } while (!shows_causes(job) || o->microbatches < o->pp ||
             (double)(ops_of_step(o) * o->n_steps) > room);
    o->tp = ONE_OF(rng, 1, 2, 4, 8, 8, 8, 16, 32, 64);
    while (o->dp * o->pp * o->tp < 8)
        o->tp *= 2;
    if (job->is_too_short)
        o->n_steps = 1 + (int32_t)hc_philox_integer(rng, 2);
}

/* Durations of the ops of the job while nothing is planted. */
static void draw_times(struct hc_fleet_synth_job *job, struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double forward = log_between(rng, 10, 120);
    int64_t p2p = to_ns(forward * log_between(rng, 0.01, 0.06));
    static const int p2p_types[] = {HC_FORWARD_SEND, HC_FORWARD_RECV, HC_BACKWARD_SEND,
                                    HC_BACKWARD_RECV};
    for (size_t i = 0; i < 4; i++)
        o->mean_ns[p2p_types[i]] = p2p;
    o->mean_ns[HC_FORWARD_COMPUTE] = to_ns(forward);
    o->mean_ns[HC_PARAMS_ALL_GATHER] = to_ns(forward * log_between(rng, 0.1, 0.5));
    o->mean_ns[HC_GRADS_REDUCE_SCATTER] = 2 * o->mean_ns[HC_PARAMS_ALL_GATHER];
    o->mean_ns[HC_OPTIMIZER] = to_ns(forward * log_between(rng, 0.2, 0.6));
    o->launch_ns = to_ns(forward * 0.001 * log_between(rng, 0.5, 4));
    o->backward_ratio = between(rng, 1.8, 2.2);
    o->compute_cv = log_between(rng, 0.005, 0.05);
    o->transfer_cv = log_between(rng, 0.05, 0.2);
    o->step_cv = between(rng, 0, 0.03);
    o->step_rho = between(rng, 0, 0.8);
}

/* --- causes ----------------------------------------------------------------------------------- */

static void add_slow(struct hc_fleet_synth_job *job, const struct hc_fleet_planted *planted,
                     enum hc_synth_target target, double factor)
{
    bool has_dp = planted->dp_rank != HC_MISSING_I32, has_stage = planted->stage != HC_MISSING_I32;
    job->slow[job->options.n_slow++] =
        (struct hc_synth_slow){.dp_rank = has_dp ? planted->dp_rank : -1,
                               .stage = has_stage ? planted->stage : -1,
                               .factor = factor,
                               .target = target};
}

/* Mostly the last stage, with the loss; sometimes one that was given too many layers. */
static void plant_stage(struct hc_fleet_synth_job *job, struct hc_fleet_planted *planted,
                        struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    planted->strength = log_between(rng, 1.2, 3);
    planted->stage = o->pp - 1;
    if (happens(rng, 0.75)) {
        o->loss_factor = planted->strength;
        return;
    }
    planted->stage = (int32_t)hc_philox_integer(rng, (uint64_t)o->pp - 1);
    add_slow(job, planted, HC_SYNTH_COMPUTE, planted->strength);
}

/* Garbage collection: each pause takes a part of the step, and pauses are so frequent that in most
 * steps some worker has one. */
static void plant_gc(struct hc_fleet_synth_job *job, struct hc_fleet_planted *planted,
                     struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double passes = o->microbatches * o->vpp + o->pp - 1;
    double step_ms = to_ms(o->mean_ns[HC_FORWARD_COMPUTE]) * (1 + o->backward_ratio) * passes;
    double every = o->dp * o->pp / between(rng, 0.7, 3);
    planted->strength = rounded(step_ms * log_between(rng, 0.1, 0.7));
    o->gc_pause_ns = to_ns(planted->strength);
    o->gc_every = rounded(every < 3 ? 3 : every);
}

/* Late launches: of the hosts of all workers, or of one worker's. */
static void plant_launch(struct hc_fleet_synth_job *job, struct hc_fleet_planted *planted,
                         struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double forward = to_ms(o->mean_ns[HC_FORWARD_COMPUTE]);
    if (happens(rng, 0.7)) {
        planted->strength = rounded(forward * log_between(rng, 0.05, 0.6));
        o->launch_ns = to_ns(planted->strength);
        return;
    }
    planted->dp_rank = (int32_t)hc_philox_integer(rng, (uint64_t)o->dp);
    planted->stage = (int32_t)hc_philox_integer(rng, (uint64_t)o->pp);
    double launch = to_ms(o->launch_ns);
    double factor = rounded(forward * log_between(rng, 0.2, 2) / launch);
    planted->strength = rounded(launch * factor);
    add_slow(job, planted, HC_SYNTH_HOST, factor);
}

static void plant_link(struct hc_fleet_synth_job *job, struct hc_fleet_planted *planted,
                       struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double share = log_between(rng, 0.3, 3); /* of a forward pass that a transfer then takes */
    planted->dp_rank = (int32_t)hc_philox_integer(rng, (uint64_t)o->dp);
    planted->stage = (int32_t)hc_philox_integer(rng, (uint64_t)o->pp - 1);
    planted->strength = rounded(share * (double)o->mean_ns[HC_FORWARD_COMPUTE] /
                                (double)o->mean_ns[HC_FORWARD_SEND]);
    add_slow(job, planted, HC_SYNTH_LINK, planted->strength);
}

static void plant(struct hc_fleet_synth_job *job, struct hc_fleet_planted *planted,
                  struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    planted->dp_rank = planted->stage = HC_MISSING_I32;
    switch (planted->cause) {
    case HC_STRAGGLER_WORKER:
        planted->dp_rank = (int32_t)hc_philox_integer(rng, (uint64_t)o->dp);
        planted->stage = (int32_t)hc_philox_integer(rng, (uint64_t)o->pp);
        planted->strength = log_between(rng, 1.1, 3);
        add_slow(job, planted, HC_SYNTH_COMPUTE, planted->strength);
        break;
    case HC_STRAGGLER_STAGE:
        plant_stage(job, planted, rng);
        break;
    case HC_STRAGGLER_SEQUENCE:
        planted->strength = o->sequence_cv = log_between(rng, 0.1, 0.8);
        break;
    case HC_STRAGGLER_GC:
        plant_gc(job, planted, rng);
        break;
    case HC_STRAGGLER_LINK:
        plant_link(job, planted, rng);
        break;
    default:
        plant_launch(job, planted, rng);
    }
}

/* No real job is free of the other causes: each that is not planted is there as well, too weak to
 * be called a cause. */
static void add_background(struct hc_fleet_synth_job *job, struct hc_philox *rng)
{
    struct hc_synth_steps_options *o = &job->options;
    double loss = between(rng, 0.97, 1.05), load = log_between(rng, 0.005, 0.05);
    double pause = 0.02 * to_ms(o->mean_ns[HC_FORWARD_COMPUTE]) * (1 + o->backward_ratio) *
                   (o->microbatches * o->vpp + o->pp - 1);
    struct hc_synth_slow slow = {.dp_rank = (int32_t)hc_philox_integer(rng, (uint64_t)o->dp),
                                 .stage = (int32_t)hc_philox_integer(rng, (uint64_t)o->pp),
                                 .factor = between(rng, 1, 1.04)};
    if (!plants(job, HC_STRAGGLER_STAGE))
        o->loss_factor = loss;
    if (!plants(job, HC_STRAGGLER_SEQUENCE))
        o->sequence_cv = load;
    if (!plants(job, HC_STRAGGLER_WORKER))
        job->slow[o->n_slow++] = slow;
    if (!plants(job, HC_STRAGGLER_GC)) {
        o->gc_pause_ns = to_ns(pause);
        o->gc_every = 2 * o->dp * o->pp;
    }
}

/* --- jobs ------------------------------------------------------------------------------------- */

static void name_causes(struct hc_fleet_synth_job *job, int kind, struct hc_philox *rng)
{
    if (kind == TWO_CAUSES) {
        uint64_t first = hc_philox_integer(rng, N_PLANTABLE);
        uint64_t second = (first + 1 + hc_philox_integer(rng, N_PLANTABLE - 1)) % N_PLANTABLE;
        job->n_planted = 2;
        job->planted[0].cause =
            HC_STRAGGLER_WORKER + (enum hc_straggler_cause)(first < second ? first : second);
        job->planted[1].cause =
            HC_STRAGGLER_WORKER + (enum hc_straggler_cause)(first < second ? second : first);
    } else if (kind != HC_STRAGGLER_NONE) {
        job->n_planted = 1;
        job->planted[0].cause = (enum hc_straggler_cause)kind;
    }
}

static void draw_job(struct hc_fleet_synth_job *job, uint64_t seed, int32_t number, int kind)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, (uint64_t)number, 0);
    snprintf(job->id, sizeof job->id, "fleet-%04d", number);
    job->options = hc_synth_steps_defaults();
    job->options.job_id = job->id;
    job->options.cluster = "fleet";
    job->options.slow = job->slow;
    job->options.seed = hc_philox_u64(&rng) >> 2; /* as the command line takes it */
    name_causes(job, kind, &rng);
    draw_shape(job, &rng);
    draw_times(job, &rng);
    for (size_t i = 0; i < job->n_planted; i++)
        plant(job, &job->planted[i], &rng);
    add_background(job, &rng);
}

/* Numbers 0 .. n-1 in an order of the seed. */
static void shuffle(int32_t *order, int32_t n, uint64_t seed, uint64_t stream)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, stream, 0);
    for (int32_t i = 0; i < n; i++)
        order[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t other = (int32_t)hc_philox_integer(&rng, (uint64_t)i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* The kind of place i of n, when the kinds lie one after the other by their shares. */
static int kind_at(int32_t i, int32_t n)
{
    size_t k = 0;
    double below = kinds[0].share;
    while (k + 1 < sizeof kinds / sizeof *kinds && (i + 0.5) * 100 / n >= below)
        below += kinds[++k].share;
    return kinds[k].kind;
}

enum hc_status hc_fleet_synth_new(struct hc_fleet_synth_job **jobs,
                                  const struct hc_fleet_synth_options *options,
                                  struct hc_error *err)
{
    int32_t n = options->n_jobs;
    *jobs = NULL;
    if (n < 1 || n > HC_MAX_FLEET_JOBS)
        return hc_fail(err, HC_USAGE, "a fleet of %d jobs; give a number from 1 to %d", n,
                       HC_MAX_FLEET_JOBS);
    int32_t *order = hc_new_array((size_t)n, sizeof *order, err);
    struct hc_fleet_synth_job *made = order ? hc_new_array((size_t)n, sizeof *made, err) : NULL;
    if (!made) {
        free(order);
        return err->status;
    }
    shuffle(order, n, options->seed, DISCARD_STREAM);
    for (int32_t i = 0; i < n; i++)
        made[order[i]].is_too_short = options->with_discards && i % DISCARD_EVERY == 0;
    shuffle(order, n, options->seed, KIND_STREAM);
    for (int32_t i = 0; i < n; i++)
        draw_job(&made[order[i]], options->seed, order[i] + 1, kind_at(i, n));
    free(order);
    *jobs = made;
    return HC_OK;
}
