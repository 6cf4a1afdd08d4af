/* step_durations.c - the durations of the ops, summed by step: of each op type and stage, and of
 * the passes of each worker. */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

/* A position of the op order, over the steps of one block. */
static void add_position(struct hc_step_durations *d, const struct hc_whatif_result *r,
                         const struct hc_step_structure *structure,
                         const struct hc_lane_block *block, size_t position)
{
    size_t type = (size_t)structure->op_type[position], stage = (size_t)structure->stage[position];
    size_t dp_size = (size_t)r->dp_size, n_stages = (size_t)r->pp_size;
    size_t series = (type * n_stages + stage) * r->n_steps;
    bool is_pass = hc_op_is_pass((int)type);
    size_t direction = type == HC_BACKWARD_COMPUTE;
    const double *row = block->duration + position * block->stride;
    for (size_t k = 0; k < block->n_steps; k++) {
        size_t step = block->step[k];
        for (size_t dp_rank = 0; dp_rank < dp_size; dp_rank++) {
            double duration = row[k * dp_size + dp_rank];
            size_t worker = direction * r->n_workers + dp_rank * n_stages + stage;
            d->type_ns[series + step] += duration;
            if (is_pass)
                d->pass_ns[worker * r->n_steps + step] += duration;
        }
        d->n_ops[series + step] += (double)dp_size;
    }
}

enum hc_status hc_step_durations_find(struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    const struct hc_step_lanes *lanes = &analysis->lanes;
    struct hc_step_durations *d = &analysis->result->depth.durations;
    size_t n_series = HC_N_OP_TYPES * (size_t)r->pp_size * r->n_steps;
    d->type_ns = hc_new_array(n_series, sizeof *d->type_ns, analysis->err);
    d->n_ops = hc_new_array(n_series, sizeof *d->n_ops, analysis->err);
    d->pass_ns = hc_new_array(r->n_workers * r->n_steps, 2 * sizeof *d->pass_ns, analysis->err);
    if (!d->type_ns || !d->n_ops || !d->pass_ns)
        return analysis->err->status;
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
#pragma omp parallel for schedule(dynamic)
        for (size_t k = 0; k < structure->n_blocks; k++) /* a step is in one block only */
            for (size_t p = 0; p < structure->order.n_ops; p++)
                add_position(d, r, structure, &structure->blocks[k], p);
    }
    d->done = true;
    return HC_OK;
}
