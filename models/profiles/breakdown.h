/* breakdown.h - what a GPU did in a window: the union of compute, of communication that nothing
 * covers, of copies, and what is left (spec: profiler traces 4). */
#ifndef HC_MODELS_PROFILES_BREAKDOWN_H
#define HC_MODELS_PROFILES_BREAKDOWN_H

#include "models/profiles/profile.h"

/* compute + exposed_comm + exposed_memcpy + idle = window, exactly. All ns. */
struct hc_breakdown {
    int64_t window_ns, compute_ns, exposed_comm_ns, overlapped_comm_ns, exposed_memcpy_ns, idle_ns;
};

/* Ours counts what the trace says of each event. TraceLens counts linked events only, over the
 * window from their first start to their last end. HTA (Holistic Trace Analysis) classes by names
 * of its own: a memset copies, a wait on a stream computes; it takes whole microseconds of each
 * event, and of two steps and more it leaves out the last, with what is not linked. Its window is
 * from the first start to the last end, too; what is neither compute nor idle it does not tell
 * apart. The choice's window and linked_only are for ours. */
enum hc_breakdown_like { HC_BREAKDOWN_OURS, HC_BREAKDOWN_LIKE_TRACELENS, HC_BREAKDOWN_LIKE_HTA };

/* Which GPU events count, and the window [start_ns, end_ns) that they are clipped to. */
struct hc_breakdown_choice {
    int64_t start_ns, end_ns; /* both HC_MISSING_I64: from the first start to the last end */
    bool linked_only;
    enum hc_breakdown_like like;
};

/* The breakdown of a linked rank; all 0 where no event counts and no window is given. A window that
 * ends before it starts is empty. */
void hc_profile_breakdown(struct hc_breakdown *breakdown, const struct hc_profile *profile,
                          size_t rank_index, const struct hc_breakdown_choice *choice);

/* ---- of every step of every rank, as a report lists it ---- */

struct hc_breakdown_row {
    int32_t rank;
    int64_t step;        /* number; HC_MISSING_I64: the whole trace, or what a tool takes of it */
    int64_t cpu_step_ns; /* from the start of the step to its end on the CPU */
    int64_t lag_ns; /* by which the GPU ends after the CPU window of the step; 0: it does not */
    struct hc_breakdown breakdown;
};

/* Rows by rank, then step. Ours has one for each step, over its GPU window; steps without a GPU
 * event have none, and are counted. Like another tool: one for each rank, over the window that this
 * tool takes. Zeroed memory is an empty list. */
struct hc_breakdown_rows {
    enum hc_breakdown_like like;
    size_t n;
    struct hc_breakdown_row *rows;
    size_t n_without_gpu;
};

/* Of a linked profile. rows is filled on success only. */
enum hc_status hc_breakdown_rows_make(struct hc_breakdown_rows *rows,
                                      const struct hc_profile *profile, enum hc_breakdown_like like,
                                      struct hc_error *err);
void hc_breakdown_rows_fini(struct hc_breakdown_rows *rows);

#endif
