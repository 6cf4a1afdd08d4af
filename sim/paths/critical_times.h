/* critical_times.h - when the ops of some steps end, and when each could end at the latest: steps
 * of one block side by side, so that a pass over the op order serves them all. Critical paths are
 * walked on these times (sim/paths/critical_path.h).
 *
 * A lane is a dp rank of a step, as in sim/replay/sweep.h, of which this is the form that keeps
 * every end. All times are whole nanoseconds in doubles, below 2^53: exact in any order.
 */
#ifndef HC_SIM_PATHS_CRITICAL_TIMES_H
#define HC_SIM_PATHS_CRITICAL_TIMES_H

#include "core/base/status.h"
#include "sim/replay/step_lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lanes of a pass: the loop over an op takes longer to begin than for a few of them, and times of
 * many more would not stay in the cache from the way there to the way back. */
#define HC_CRITICAL_LANES 128

/* Steps [first, first + n) of a block. */
struct hc_step_run {
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    size_t first, n;
    size_t dp_size;
    bool has_delays; /* whether ops wait for the launch delays of the block */
};

/* Zeroed before the first use, and used again for the next run. */
struct hc_critical_times {
    struct hc_step_run of;
    size_t n_lanes;         /* n * dp_size of the run */
    uint32_t *node_of;      /* [n_ops] by position: its node in the op order */
    double *transfer;       /* [n_nodes][n_lanes] when the last of the node was there */
    double *end;            /* [n_ops][n_lanes] by position */
    double *latest_end;     /* [the same] to which each op alone could last, with all ends of its
                               step at or before its own */
    double *first, *last;   /* [n_lanes] the first start and the last end of the step of a lane */
    size_t n_stages;        /* of the structure */
    double *slack;          /* [n_stages][n_lanes] the least of an op of the stage */
    double *ready, *limit;  /* [n_lanes] scratch */
    uint8_t *is_limited;    /* [n_ops] scratch: something that follows limits its latest end */
    size_t n_room, op_room; /* doubles and ops that there is room for */
    double *room;
};

/* Find all times of a run. HC_INTERNAL only when there is no memory. */
enum hc_status hc_critical_times_find(struct hc_critical_times *times, const struct hc_step_run *of,
                                      struct hc_error *err);
void hc_critical_times_fini(struct hc_critical_times *times);

/* The row of an op in the durations or delays of the run. */
static inline const double *hc_critical_row(const struct hc_critical_times *times,
                                            const double *matrix, size_t position)
{
    return matrix + position * times->of.block->stride + times->of.first * times->of.dp_size;
}

#endif
