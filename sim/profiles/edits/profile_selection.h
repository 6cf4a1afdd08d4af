/* profile_selection.h - which work of profiler traces an edit is for: the selector of scenarios
 * (sim/edits/selector.h), of which rank, node, step, name and chance mean something here.
 *
 * A work is a GPU event, a stretch of CPU time before a call of the runtime, or the start of a
 * rank.
 */
#ifndef HC_SIM_PROFILES_EDITS_PROFILE_SELECTION_H
#define HC_SIM_PROFILES_EDITS_PROFILE_SELECTION_H

#include "sim/edits/selector.h"
#include "sim/profiles/edits/profile_base.h"

#include <stdbool.h>

/* Kinds of work, as bits of hc_selector.op_types: they follow the op types of step timelines. */
enum hc_profile_op {
    HC_PROFILE_OP_CPU = HC_N_OP_TYPES, /* a thread between two calls of the runtime */
    HC_PROFILE_OP_GPU,                 /* kernels and copies */
    HC_PROFILE_OP_COMM,                /* transfers of collectives, after the last has arrived */
    HC_PROFILE_OP_START,               /* when a rank begins the window */
    HC_PROFILE_OP_END
};

struct hc_profile_work {
    enum hc_profile_op op;
    size_t rank_index;
    int32_t rank;
    int32_t step;   /* number */
    int32_t name;   /* of the GPU event, or of the call that ends the stretch, in the dictionary
                       "event"; HC_MISSING_I32: none */
    uint64_t place; /* on its rank: which it is, for random numbers */
};

/* A selector made ready for a job: which names its patterns mean is looked up once. */
struct hc_profile_selection;
enum hc_status hc_profile_selection_new(struct hc_profile_selection **selection,
                                        const struct hc_selector *selector,
                                        const struct hc_profile_base *base,
                                        const struct hc_edit_draws *draws, struct hc_error *err);
void hc_profile_selection_free(struct hc_profile_selection *selection);

bool hc_profile_selects(const struct hc_profile_selection *selection,
                        const struct hc_profile_work *work);

/* The number that is drawn in (0, 1) for a work: the same for the same (seed, key, draw, stream,
 * work), whatever else is edited. */
double hc_profile_uniform(const struct hc_edit_draws *draws, uint32_t stream, enum hc_drawn_per per,
                          const struct hc_profile_work *work);

#endif
