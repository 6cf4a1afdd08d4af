/* lane_block.h - filling blocks of lanes from packed rows: durations, launch delays and transfer
 * times. Private to this wing. */
#ifndef HC_SIM_REPLAY_LANE_BLOCK_H
#define HC_SIM_REPLAY_LANE_BLOCK_H

#include "core/base/status.h"
#include "sim/replay/step_lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values at or below this are clock errors and count as 0. */
#define HC_CLAMP_NS (-10000000.0)

/* Fills the blocks of one structure, one after the other. */
struct hc_lane_filler {
    const struct hc_step_structure *structure;
    size_t dp_size;
    uint32_t *position_of; /* position of each op of the census in the op order */
    struct hc_lane_block *block;
    double *start, *end, *latest; /* [n_ops][stride], same, [stride] of the block at hand, ns */
    size_t scratch_stride;
    int64_t clamped_transfers, clamped_delays; /* of the last block */
    bool has_negative;
};

enum hc_status hc_lane_filler_init(struct hc_lane_filler *filler,
                                   const struct hc_step_structure *structure,
                                   const struct hc_step_trace *trace, int32_t dp_size,
                                   struct hc_error *err);
void hc_lane_filler_fini(struct hc_lane_filler *filler);

/* Allocate a block for n_steps steps and begin to fill it. */
enum hc_status hc_lane_filler_start(struct hc_lane_filler *filler, struct hc_lane_block *block,
                                    size_t n_steps, struct hc_error *err);

/* Place the rows of step number k of the block; times are shifted by its first start. */
void hc_lane_filler_add(struct hc_lane_filler *filler, size_t k,
                        const struct hc_packed_step *packed, int64_t first_start_ns);

/* From starts and ends to durations, transfer times and launch delays. */
void hc_lane_filler_finish(struct hc_lane_filler *filler);

void hc_lane_block_fini(struct hc_lane_block *block);

#endif
