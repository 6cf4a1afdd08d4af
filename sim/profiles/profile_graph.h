/* profile_graph.h - a part of the dependency graph of profiler traces: points (starts and ends of
 * calls and of GPU events), each with the edges that lead to it. For this wing, that of edits,
 * and the tests.
 *
 * An edge (p -> q, w) says that q comes at least w after p. A window of many steps is built, swept
 * and forgotten a part at a time; what a later part needs of an earlier one is *carried*: its
 * values keep their slot (profile_order.h), and an edge names that slot instead of a point.
 *
 * Edges of a point stand together: add a point, then its edges, then the next point.
 */
#ifndef HC_SIM_PROFILES_PROFILE_GRAPH_H
#define HC_SIM_PROFILES_PROFILE_GRAPH_H

#include "sim/profiles/profile_whatif.h"

/* `from` of an edge: a point of this part, or HC_CARRIED | slot. */
#define HC_CARRIED  ((uint32_t)1 << 31)
#define HC_NO_POINT ((uint32_t)-1)

/* Times further than this from the origin, and edges that are longer, are refused: the sweeps count
 * in doubles, whole ns up to 2^53. 2^51 ns are 26 days. */
#define HC_GRAPH_FARTHEST_NS ((int64_t)1 << 51)

/* What of its rank ends at a point. The finish of a rank is the latest such point; of two equally
 * late ones the critical path leads to the end of the main thread. */
enum hc_graph_finish { HC_NOT_FINISH, HC_FINISH_OF_GPU, HC_FINISH_OF_THREAD };

/* Whose level a variant changes when it changes the weight of an edge. */
enum hc_graph_work { HC_WORK_CPU, HC_WORK_GPU, HC_WORK_COMM, HC_N_WORKS, HC_WORK_FIXED };

struct hc_graph_arc {
    int64_t w_ns;
    int64_t alt_ns; /* at the level of its peers; w_ns where it has none */
    uint32_t from;
    uint16_t rank_index;
    uint8_t kind;     /* enum hc_graph_edge */
    uint8_t work : 4; /* enum hc_graph_work */
    uint8_t part : 4; /* of a critical path: enum hc_path_part, or HC_PATH_NONE */
};
#define HC_PATH_NONE HC_N_PATH_PARTS

struct hc_graph_point {
    int64_t t_ns;        /* as traced, aligned, from the origin of the window */
    int64_t residual_ns; /* what its edges do not explain */
    uint32_t first_arc;
    uint32_t collective; /* of a join: HC_NO_POINT where it is none */
    uint16_t rank_index;
    uint8_t is_start; /* of the window on its rank: a source that moves without start skew */
    uint8_t finishes; /* enum hc_graph_finish: counts for the finish of its rank */
    uint8_t is_kept;  /* a later part needs it */
};

/* Zeroed memory is an empty graph. */
struct hc_profile_graph {
    size_t n_points, n_arcs, point_capacity, arc_capacity;
    struct hc_graph_point *points;
    struct hc_graph_arc *arcs;
    size_t n_arcs_of_kind[HC_N_EDGES], n_late[HC_N_EDGES]; /* over all parts so far */
    double length_ns; /* of all edges and residuals so far, one after the other */
    size_t n_points_so_far;
    /* Words for the message about a cycle. */
    void (*describe)(const void *context, uint32_t point, char *text, size_t size);
    const void *describe_context;
};

/* HC_BAD_INPUT: its time is too far from the origin, or there are too many points. */
enum hc_status hc_graph_add_point(struct hc_profile_graph *graph, struct hc_graph_point point,
                                  struct hc_error *err);
/* An edge to the point added last. HC_BAD_INPUT: it is too long, or there are too many edges. */
enum hc_status hc_graph_add_arc(struct hc_profile_graph *graph, struct hc_graph_arc arc,
                                struct hc_error *err);

/* End of the arcs of a point. */
static inline size_t hc_graph_end_arc(const struct hc_profile_graph *graph, size_t point)
{
    return point + 1 < graph->n_points ? graph->points[point + 1].first_arc : graph->n_arcs;
}

/* Residuals of all points, and the edges that are later than their point. carried_ns: the traced
 * times of the slots. A point without edges has no residual: it is a source.
 *
 * HC_BAD_INPUT: all edges and residuals so far are longer together than 2^60 ns. A replay that
 * gives edges the level of others (at most the lower median of its peers, or of the other steps:
 * all levels together are less than three times as long) then stays within 64 bits on any path. */
enum hc_status hc_graph_find_residuals(struct hc_profile_graph *graph, const int64_t *carried_ns,
                                       struct hc_error *err);

/* Forget points and edges, keep memory and counts. */
void hc_graph_empty(struct hc_profile_graph *graph);
void hc_graph_fini(struct hc_profile_graph *graph);

#endif
