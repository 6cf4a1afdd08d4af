/* ideal.h - the ideal duration of each op type (paper section 3.2): the
 * mean of compute, the median transfer time of communication, over all analysed steps, dp ranks and
 * stages, rounded to whole nanoseconds. */
#ifndef HC_SIM_REPLAY_IDEAL_H
#define HC_SIM_REPLAY_IDEAL_H

#include "core/base/status.h"
#include "core/tables/op_type.h"
#include "sim/replay/step_lanes.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_ideals {
    int64_t duration_ns[HC_N_OP_TYPES]; /* 0 for types that are not there */
    int64_t n[HC_N_OP_TYPES];           /* rows of each type */
    bool has_negative;
};

/* Whether the ideal of a type is the mean of its durations; else it is their median. */
bool hc_ideal_is_mean(int op_type);

/* Pool the blocks of all structures, and fill the ideal rows of each structure. */
enum hc_status hc_ideals_find(struct hc_ideals *ideals, struct hc_step_lanes *lanes,
                              struct hc_error *err);

#endif
