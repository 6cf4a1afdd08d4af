/* edited_lanes.h - the lanes of a job with edits applied: durations and launch delays of all ops in
 * all lanes, as a variant has them. */
#ifndef HC_SIM_EDITS_EDITED_LANES_H
#define HC_SIM_EDITS_EDITED_LANES_H

#include "sim/edits/edit.h"

/* What a rebalancing did, in means over steps: the work of the fullest dp rank over that of the
 * mean one, as it was, as it is, and below which no deal gets it. */
struct hc_dealt {
    int64_t n_steps;             /* 0: nothing was dealt out */
    double before, after, bound; /* sums over steps */
};

struct hc_edited_lanes {
    const struct hc_replay_base *base;
    struct hc_lane_rows rows;          /* durations, ns */
    struct hc_lane_rows delays;        /* launch delays, ns; rows are NULL where there are none */
    uint32_t touched;                  /* 1 << op type: a duration of it was changed */
    hc_wide_ns more_ns[HC_N_OP_TYPES]; /* what all durations of a type are longer together, where
                                          their ideal is a mean */
    struct hc_work_lanes *work;        /* whose rows these are; NULL without edits: of the base */
    bool has_negative;
    struct hc_dealt dealt;
    double *extra_ns;    /* [n_steps] that a step takes longer as a whole, as for a replacement */
    int64_t *n_selected; /* [n_edits] ops that each was for */
};

/* Apply edits to the job. HC_BAD_INPUT: a duration would be below 0; *failed is which edit then.
 * lanes is the caller's to hc_edited_lanes_fini whatever the result. */
enum hc_status hc_edited_lanes_make(struct hc_edited_lanes *lanes,
                                    const struct hc_replay_base *base, const struct hc_edit *edits,
                                    size_t n_edits, const struct hc_edit_draws *draws,
                                    size_t *failed, struct hc_error *err);
void hc_edited_lanes_fini(struct hc_edited_lanes *lanes);

/* Add launch delays, and times of whole steps, that the job had before these edits; delays must
 * outlive lanes. extra_ns NULL: none. */
enum hc_status hc_edited_lanes_carry(struct hc_edited_lanes *lanes,
                                     const struct hc_lane_rows *delays, const double *extra_ns,
                                     struct hc_error *err);

#endif
