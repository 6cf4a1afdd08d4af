/* edited_replay.h - a job with edits, replayed: its steps as they come out, and their own ideal. */
#ifndef HC_SIM_EDITS_EDITED_REPLAY_H
#define HC_SIM_EDITS_EDITED_REPLAY_H

#include "sim/edits/edited_lanes.h"

/* Times of each analysed step in ns, [n_steps] each: sums where edits are drawn several times. */
struct hc_edited_times {
    double *span, *end;             /* with the edits */
    double *ideal_span, *ideal_end; /* with the ideal durations of what the edits have made */
};

/* Replay edited lanes, and add the times of each step. */
enum hc_status hc_edited_replay(struct hc_edited_times *times, const struct hc_edited_lanes *lanes,
                                struct hc_error *err);

/* The ideal duration of an op type with the edits, to the nearest ns, as hc_ideals_find gives it of
 * measured ones. */
enum hc_status hc_edited_ideal(const struct hc_edited_lanes *lanes, int op_type, double *ideal_ns,
                               struct hc_error *err);

/* How long each step would take if all its dp ranks were as one of them: its span in ns, into
 * span_ns [n_steps][dp_size]. */
enum hc_status hc_edited_columns(const struct hc_edited_lanes *lanes, double *span_ns,
                                 struct hc_error *err);

#endif
