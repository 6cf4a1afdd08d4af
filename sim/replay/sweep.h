/* sweep.h - the fast replay: one max-plus pass over an op order, vectorised over lanes.
 * For replays of this wing, and of edited steps (sim/edits).
 *
 * A lane is one independent copy of the step's graph: a (step, dp rank), or a stand-in for one. The
 * start of an op is its launch delay plus the latest end of what it waits for; ops of a group
 * transfer together from the latest start among them. All times are whole
 * nanoseconds in doubles, below 2^53, so every sum and maximum is exact and no order of threads or
 * lanes can change a result.
 */
#ifndef HC_SIM_REPLAY_SWEEP_H
#define HC_SIM_REPLAY_SWEEP_H

#include "core/base/status.h"
#include "sim/replay/op_order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Durations (or delays) of a block of lanes, chosen per op: a row of the matrix or one constant. */
struct hc_rows {
    const double *matrix; /* [n_ops][stride] by position, in ns; NULL: constants only */
    size_t stride;
    const double *constant;    /* [n_ops] by position; NULL: matrix only */
    const uint8_t *use_matrix; /* [n_ops] by position; NULL: all ops when there is a matrix */
};

enum hc_sync {
    HC_SYNC_STEP, /* lanes [k * width, (k + 1) * width) are the dp ranks of one step */
    HC_SYNC_FOLD  /* lane l and lane l + n_lanes / 2 are the two dp ranks of one step; the matrix
                     holds for the first half only, the second half is constant */
};

struct hc_sweep {
    const struct hc_op_order *order;
    struct hc_rows duration; /* transfer time for ops of a group */
    struct hc_rows delay;    /* launch delays; neither matrix nor constant: none */
    size_t n_lanes;
    enum hc_sync sync;
    size_t width;      /* of HC_SYNC_STEP */
    bool has_negative; /* some duration is below 0: then spans need the start of every op */
};

/* Results per lane, in ns: arrays of n_lanes. */
struct hc_sweep_times {
    double *end;        /* latest end of an optimizer op; -inf without one */
    double *span_start; /* earliest start of any op */
    double *span_end;   /* latest end of any op */
};

/* Scratch for sweeps of one op order on one thread: slots and rows for up to so many lanes. */
struct hc_sweep_space {
    size_t stride;
    double *slots; /* [slots of the op order][stride] */
    double *start, *sink;
    size_t n_slots, n_row; /* doubles that there is room for */
};

enum hc_status hc_sweep_space_init(struct hc_sweep_space *space, const struct hc_op_order *order,
                                   size_t lanes, struct hc_error *err);
/* Make a space, zeroed or used before, serve another op order or number of lanes. */
enum hc_status hc_sweep_space_fit(struct hc_sweep_space *space, const struct hc_op_order *order,
                                  size_t lanes, struct hc_error *err);
void hc_sweep_space_fini(struct hc_sweep_space *space);

void hc_sweep_run(const struct hc_sweep *sweep, struct hc_sweep_space *space,
                  struct hc_sweep_times *times);

#endif
