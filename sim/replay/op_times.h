/* op_times.h - when each op of one step starts, transfers and ends: a pass over its op order that
 * keeps every time, where a sweep (sim/replay/sweep.h) keeps only ends that are waited for.
 */
#ifndef HC_SIM_REPLAY_OP_TIMES_H
#define HC_SIM_REPLAY_OP_TIMES_H

#include "core/base/status.h"
#include "sim/replay/step_lanes.h"
#include "sim/replay/timeline.h"

#include <stddef.h>
#include <stdint.h>

/* Where the durations and launch delays of an analysed step stand: step k of a block of a
 * structure. */
struct hc_step_place {
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    size_t k; /* step number in the block */
};

/* The places of all analysed steps: [lanes->n_steps], the caller's to free; NULL with err filled.
 */
struct hc_step_place *hc_step_places(const struct hc_step_lanes *lanes, struct hc_error *err);

/* Times of one step in ns, from its start: whole numbers below 2^53, so exact. */
struct hc_op_times {
    size_t width; /* dp ranks, or 1 when all are alike */
    size_t n_ops; /* positions of the op order */
    size_t capacity;
    double *start, *transfer, *end; /* [n_ops][width] by position; transfer: when the last of its
                                       group was there, of an op without a group its start */
};

/* Replay one step. times is zeroed before the first call and reused by the next. */
enum hc_status hc_op_times_find(struct hc_op_times *times, const struct hc_step_place *place,
                                int32_t dp_size, enum hc_timeline timeline, struct hc_error *err);
void hc_op_times_fini(struct hc_op_times *times);

/* Index of one op into the arrays. */
static inline size_t hc_op_times_index(const struct hc_op_times *times, size_t position,
                                       size_t dp_rank)
{
    return position * times->width + (times->width > 1 ? dp_rank : 0);
}

/* The op at a position of the op order, of one dp rank, whose worker is `rank`, with its times. */
struct hc_timeline_op hc_op_times_op(const struct hc_op_times *times, size_t position,
                                     const struct hc_step_structure *of, int32_t dp_rank,
                                     int32_t rank);

#endif
