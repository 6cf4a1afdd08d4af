/* profile_scan.h - what the dependency graph needs to know of one rank before its parts are built:
 * which calls and GPU events are in the window and in which step, who launched what, and the waits
 * that the trace shows (spec: profiler traces 7). Some 20 bytes an event. For this wing and
 * that of edits.
 *
 *     hc_scan_names(&names, profile, err);
 *     hc_scan_rank(&scan, profile, &window, r, err);
 */
#ifndef HC_SIM_PROFILES_PROFILE_SCAN_H
#define HC_SIM_PROFILES_PROFILE_SCAN_H

#include "core/base/int_map.h"
#include "sim/profiles/profile_graph.h"

/* What a name of a call says. */
enum hc_call_class {
    HC_CALL_OTHER,
    HC_CALL_SYNC_DEVICE,
    HC_CALL_SYNC_STREAM,
    HC_CALL_SYNC_EVENT,
    HC_CALL_COPY, /* cudaMemcpy: waits for what it copies */
    HC_CALL_COPY_ASYNC,
    HC_CALL_WAITS_EVENT /* makes a stream wait */
};

/* The window that is replayed: steps that all ranks have. */
struct hc_scan_window {
    const struct hc_profile *profile;
    const struct hc_collectives *collectives;
    size_t n_steps;
    const int64_t *numbers; /* of the steps */
    uint8_t *call_class;    /* of each name of the dictionary "event" */
    size_t n_names;
};

enum hc_source { HC_SOURCE_GPU_END, HC_SOURCE_CALL_START, HC_SOURCE_EXTRA };

/* An edge that does not follow from the order of a thread or stream. Target: the row of a GPU event
 * (of an event edge), of a call (of a sync edge), an extra point (of a wake). */
struct hc_scan_wait {
    int64_t w_ns;
    uint32_t target, source;
    uint8_t kind, source_of; /* enum hc_graph_edge, enum hc_source */
};

enum hc_extra { HC_EXTRA_START, HC_EXTRA_BOUND, HC_EXTRA_END, HC_EXTRA_WAKER, HC_EXTRA_WOKEN };

/* A point of a thread that is no call. */
struct hc_scan_extra {
    int64_t t_ns;    /* local */
    int64_t busy_ns; /* of a woken point: end of the stretch before */
    int32_t thread;  /* dense */
    int32_t step;
    uint8_t what; /* enum hc_extra */
};

#define HC_CALL_LAUNCHES  1
#define HC_CALL_SHORTENED 2 /* a wait reaches into it: its own time is what it takes without */
#define HC_CALL_HAS_WAITS 4

/* A source of a wait in a later part than its own. */
struct hc_scan_crossing {
    uint64_t source; /* enum hc_source << 32 | row or extra */
    int32_t step, last_step;
    uint32_t slot;
};

struct hc_rank_scan {
    const struct hc_profile_rank *rank;
    size_t rank_index;
    int64_t *bound_ns; /* n_steps + 1, local: the steps' CPU windows */
    size_t n_steps;

    uint32_t *outer; /* of a call: itself, the call that it is nested in, or HC_NO_ROW */
    uint8_t *call_flags;
    int32_t *call_thread;      /* dense, of the calls that are points */
    struct hc_int_map threads; /* code to dense, in order of appearance */

    int32_t *gpu_step; /* of a GPU event, or HC_NO_STEP: not in the window */
    uint16_t *stream;  /* dense */
    size_t n_streams;
    uint32_t *in_step; /* rows by step, then start; of step k from first_in_step[k] on */
    size_t *first_in_step;
    uint8_t *gpu_flags; /* HC_CALL_HAS_WAITS */

    uint32_t *by_launch; /* rows in launch order, those that nobody launched first */
    size_t n_by_launch;
    /* GPU events by stream, then in launch order: of stream s from first_launched[s] on. */
    uint32_t *launched, *latest; /* latest: of those up to here, the one that ends last */
    size_t *first_launched;
    int32_t *stream_number;

    int64_t latency_ns[3], stream_gap_ns;
    int64_t *shortest_ns; /* of each name of a call */

    size_t n_extras, extra_capacity, n_waits, wait_capacity, n_crossings, crossing_capacity;
    struct hc_scan_extra *extras;       /* ascending by time */
    struct hc_scan_wait *waits;         /* ascending by (kind, target) */
    struct hc_scan_crossing *crossings; /* ascending by source */
};

enum hc_status hc_scan_window_init(struct hc_scan_window *window, const struct hc_profile *profile,
                                   const struct hc_collectives *collectives, struct hc_error *err);
/* The steps that all ranks have, of those that the options want. HC_BAD_INPUT: none. */
enum hc_status hc_scan_window_choose(struct hc_scan_window *window,
                                     const struct hc_profile_whatif_options *options,
                                     struct hc_error *err);
void hc_scan_window_fini(struct hc_scan_window *window);

enum hc_status hc_scan_rank(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                            size_t rank_index, struct hc_error *err);
void hc_scan_rank_fini(struct hc_rank_scan *scan);

/* The step of a local time, or HC_NO_STEP. */
int32_t hc_scan_step_at(const struct hc_rank_scan *scan, int64_t ns);

/* The steps of the two ends of a wait. */
int32_t hc_scan_source_step(const struct hc_rank_scan *scan, const struct hc_scan_wait *wait);
int32_t hc_scan_target_step(const struct hc_rank_scan *scan, const struct hc_scan_wait *wait);

/* ---- the passes of hc_scan_rank, in their order ---- */

enum hc_status hc_scan_calls(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err);
enum hc_status hc_scan_streams(struct hc_rank_scan *scan, struct hc_error *err);
enum hc_status hc_scan_wakes(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err);
enum hc_status hc_scan_waits(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err);

enum hc_status hc_scan_add_wait(struct hc_rank_scan *scan, struct hc_scan_wait wait,
                                struct hc_error *err);
/* The dense index of a thread, which is new where it was not seen before. */
enum hc_status hc_scan_thread(struct hc_rank_scan *scan, int32_t code, int32_t *thread,
                              struct hc_error *err);

/* ---- columns ---- */

static inline int64_t hc_scan_gpu_start(const struct hc_rank_scan *scan, size_t row)
{
    return hc_table_i64(&scan->rank->table[HC_PROFILE_GPU], HC_GPU_START_NS)[row];
}

static inline int64_t hc_scan_gpu_end(const struct hc_rank_scan *scan, size_t row)
{
    return hc_scan_gpu_start(scan, row) +
           hc_table_i64(&scan->rank->table[HC_PROFILE_GPU], HC_GPU_DURATION_NS)[row];
}

static inline int64_t hc_scan_call_start(const struct hc_rank_scan *scan, size_t row)
{
    return hc_table_i64(&scan->rank->table[HC_PROFILE_CALLS], HC_CALLS_START_NS)[row];
}

static inline int64_t hc_scan_call_end(const struct hc_rank_scan *scan, size_t row)
{
    return hc_scan_call_start(scan, row) +
           hc_table_i64(&scan->rank->table[HC_PROFILE_CALLS], HC_CALLS_DURATION_NS)[row];
}

static inline int32_t hc_scan_call_name(const struct hc_rank_scan *scan, size_t row)
{
    return hc_table_i32(&scan->rank->table[HC_PROFILE_CALLS], HC_CALLS_NAME)[row];
}

/* The call whose start launched a GPU event, or HC_NO_ROW. */
static inline uint32_t hc_scan_launch(const struct hc_rank_scan *scan, size_t gpu_row)
{
    uint32_t row = scan->rank->launch[gpu_row];
    return row == HC_NO_ROW ? HC_NO_ROW : scan->outer[row];
}

#endif
