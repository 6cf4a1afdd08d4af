/* planned_ops.h - the ops of a step with another plan, and of what measured durations each is made.
 * Private to this wing.
 */
#ifndef HC_SIM_REARRANGE_PLANNED_OPS_H
#define HC_SIM_REARRANGE_PLANNED_OPS_H

#include "sim/rearrange/plan_shape.h"

enum hc_recipe_kind {
    HC_RECIPE_SUM,    /* of the sources, then a part of it */
    HC_RECIPE_MOST,   /* the longest of the sources */
    HC_RECIPE_USUAL,  /* the median of its op type: a transfer that nobody has measured */
    HC_RECIPE_NOTHING /* a filler: no op at all in the graph that comes out */
};

/* How an op gets its duration. Of a sum in whole ns, `part` of `parts` equal parts is taken, of
 * which the first has the remainder, and of that in the same way chunk_part of chunk_parts. */
struct hc_op_recipe {
    int32_t kind; /* enum hc_recipe_kind */
    uint32_t first_source, n_sources;
    int32_t parts, part, chunk_parts, chunk_part;
};

/* Ops and recipes beside each other, [n] each; ops of a stage have starts that tell their order,
 * and nothing else. */
struct hc_planned_ops {
    size_t n, n_sources, n_fillers;
    size_t ops_capacity, recipe_capacity, source_capacity;
    struct hc_graph_op *ops;
    struct hc_op_recipe *recipe;
    uint32_t *source; /* positions in the measured op order */
};

/* The most ops of one dp rank in a step that a plan may have. */
#define HC_PLAN_MAX_OPS 1000000

/* List the ops. HC_BAD_INPUT when there are too many. planned is the caller's to
 * hc_planned_ops_fini whatever the result. */
enum hc_status hc_planned_ops_list(struct hc_planned_ops *planned,
                                   const struct hc_plan_shape *shape, struct hc_error *err);
void hc_planned_ops_fini(struct hc_planned_ops *planned);

#endif
