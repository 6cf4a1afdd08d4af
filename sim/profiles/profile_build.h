/* profile_build.h - the dependency graph of all ranks, a part (one step, or some that hang
 * together) at a time (spec: profiler traces 7). For this wing and
 * that of edits.
 *
 *     hc_build_init(&build, &window, err);
 *     while (hc_build_next(&build, err))
 *         ... build.graph in the order of build.order ...;
 *     hc_build_fini(&build);
 */
#ifndef HC_SIM_PROFILES_PROFILE_BUILD_H
#define HC_SIM_PROFILES_PROFILE_BUILD_H

#include "sim/profiles/profile_order.h"
#include "sim/profiles/profile_peers.h"
#include "sim/profiles/profile_scan.h"

/* A point that the next part may hang on. */
struct hc_build_end {
    uint32_t ref; /* as `from` of an arc; HC_NO_POINT: none yet */
    int64_t t_ns; /* as in the graph */
};

/* Last point of a thread; name: of a call, or -1 - enum hc_extra. */
struct hc_build_thread {
    struct hc_build_end end;
    int32_t name;
};

struct hc_build_stream {
    struct hc_build_end start, end;
};

struct hc_build_rank {
    struct hc_rank_scan scan;
    int64_t start_ns;          /* of the window, graph time */
    struct hc_build_end begin; /* of the window */
    struct hc_build_thread *threads;
    struct hc_build_stream *streams;
    int32_t *join;       /* of a GPU event: the collective, or -1 */
    uint32_t *gpu_point; /* of a GPU event of this part: its start, followed by its end */
    size_t next_call, next_extra, next_launched; /* where this part begins */
    uint64_t *crossings_by_step; /* step << 32 | index of scan.crossings, ascending */
    size_t next_crossing;        /* the first that did not begin yet */
    uint32_t *open;              /* indices of those that a later part needs */
    size_t n_open, first_new_open;
    /* Of this part. */
    size_t end_call, end_extra, n_gpu;
    uint32_t *gpu_rows, *call_point, *extra_point;
    size_t gpu_row_capacity, call_capacity, extra_capacity;
};

struct hc_build_join {
    int64_t t_ns; /* arrival */
    int32_t step; /* of its last member; HC_NO_STEP: no join */
    uint32_t point;
    uint16_t last; /* rank index */
};

struct hc_profile_build {
    const struct hc_scan_window *window;
    size_t n_ranks, n_joins, n_parts, next_step, end_step;
    int64_t origin_ns, median_start_ns;
    int64_t traced_finish_ns; /* the latest finishing point so far, as traced */
    struct hc_build_rank *ranks;
    struct hc_build_join *joins; /* of each collective */
    uint32_t *join_rows;         /* joins by step: of step k from first_join[k] on */
    size_t *first_join;
    int32_t *together; /* of a step: the last that must be in its part */
    struct hc_profile_graph graph;
    struct hc_graph_order order;
    struct hc_peers peers;
    uint32_t *released; /* slots of carried points that this part is the last to use */
    size_t n_released, released_capacity, n_held, n_overlaps;
    uint8_t *held; /* of a slot: whether it holds a carried point */
};

enum hc_status hc_build_init(struct hc_profile_build *build, const struct hc_scan_window *window,
                             struct hc_error *err);
/* False at the end (err->status is HC_OK then) and on failure. */
bool hc_build_next(struct hc_profile_build *build, struct hc_error *err);
void hc_build_fini(struct hc_profile_build *build);

#endif
