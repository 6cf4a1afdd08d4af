/* profile_path.h - the critical path: the traced replay once more, each point with the way on which
 * its value came about. For this wing,
 * that of edits, and the tests.
 *
 * The way of a point is kept beside its slot: time by kind since the source where it began, and its
 * stretches as a list that shares its beginning with other ways. So nothing of a part is needed
 * once it was passed.
 */
#ifndef HC_SIM_PROFILES_PROFILE_PATH_H
#define HC_SIM_PROFILES_PROFILE_PATH_H

#include "sim/profiles/profile_order.h"

/* A rank on the way, until the next one begins. */
struct hc_way_stretch {
    int64_t from_ns;
    uint32_t before; /* index of the one before, HC_NO_POINT: the first */
    uint32_t collective;
    uint16_t rank_index;
};

struct hc_way {
    int64_t value_ns, begin_ns;
    int64_t part_ns[HC_N_PATH_PARTS]; /* their sum is value - begin */
    uint32_t stretch;
};

/* Zeroed memory before hc_path_init. */
struct hc_path {
    size_t n_ranks, slot_capacity, n_stretches, stretch_capacity;
    struct hc_way *ways;   /* of the slots */
    struct hc_way *finish; /* of the ranks; stretch HC_NO_POINT before the first */
    struct hc_way_stretch *stretches;
};

/* Whether a critical path follows arc rather than another one that binds as much. */
bool hc_path_prefers(const struct hc_graph_arc *arc, const struct hc_graph_arc *other);

enum hc_status hc_path_init(struct hc_path *path, size_t n_ranks, struct hc_error *err);
enum hc_status hc_path_part(struct hc_path *path, const struct hc_profile_graph *graph,
                            const struct hc_graph_order *order, struct hc_error *err);
/* The way to the finish of greatest value (the lowest rank of equal ones); NULL: no finish. */
const struct hc_way *hc_path_last(const struct hc_path *path);
void hc_path_fini(struct hc_path *path);

#endif
