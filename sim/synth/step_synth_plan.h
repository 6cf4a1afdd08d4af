/* step_synth_plan.h - the ops of one training step of a given shape, what each waits for, and the
 * order to work them out in. The same for all steps and dp ranks; durations are no part of it.
 * Private to this wing.
 */
#ifndef HC_SIM_SYNTH_STEP_SYNTH_PLAN_H
#define HC_SIM_SYNTH_STEP_SYNTH_PLAN_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pp stages of vpp chunks each; 1F1B, interleaved when vpp > 1 (then pp > 1, and microbatches is a
 * multiple of pp). uses_dp: there are DP collectives; overlaps_dp: the reduction runs under the
 * backward passes, and separate-grads-all-reduce closes it. */
struct hc_synth_shape {
    int32_t pp, vpp, microbatches;
    bool uses_dp, overlaps_dp;
};

/* Ops are numbered by (stage, op type, seq_id). Values that an op has not are HC_MISSING_I32. */
struct hc_synth_plan {
    size_t n_ops;
    int32_t *stage, *op_type, *seq_id, *model_chunk, *global_chunk, *microbatch; /* [n_ops] */
    int32_t *carried; /* [n_ops] microbatch of a pass, send or receive; HC_MISSING_I32 of others */
    bool *is_no_op;   /* a send or receive over the end of the model: recorded, moves nothing */

    size_t *dep_first; /* [n_ops + 1] places in dep */
    uint32_t *dep;     /* ops that an op starts after the end of */

    /* Ops that end together, in an order in which all that a group waits for is before it. A
     * synced group also waits for its peers on all dp ranks. */
    size_t n_groups;
    size_t *member_first; /* [n_groups + 1] places in member */
    uint32_t *member;     /* [n_ops] */
    bool *is_synced;      /* [n_groups] */
};

/* Ops of one dp rank in one step; shapes over HC_SYNTH_MAX_OPS are refused by the plan. */
#define HC_SYNTH_MAX_OPS 1000000
int64_t hc_synth_shape_ops(const struct hc_synth_shape *shape);

/* The ops of a step and their order, of this shape. On failure *plan is empty. */
enum hc_status hc_synth_plan_init(struct hc_synth_plan *plan, const struct hc_synth_shape *shape,
                                  struct hc_error *err);
void hc_synth_plan_fini(struct hc_synth_plan *plan);

#endif
