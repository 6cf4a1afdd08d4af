/* measured_plan.h - where a measured step has what: the positions, in its op order, of the passes
 * and transfers of each stage, model chunk and microbatch, and of all other ops by stage and type.
 * Private to this wing.
 */
#ifndef HC_SIM_REARRANGE_MEASURED_PLAN_H
#define HC_SIM_REARRANGE_MEASURED_PLAN_H

#include "core/tables/op_type.h"
#include "sim/edits/replay_base.h"

#define HC_NOWHERE UINT32_MAX

struct hc_measured_plan {
    const struct hc_step_structure *of;
    int32_t n_stages, n_chunks, n_microbatches; /* chunks of a stage */
    bool has_type[HC_N_OP_TYPES];
    /* [n_stages][n_chunks][n_microbatches] by op type, of passes, sends and receives: the position
     * of a pass, and of the transfer that belongs to it; HC_NOWHERE where there is none. NULL for
     * all other types. */
    uint32_t *at[HC_N_OP_TYPES];
    /* All ops that are not in these, transfers that never happened among them (they were recorded,
     * and belong to no pass): positions by stage, op type and start. */
    uint32_t *other;
    uint32_t *first_other; /* [n_stages * HC_N_OP_TYPES + 1] */
};

/* HC_BAD_INPUT, with the reason, where the step is not of the kind that can be rearranged: stages
 * with unequal numbers of passes, chunks that are not dealt out to the stages in turn, parameters
 * that are gathered between passes. plan is the caller's to hc_measured_plan_fini in any case. */
enum hc_status hc_measured_plan_read(struct hc_measured_plan *plan,
                                     const struct hc_step_structure *structure,
                                     struct hc_error *err);
void hc_measured_plan_fini(struct hc_measured_plan *plan);

static inline size_t hc_measured_index(const struct hc_measured_plan *plan, int32_t stage,
                                       int32_t chunk, int32_t microbatch)
{
    return ((size_t)stage * (size_t)plan->n_chunks + (size_t)chunk) * (size_t)plan->n_microbatches +
           (size_t)microbatch;
}

/* The op at a position. */
static inline const struct hc_graph_op *hc_measured_op(const struct hc_measured_plan *plan,
                                                       uint32_t position)
{
    return &plan->of->graph.ops[plan->of->order.op_at[position]];
}

/* The model chunk of an op within its stage: 0 where the trace has none. */
int32_t hc_measured_chunk(const struct hc_measured_plan *plan, const struct hc_graph_op *op);

struct hc_positions {
    const uint32_t *at;
    size_t n;
};

/* The ops of a type on a stage that are neither passes nor belong to one, by start. */
static inline struct hc_positions hc_measured_others(const struct hc_measured_plan *plan,
                                                     int32_t stage, int type)
{
    size_t i = (size_t)stage * HC_N_OP_TYPES + (size_t)type;
    return (struct hc_positions){plan->other + plan->first_other[i],
                                 plan->first_other[i + 1] - plan->first_other[i]};
}

#endif
