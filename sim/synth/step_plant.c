#include "sim/synth/step_plant.h"

#include "core/base/memory.h"
#include "core/random/philox.h"
#include "core/random/stable_math.h"

#include <math.h>
#include <stdlib.h>

/* Each step has a stream for each dp rank and one for what all of them share (seek() below). In a
 * stream each purpose has blocks of its own; the ops have the first ones (draw_op in step_synth.c).
 */
#define LOAD_BLOCKS    ((uint64_t)2 << 32) /* 4096 a microbatch, of at most 2^20 of them */
#define PAUSE_BLOCKS   ((uint64_t)3 << 32) /* one a stage */
#define NOISE_BLOCK    ((uint64_t)4 << 32)
#define WANDER_BLOCK   ((uint64_t)5 << 32)
#define MOE_BLOCKS     ((uint64_t)6 << 32) /* one a microbatch and chunk of the model */
#define PLANNED_BLOCKS ((uint64_t)7 << 32) /* one a stage */
#define WARMUP_BLOCKS  ((uint64_t)8 << 32) /* one an op */

/* A microbatch is packed full of sequences: its length is broken like a stick, and each sequence
 * takes a Beta(1, theta) part of what is left. Most microbatches hold many short sequences; one in
 * seven holds few long ones, which makes the tail of the loads. */
#define SHARE_LONG  0.15
#define THETA_LONG  0.5
#define THETA_SHORT 12.0
#define CRUMB       0.1 /* what is left then is not broken further */

#define PAUSE_CV        0.25
#define NOISE_FORGOTTEN 1e-9 /* influence of a step so long ago is left out */

struct hc_synth_spread hc_synth_spread_make(double cv)
{
    double variance = hc_stable_log(1.0 + cv * cv);
    return (struct hc_synth_spread){.sigma = sqrt(variance), .shift = -0.5 * variance};
}

double hc_synth_spread_value(struct hc_synth_spread spread, double z)
{
    return hc_stable_exp(spread.sigma * z + spread.shift);
}

/* --- options ---------------------------------------------------------------------------------- */

static enum hc_status check_slow(const struct hc_synth_steps_options *o,
                                 const struct hc_synth_slow *slow, struct hc_error *err)
{
    static const char *const what[HC_N_SYNTH_TARGETS] = {"worker", "link", "collective", "host"};
    if (slow->dp_rank < -1 || slow->dp_rank >= o->dp || slow->stage < -1 || slow->stage >= o->pp)
        return hc_fail(err, HC_USAGE,
                       "a slow %s at dp rank %d, stage %d (-1: all); the job has dp ranks "
                       "0 to %d and stages 0 to %d",
                       what[slow->target], slow->dp_rank, slow->stage, o->dp - 1, o->pp - 1);
    if (slow->target == HC_SYNTH_LINK && slow->stage == o->pp - 1 && (o->vpp == 1 || o->pp == 1))
        return hc_fail(err, HC_USAGE,
                       "a slow link after stage %d; it is the last one, and sends nothing on",
                       slow->stage);
    if (slow->target == HC_SYNTH_COLLECTIVES && o->dp * (int64_t)o->dsp == 1)
        return hc_fail(err, HC_USAGE, "slow collectives; one dp rank has none");
    if (slow->target == HC_SYNTH_COLLECTIVES && slow->dp_rank != -1)
        return hc_fail(err, HC_USAGE, "slow collectives of dp rank %d; they are of all dp ranks",
                       slow->dp_rank);
    if (hc_synth_limits_check(slow, err))
        return err->status;
    double most = slow->target == HC_SYNTH_COMPUTE ? 1e3 : 1e6; /* others begin with much less */
    if (!(slow->factor >= 0 && slow->factor <= most))
        return hc_fail(err, HC_USAGE, "the factor of a slow %s is %g; give a number from 0 to %g",
                       what[slow->target], slow->factor, most);
    return HC_OK;
}

enum hc_status hc_synth_plant_check(const struct hc_synth_steps_options *o, struct hc_error *err)
{
    const struct {
        const char *name;
        double value, least, most;
    } numbers[] = {{"the variation of sequence loads", o->sequence_cv, 0, HC_SYNTH_MAX_SEQUENCE_CV},
                   {"the variation of loads by stage", o->moe_cv, 0, 10},
                   {"the planned pause in nanoseconds", (double)o->planned_pause_ns, 0, 3600e9},
                   {"the number of steps between planned pauses", o->planned_every,
                    o->planned_pause_ns ? 1 : 0, 1e6},
                   {"the factor of a warm-up", o->warmup, o->warmup != 0 ? 1 : 0, 1000},
                   {"the number of steps of a warm-up", o->warmup_steps, 0, 1e6},
                   {"the number of GPUs of a node", o->gpus_per_node, 0, 1e6},
                   {"the number of the first node", o->first_node, 0, 1e6},
                   {"the pause in nanoseconds", (double)o->gc_pause_ns, 0, 3600e9},
                   {"the number of steps between pauses", o->gc_every, o->gc_pause_ns ? 1 : 0, 1e6},
                   {"the variation of steps", o->step_cv, 0, 10},
                   {"the correlation of steps", o->step_rho, 0, 0.999},
                   {"the factor of a wandering straggler", o->wander, 0, 1000}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most))
            return hc_fail(err, HC_USAGE, "%s is %g; give a number from %g to %g", numbers[i].name,
                           numbers[i].value, numbers[i].least, numbers[i].most);
    for (size_t i = 0; i < o->n_slow; i++)
        if (check_slow(o, &o->slow[i], err))
            return err->status;
    return HC_OK;
}

static enum hc_status set_factors(struct hc_synth_planted *p,
                                  const struct hc_synth_steps_options *o,
                                  const struct hc_synth_slow *slow, struct hc_error *err)
{
    size_t n_dp = (size_t)o->dp, n = (size_t)o->pp * n_dp;
    double *factor = p->factor[slow->target];
    if (!factor) {
        factor = p->factor[slow->target] = hc_new_array(n, sizeof *factor, err);
        if (!factor)
            return err->status;
        for (size_t i = 0; i < n; i++)
            factor[i] = 1.0;
    }
    for (size_t i = 0; i < n; i++)
        if ((slow->dp_rank == -1 || (size_t)slow->dp_rank == i % n_dp) &&
            (slow->stage == -1 || (size_t)slow->stage == i / n_dp))
            factor[i] *= slow->factor;
    return HC_OK;
}

enum hc_status hc_synth_plant_init(struct hc_synth_planted *p,
                                   const struct hc_synth_steps_options *o, struct hc_error *err)
{
    size_t n_dp = (size_t)o->dp;
    *p = (struct hc_synth_planted){.step_factor = 1.0, .wanderer = -1};
    for (size_t i = 0; i < o->n_slow; i++)
        if (!hc_synth_is_limited(&o->slow[i]) && set_factors(p, o, &o->slow[i], err))
            return err->status;
    if (!(p->limited = hc_new_array(o->n_slow, sizeof *p->limited, err)))
        return err->status;
    p->n_limited = hc_synth_limited_list(p->limited, o);
    if (o->sequence_cv > 0 &&
        !(p->load = hc_new_array((size_t)o->microbatches * n_dp, sizeof *p->load, err)))
        return err->status;
    if (o->gc_pause_ns > 0 &&
        !(p->pause = hc_new_array((size_t)o->pp * n_dp, sizeof *p->pause, err)))
        return err->status;
    return HC_OK;
}

void hc_synth_plant_fini(struct hc_synth_planted *p)
{
    for (size_t i = 0; i < HC_N_SYNTH_TARGETS; i++)
        free(p->factor[i]);
    free(p->limited);
    free(p->load);
    free(p->pause);
}

/* --- one step --------------------------------------------------------------------------------- */

static struct hc_philox seek(uint64_t seed, int32_t step, uint64_t lane, uint64_t block)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, (uint64_t)(uint32_t)step << 32 | lane, block);
    return rng;
}

/* Sum over the sequences of a microbatch of (length / length of the microbatch)^2. The last
 * CRUMB is not broken: it counts with the mean of the sum that breaking it would give, so that the
 * mean stays exact. */
static double draw_squares(struct hc_philox *rng)
{
    double theta = hc_philox_uniform(rng) < SHARE_LONG ? THETA_LONG : THETA_SHORT;
    double left = 1.0, squares = 0.0;
    while (left > CRUMB) {
        double keep = hc_stable_exp(hc_stable_log(1.0 - hc_philox_uniform(rng)) / theta);
        double length = left * (1.0 - keep);
        squares += length * length;
        left *= keep;
    }
    return squares + left * left / (1.0 + theta);
}

/* Mean and standard deviation of draw_squares: of a broken stick the mean is 1 / (1 + theta) and
 * the variance 2 theta / ((1 + theta)^2 (2 + theta) (3 + theta)). */
static void moments_of_squares(double *mean, double *deviation)
{
    const double theta[2] = {THETA_SHORT, THETA_LONG};
    const double share[2] = {1.0 - SHARE_LONG, SHARE_LONG};
    double first = 0.0, second = 0.0;
    for (int i = 0; i < 2; i++) {
        double t = theta[i], m = 1.0 / (1.0 + t);
        first += share[i] * m;
        second += share[i] * m * m * (1.0 + 2.0 * t / ((2.0 + t) * (3.0 + t)));
    }
    *mean = first;
    *deviation = sqrt(second - first * first);
}

/* Compute grows with the squares of the lengths and with their sum, which is that of a full
 * microbatch always: a load is a line over the squares, of mean 1 and the variation asked for. */
static void draw_loads(struct hc_synth_planted *p, const struct hc_synth_steps_options *o,
                       int32_t step)
{
    double mean, deviation;
    size_t n_dp = (size_t)o->dp;
    moments_of_squares(&mean, &deviation);
#pragma omp parallel for schedule(static) if ((size_t)o->microbatches * n_dp > 256)
    for (size_t mb = 0; mb < (size_t)o->microbatches; mb++)
        for (size_t dp = 0; dp < n_dp; dp++) {
            struct hc_philox rng = seek(o->seed, step, dp, LOAD_BLOCKS + ((uint64_t)mb << 12));
            p->load[mb * n_dp + dp] =
                1.0 + o->sequence_cv * (draw_squares(&rng) - mean) / deviation;
        }
}

/* Each worker pauses on its own, on average in one step of gc_every. */
static void draw_pauses(struct hc_synth_planted *p, const struct hc_synth_steps_options *o,
                        int32_t step)
{
    size_t n_dp = (size_t)o->dp;
    const struct hc_synth_spread spread = hc_synth_spread_make(PAUSE_CV);
    for (size_t stage = 0; stage < (size_t)o->pp; stage++)
        for (size_t dp = 0; dp < n_dp; dp++) {
            struct hc_philox rng = seek(o->seed, step, dp, PAUSE_BLOCKS + stage);
            struct hc_synth_pause *pause = &p->pause[stage * n_dp + dp];
            bool is_now = hc_philox_uniform(&rng) * o->gc_every < 1.0;
            double ns =
                (double)o->gc_pause_ns * hc_synth_spread_value(spread, hc_philox_normal(&rng));
            uint64_t n_passes = (uint64_t)o->microbatches * (uint64_t)o->vpp;
            pause->pass = is_now ? (int32_t)hc_philox_integer(&rng, n_passes) : -1;
            pause->ns = is_now ? (int64_t)ns : 0; /* an op of over an hour is refused later */
        }
}

/* AR(1) noise over step numbers. Computed from the draws of this step and of steps before it, so
 * that steps can be made in any order. */
static double draw_noise(const struct hc_synth_steps_options *o, int32_t step)
{
    int32_t n_back = 0;
    double z = 0.0;
    for (double weight = o->step_rho; weight > NOISE_FORGOTTEN; weight *= o->step_rho)
        n_back++;
    for (int32_t back = n_back; back >= 0; back--) {
        int32_t before = (int32_t)((uint32_t)step - (uint32_t)back); /* step 0 has a past, too */
        struct hc_philox rng = seek(o->seed, before, UINT32_MAX, NOISE_BLOCK);
        z = o->step_rho * z + hc_philox_normal(&rng);
    }
    return hc_synth_spread_value(hc_synth_spread_make(o->step_cv),
                                 z * sqrt(1.0 - o->step_rho * o->step_rho));
}

void hc_synth_plant_step(struct hc_synth_planted *p, const struct hc_synth_steps_options *o,
                         int32_t step)
{
    p->step = step;
    p->is_planned_pause = o->planned_pause_ns > 0 && step % o->planned_every == 0;
    p->is_warming_up =
        o->warmup > 0 && (int64_t)step - o->first_step < (int64_t)o->warmup_steps * o->step_stride;
    hc_synth_limited_step(p->limited, p->n_limited, o->seed, step);
    if (p->load)
        draw_loads(p, o, step);
    if (p->pause)
        draw_pauses(p, o, step);
    if (o->step_cv > 0)
        p->step_factor = draw_noise(o, step);
    if (o->wander > 0) {
        struct hc_philox rng = seek(o->seed, step, UINT32_MAX, WANDER_BLOCK);
        p->wanderer = (int32_t)hc_philox_integer(&rng, (uint64_t)o->pp * (uint64_t)o->dp);
    }
}

/* --- one op ----------------------------------------------------------------------------------- */

/* Of a microbatch on one chunk of the model: forward and backward alike. */
static double stage_load(const struct hc_synth_planted *p, const struct hc_synth_steps_options *o,
                         const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    uint64_t chunk = (uint64_t)plan->global_chunk[op.op];
    uint64_t block = MOE_BLOCKS + chunk * (uint64_t)o->microbatches;
    struct hc_philox rng = seek(o->seed, p->step, op.dp, block + (uint64_t)plan->microbatch[op.op]);
    return hc_synth_spread_value(hc_synth_spread_make(o->moe_cv), hc_philox_normal(&rng));
}

/* Ops of a warm-up are slow unevenly: each compiles, connects and allocates what it needs first. */
static double warmup_factor(const struct hc_synth_planted *p,
                            const struct hc_synth_steps_options *o, struct hc_synth_op op)
{
    struct hc_philox rng = seek(o->seed, p->step, op.dp, WARMUP_BLOCKS + op.op);
    return 1.0 - (o->warmup - 1.0) * hc_stable_log(1.0 - hc_philox_uniform(&rng));
}

double hc_synth_plant_factor(const struct hc_synth_planted *p,
                             const struct hc_synth_steps_options *o,
                             const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    int type = plan->op_type[op.op];
    size_t n_dp = (size_t)o->dp, at = hc_synth_place_of(o, type, plan->stage[op.op]) * n_dp + op.dp;
    double limited = hc_synth_limited_factor(p->limited, p->n_limited, o, plan, op);
    if (op.is_delay) {
        const double *late = p->factor[HC_SYNTH_HOST];
        return limited * (late ? late[(size_t)plan->stage[op.op] * n_dp + op.dp] : 1.0);
    }
    enum hc_synth_target target = hc_synth_target_of(type);
    double factor = p->step_factor;
    if (target < HC_N_SYNTH_TARGETS && p->factor[target])
        factor *= p->factor[target][at];
    if (p->load && hc_op_is_pass(type))
        factor *= p->load[(size_t)plan->microbatch[op.op] * n_dp + op.dp];
    if (target == HC_SYNTH_COMPUTE && p->wanderer == (int32_t)at)
        factor *= o->wander;
    if (o->moe_cv > 0 && hc_op_is_pass(type))
        factor *= stage_load(p, o, plan, op);
    if (p->is_warming_up)
        factor *= warmup_factor(p, o, op);
    return factor * limited;
}

/* Stage s pauses in the first forward pass after its warm-up of the pipeline, which all stages are
 * in at the same time. */
static double planned_pause(const struct hc_synth_planted *p,
                            const struct hc_synth_steps_options *o,
                            const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    int32_t stage = plan->stage[op.op], filled = o->pp - 1 - stage;
    int32_t last = o->microbatches * o->vpp - 1;
    if (!p->is_planned_pause || plan->seq_id[op.op] != (filled < last ? filled : last))
        return 0;
    struct hc_philox rng = seek(o->seed, p->step, op.dp, PLANNED_BLOCKS + (uint64_t)stage);
    return (double)o->planned_pause_ns *
           hc_synth_spread_value(hc_synth_spread_make(PAUSE_CV), hc_philox_normal(&rng));
}

int64_t hc_synth_plant_pause(const struct hc_synth_planted *p,
                             const struct hc_synth_steps_options *o,
                             const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    size_t worker = (size_t)plan->stage[op.op] * (size_t)o->dp + op.dp;
    if (plan->op_type[op.op] != HC_FORWARD_COMPUTE)
        return 0;
    int64_t ns = (int64_t)planned_pause(p, o, plan, op);
    if (p->pause && p->pause[worker].pass == plan->seq_id[op.op])
        ns += p->pause[worker].ns;
    return ns;
}
