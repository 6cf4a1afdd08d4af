/* ideal_moves.h - the share of each step in the ideal durations: with it, the ideals of a resample
 * of the steps are known without finding means and medians anew (docs/methods/intervals.md). */
#ifndef HC_SIM_REPLAY_IDEAL_MOVES_H
#define HC_SIM_REPLAY_IDEAL_MOVES_H

#include "core/base/status.h"
#include "sim/replay/ideal.h"
#include "sim/replay/step_lanes.h"

#include <stdbool.h>

/* By op type, or NULL where no step moves the ideal: move_ns[type][step]. The mean over all steps
 * is 0; the mean over a resample of them is, to first order, how far its ideal is from that of all.
 */
struct hc_ideal_moves {
    double *move_ns[HC_N_OP_TYPES];
};

enum hc_status hc_ideal_moves_find(struct hc_ideal_moves *moves, const struct hc_step_lanes *lanes,
                                   const struct hc_ideals *ideals, struct hc_error *err);
void hc_ideal_moves_fini(struct hc_ideal_moves *moves);

#endif
