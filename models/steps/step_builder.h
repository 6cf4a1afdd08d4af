/* step_builder.h - what the rules of a step graph work with: the ops of the template in lists, and
 * the edges and groups so far. Private to this wing.
 */
#ifndef HC_MODELS_STEPS_STEP_BUILDER_H
#define HC_MODELS_STEPS_STEP_BUILDER_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "models/steps/step_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_NO_OP UINT32_MAX

/* The ops of one stage and type, in order of start. */
struct hc_op_list {
    const uint32_t *op;
    size_t n;
};

struct hc_step_builder {
    const struct hc_graph_op *ops;
    size_t n_ops;
    int32_t n_stages, n_chunks; /* P; V = largest model chunk + 1 */
    bool uses_dp, overlaps_dp;
    uint32_t absent_ops; /* as in struct hc_graph_options */

    uint32_t *order;      /* ops by (stage, type, start, seq) */
    uint32_t *list_begin; /* [n_stages * HC_N_OP_TYPES + 1] into order */
    uint32_t *passes;     /* forward- and backward-compute of the stage at hand, in order */
    size_t n_passes;
    struct hc_int_map by_key; /* (type, seq, stage) -> op */

    size_t n_edges, edges_capacity;
    uint32_t (*edges)[2];
    size_t n_groups, groups_capacity;
    uint8_t *group_is_synced;
    int32_t *group_of;
    uint8_t *is_no_op;  /* P2P ops that transfer nothing */
    uint8_t *ends_step; /* ops whose end may be that of the step */
    struct hc_error *err;
};

/* Refuse more stages than ops before anything is sized by their number. */
enum hc_status hc_builder_check_stages(struct hc_step_builder *b);
enum hc_status hc_builder_allocate(struct hc_step_builder *b);
void hc_builder_fini(struct hc_step_builder *b);

/* Sort the ops into lists; an op that is there twice is HC_BAD_INPUT. */
enum hc_status hc_builder_index(struct hc_step_builder *b);
/* Make passes[] the compute stream of a stage. */
void hc_builder_list_passes(struct hc_step_builder *b, int32_t stage);

struct hc_op_list hc_builder_list(const struct hc_step_builder *b, int32_t stage, int type);
/* The op of that type, seq id and stage, or HC_NO_OP. */
uint32_t hc_builder_find(const struct hc_step_builder *b, int type, int32_t seq, int32_t stage);
/* Whether the job is said not to have ops of a type. */
static inline bool hc_builder_lacks(const struct hc_step_builder *b, int type)
{
    return b->absent_ops >> type & 1;
}
/* For qsort_r over op numbers: by start, then seq id, then type. */
int hc_builder_compare_start(const void *x, const void *y, void *ops);

enum hc_status hc_builder_edge(struct hc_step_builder *b, uint32_t before, uint32_t after);
enum hc_status hc_builder_chain(struct hc_step_builder *b, const uint32_t *op, size_t n);
enum hc_status hc_builder_group(struct hc_step_builder *b, const uint32_t *op, size_t n,
                                bool is_synced);

/* The rules, a file each: passes and point-to-point, data-parallel collectives, what
 * follows the last pass, communication groups. All but the last are for the stage whose passes are
 * listed. */
enum hc_status hc_rules_passes(struct hc_step_builder *b, int32_t stage);
enum hc_status hc_rules_dp(struct hc_step_builder *b, int32_t stage);
enum hc_status hc_rules_tail(struct hc_step_builder *b, int32_t stage);
enum hc_status hc_rules_groups(struct hc_step_builder *b);

/* The rules of a trace that has only passes, instead of all of the above. */
bool hc_builder_has_only_passes(const struct hc_step_builder *b);
enum hc_status hc_rules_passes_only(struct hc_step_builder *b);

#endif
