#include "sim/synth/step_limits.h"

#include "core/random/philox.h"
#include "core/tables/table.h"

/* Draws of a slowness are in the stream that all dp ranks share, at blocks with this bit: beyond
 * those of step_plant.c. */
#define LIMIT_BLOCKS ((uint64_t)1 << 63)

/* Transfers of one direction and microbatch have one draw, so that both ends are slow together; ops
 * have the blocks below. */
#define TRANSFER_BLOCKS ((uint64_t)1 << 32)

enum hc_synth_target hc_synth_target_of(int type)
{
    if (hc_op_is_p2p(type))
        return HC_SYNTH_LINK;
    if (hc_op_is_pass(type) || type == HC_OPTIMIZER || type == HC_GC)
        return HC_SYNTH_COMPUTE;
    if (type == HC_PARAMS_ALL_GATHER || type == HC_GRADS_REDUCE_SCATTER ||
        type == HC_SEPARATE_GRADS_ALL_REDUCE)
        return HC_SYNTH_COLLECTIVES;
    return HC_N_SYNTH_TARGETS;
}

static bool is_to_stage_before(int type)
{
    return type == HC_FORWARD_RECV || type == HC_BACKWARD_SEND;
}

static int32_t stage_after(const struct hc_synth_steps_options *o, int32_t stage, int32_t by)
{
    return (stage + o->pp + by) % o->pp;
}

size_t hc_synth_place_of(const struct hc_synth_steps_options *o, int type, int32_t stage)
{
    return (size_t)(is_to_stage_before(type) ? stage_after(o, stage, -1) : stage);
}

/* --- options ---------------------------------------------------------------------------------- */

bool hc_synth_is_limited(const struct hc_synth_slow *slow)
{
    const struct hc_synth_limits *l = &slow->limits;
    return l->ops != HC_SYNTH_OPS_OF_TARGET || l->has_steps || l->every > 1 || l->duty > 0 ||
           l->passes > 0 || l->from > 0;
}

enum hc_status hc_synth_limits_check(const struct hc_synth_slow *slow, struct hc_error *err)
{
    const struct hc_synth_limits *l = &slow->limits;
    const struct {
        const char *name;
        double value;
    } shares[] = {{"duty", l->duty}, {"passes", l->passes}, {"from", l->from}};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        if (!(shares[i].value >= 0 && shares[i].value <= 1))
            return hc_fail(err, HC_USAGE, "'%s' of a slow part is %g; give a share from 0 to 1",
                           shares[i].name, shares[i].value);
    if (l->has_steps && (l->first_step < 0 || l->last_step < l->first_step))
        return hc_fail(err, HC_USAGE, "a part is slow from step %d to step %d; they must ascend",
                       l->first_step, l->last_step);
    if (l->every < 0)
        return hc_fail(err, HC_USAGE, "a part is slow every %d steps; give a number from 1 on",
                       l->every);
    bool has_passes = slow->target != HC_SYNTH_COLLECTIVES;
    if (!has_passes && (l->ops != HC_SYNTH_OPS_OF_TARGET || l->passes > 0 || l->from > 0))
        return hc_fail(err, HC_USAGE, "slow collectives have no passes; limit them by steps only");
    if (slow->target == HC_SYNTH_LINK &&
        (l->ops == HC_SYNTH_OPS_TRANSFERS || l->ops == HC_SYNTH_OPS_ALL))
        return hc_fail(err, HC_USAGE, "a slow link has forward and backward transfers only");
    return HC_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Two that stand at the same place draw apart, and none draws elsewhere for those beside it. */
static uint64_t place_of_draws(const struct hc_synth_slow *slow, uint64_t number)
{
    return LIMIT_BLOCKS | (uint64_t)slow->target << 56 | (number & 0xff) << 48 |
           (uint64_t)(slow->dp_rank + 1) << 24 | (uint64_t)(slow->stage + 1);
}

size_t hc_synth_limited_list(struct hc_synth_limited *limited,
                             const struct hc_synth_steps_options *options)
{
    size_t n = 0;
    for (size_t i = 0; i < options->n_slow; i++) {
        const struct hc_synth_slow *slow = &options->slow[i];
        uint64_t number = 0;
        if (!hc_synth_is_limited(slow))
            continue;
        for (size_t j = 0; j < n; j++)
            number += limited[j].slow.target == slow->target &&
                      limited[j].slow.dp_rank == slow->dp_rank &&
                      limited[j].slow.stage == slow->stage;
        limited[n++] =
            (struct hc_synth_limited){.slow = *slow, .place = place_of_draws(slow, number)};
    }
    return n;
}

static bool has_step(const struct hc_synth_limits *limits, int32_t step)
{
    int32_t first = limits->has_steps ? limits->first_step : 0;
    if (limits->has_steps && (step < first || step > limits->last_step))
        return false;
    return limits->every < 2 || (step - first) % limits->every == 0;
}

void hc_synth_limited_step(struct hc_synth_limited *limited, size_t n, uint64_t seed, int32_t step)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_synth_limits *l = &limited[i].slow.limits;
        struct hc_philox rng;
        hc_philox_seek(&rng, seed, (uint64_t)(uint32_t)step << 32 | UINT32_MAX, limited[i].place);
        bool is_drawn = hc_philox_uniform(&rng) < l->duty;
        limited[i].key = hc_philox_u64(&rng);
        limited[i].is_on = has_step(l, step) && (l->duty == 0 || is_drawn);
    }
}

/* --- ops -------------------------------------------------------------------------------------- */

/* What goes over the network card of a worker. */
static bool is_of_network(int type)
{
    return hc_op_is_p2p(type) || hc_synth_target_of(type) == HC_SYNTH_COLLECTIVES ||
           type == HC_EMBEDDING_GRADS_ALL_REDUCE;
}

static bool has_type(const struct hc_synth_slow *slow, int type)
{
    bool is_link = slow->target == HC_SYNTH_LINK;
    bool forward =
        is_link ? type == HC_FORWARD_SEND || type == HC_FORWARD_RECV : type == HC_FORWARD_COMPUTE;
    bool backward = is_link ? type == HC_BACKWARD_SEND || type == HC_BACKWARD_RECV
                            : type == HC_BACKWARD_COMPUTE;
    switch (slow->limits.ops) {
    case HC_SYNTH_OPS_FORWARD:
        return forward;
    case HC_SYNTH_OPS_BACKWARD:
        return backward;
    case HC_SYNTH_OPS_BOTH:
        return forward || backward;
    case HC_SYNTH_OPS_TRANSFERS:
        return is_of_network(type);
    case HC_SYNTH_OPS_ALL:
        return is_of_network(type) || hc_synth_target_of(type) == HC_SYNTH_COMPUTE;
    default:
        return slow->target == HC_SYNTH_HOST || hc_synth_target_of(type) == slow->target;
    }
}

/* A transfer between stages is slow by either of the workers that it is between. */
static bool is_at(const struct hc_synth_slow *slow, const struct hc_synth_steps_options *o,
                  int type, int32_t stage)
{
    if (slow->stage == -1)
        return true;
    if (slow->target == HC_SYNTH_LINK)
        return hc_synth_place_of(o, type, stage) == (size_t)slow->stage;
    if (slow->target == HC_SYNTH_COMPUTE && hc_op_is_p2p(type) &&
        stage_after(o, stage, is_to_stage_before(type) ? -1 : 1) == slow->stage)
        return true;
    return stage == slow->stage;
}

/* Whether it acts on the microbatch and pass of an op. With these limits it leaves ops alone that
 * are of the step as a whole. */
static bool has_pass(const struct hc_synth_limited *limited, const struct hc_synth_steps_options *o,
                     const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    const struct hc_synth_limits *l = &limited->slow.limits;
    int32_t microbatch = plan->carried[op.op];
    if (l->passes == 0 && l->from == 0)
        return true;
    if (microbatch == HC_MISSING_I32 || microbatch < l->from * o->microbatches - 1e-9)
        return false;
    if (l->passes == 0)
        return true;
    int type = plan->op_type[op.op];
    bool forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
    uint64_t block = hc_op_is_p2p(type)
                         ? TRANSFER_BLOCKS | (uint64_t)forward << 31 | (uint64_t)microbatch
                         : op.op;
    struct hc_philox rng;
    hc_philox_seek(&rng, limited->key, op.dp, block);
    return hc_philox_uniform(&rng) < l->passes;
}

double hc_synth_limited_factor(const struct hc_synth_limited *limited, size_t n,
                               const struct hc_synth_steps_options *options,
                               const struct hc_synth_plan *plan, struct hc_synth_op op)
{
    double factor = 1.0;
    int type = plan->op_type[op.op];
    for (size_t i = 0; i < n; i++) {
        const struct hc_synth_slow *slow = &limited[i].slow;
        if (limited[i].is_on && op.is_delay == (slow->target == HC_SYNTH_HOST) &&
            (slow->dp_rank == -1 || (size_t)slow->dp_rank == op.dp) && has_type(slow, type) &&
            is_at(slow, options, type, plan->stage[op.op]) &&
            has_pass(&limited[i], options, plan, op))
            factor *= slow->factor;
    }
    return factor;
}
