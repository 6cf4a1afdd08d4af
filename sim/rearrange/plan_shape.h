/* plan_shape.h - a plan that a step shall have, of what its work is made: which measured stages and
 * chunks a new one takes its work from. Private to this wing.
 *
 * The model is a row of virtual stages, chunk c of stage s being number c * stages + s. Where
 * stages are joined or cut, neighbours in that row stay neighbours.
 */
#ifndef HC_SIM_REARRANGE_PLAN_SHAPE_H
#define HC_SIM_REARRANGE_PLAN_SHAPE_H

#include "models/steps/pass_schedule.h"
#include "sim/rearrange/measured_plan.h"
#include "sim/rearrange/planned_job.h"

struct hc_plan_shape {
    const struct hc_measured_plan *measured;
    struct hc_pass_schedule schedule;
    bool moves_layers;
};

/* HC_BAD_INPUT for a shape that there cannot be. */
enum hc_status hc_plan_shape_find(struct hc_plan_shape *shape,
                                  const struct hc_measured_plan *measured,
                                  const struct hc_rearrangement *to,
                                  struct hc_plan_refusal *refusal, struct hc_error *err);

/* Whether new stages and chunks are the measured ones, with at most another order of their passes.
 */
static inline bool hc_plan_keeps_shape(const struct hc_plan_shape *shape)
{
    return shape->schedule.n_stages == shape->measured->n_stages &&
           shape->schedule.n_chunks == shape->measured->n_chunks;
}

/* The measured stages and chunks that the work of a chunk of a new stage comes from: all `chunks`
 * chunks from first_chunk on, of `stages` stages from first_stage on; where `moves`, as many
 * virtual stages from first_virtual on. Of their sum it is `part` of `parts` equal parts, and of
 * that `chunk_part` of `chunk_parts`. */
struct hc_plan_work {
    bool moves;
    int32_t first_virtual, n_virtual;
    int32_t first_stage, n_stages, first_chunk, n_chunks;
    int32_t parts, part, chunk_parts, chunk_part;
};

struct hc_plan_work hc_plan_work_of(const struct hc_plan_shape *shape, int32_t stage,
                                    int32_t chunk);

/* The measured stage and chunk at the edge of a new one, before its first or behind its last layer:
 * where a measured transfer crosses that edge, it is theirs. False: the edge is a new one. */
bool hc_plan_edge(const struct hc_plan_shape *shape, int32_t stage, int32_t chunk, bool is_behind,
                  int32_t *measured_stage, int32_t *measured_chunk);

#endif
