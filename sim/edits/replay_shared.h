/* replay_shared.h - what variants and points of a study share beside the job itself, and threads
 * may ask for at once: rows that selectors mean, and lanes that were edited and put right again.
 * Private to this wing. */
#ifndef HC_SIM_EDITS_REPLAY_SHARED_H
#define HC_SIM_EDITS_REPLAY_SHARED_H

#include "sim/edits/change_log.h"
#include "sim/edits/selected_rows.h"

struct hc_replay_shared;

struct hc_replay_shared *hc_replay_shared_new(struct hc_error *err);
void hc_replay_shared_free(struct hc_replay_shared *shared, const struct hc_replay_base *base);

/* The rows of a selector, found or kept from before. identity: what is the same wherever the same
 * selector stands (the node of the scenario), NULL: nothing, as of one that draws. *own is true
 * where they are the caller's to hc_shared_rows_release. */
enum hc_status hc_shared_rows(const struct hc_selected_rows **rows, bool *own,
                              const struct hc_selector *selector, const struct hc_replay_base *base,
                              const struct hc_edit_draws *draws, bool with_pairs,
                              struct hc_error *err);

void hc_shared_rows_release(const struct hc_selected_rows *rows);

/* Durations as they were measured, and delays of 0: by structure and block [n_ops][stride]. A row
 * that is changed is marked, and put right when the lanes are given back. */
struct hc_work_lanes {
    struct hc_work_lanes *next;
    struct hc_lane_rows rows, delays; /* delays.duration is NULL until it is asked for */
    uint8_t ***is_changed;            /* [n_structures][n_blocks][n_ops] bits: 1 rows, 2 delays */
    struct hc_change_log changes[HC_N_OP_TYPES]; /* without room where the ideal is a mean */
};

struct hc_work_lanes *hc_work_lanes_take(const struct hc_replay_base *base, struct hc_error *err);
enum hc_status hc_work_lanes_delay(struct hc_work_lanes *lanes, const struct hc_replay_base *base,
                                   struct hc_error *err);
void hc_work_lanes_give_back(struct hc_work_lanes *lanes, const struct hc_replay_base *base);

#endif
