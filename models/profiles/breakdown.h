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

#endif
