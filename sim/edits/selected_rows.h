/* selected_rows.h - what a selector means of a job, found once: the rows that have a selected op.
 * Private to this wing.
 *
 * Selectors without random numbers mean the same in all variants and points of a study, which share
 * them; so what is found is kept with the job (sim/edits/replay_shared.h). */
#ifndef HC_SIM_EDITS_SELECTED_ROWS_H
#define HC_SIM_EDITS_SELECTED_ROWS_H

#include "sim/edits/selector.h"

struct hc_selected_row {
    struct hc_op_row row;
    const uint8_t *mask;  /* [n_lanes] 0 or 1; NULL: all lanes. Rows of equal masks that follow each
                             other have the same one */
    const uint32_t *lane; /* [n_meant] that are selected, ascending; NULL: all */
    size_t n_meant;
    bool is_as_before; /* while rows are found: mask and lanes are those of the one before */
};

struct hc_selected_rows {
    size_t n, room;
    struct hc_selected_row *rows; /* in order of structure, block, position */
    size_t n_masks, masks_room;   /* bytes */
    uint8_t *masks;
    size_t n_lanes, lanes_room;
    uint32_t *lanes;
};

/* Rows of a selector. with_pairs: an op that is one end of a transfer between stages is selected
 * where the other is. rows: zeroed; the caller's to hc_selected_rows_fini whatever the result. */
enum hc_status hc_selected_rows_find(struct hc_selected_rows *rows,
                                     const struct hc_selector *selector,
                                     const struct hc_replay_base *base,
                                     const struct hc_edit_draws *draws, bool with_pairs,
                                     struct hc_error *err);
void hc_selected_rows_fini(struct hc_selected_rows *rows);

#endif
