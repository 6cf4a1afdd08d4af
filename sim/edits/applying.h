/* applying.h - one edit while it is applied to lanes: for this wing and its remedies. */
#ifndef HC_SIM_EDITS_APPLYING_H
#define HC_SIM_EDITS_APPLYING_H

#include "sim/edits/edited_lanes.h"
#include "sim/edits/replay_shared.h"

#define HC_NS_PER_S 1e9

/* Values of rows that are drawn together, and one row more: the shorter the rows, the more of them,
 * so that vector code has enough to do at a time. */
#define HC_DRAWN_AT_ONCE 1024

struct hc_applying {
    struct hc_edited_lanes *lanes;
    const struct hc_edit *edit;
    const struct hc_edit_draws *draws;
    struct hc_selection *selection; /* of remedies, and of classes; else NULL */
    uint8_t *mask;                  /* [HC_SELECTOR_MASKS][n_lanes of the widest block] */
    struct hc_op_classes classes;   /* of what asks for what is usual */
    double *usual_ns;               /* [classes.n] */
    struct hc_selector all_but;     /* the selector turned round, for classes of all others */
    double *drawn;                  /* [HC_DRAWN_AT_ONCE + widest block] for rows to come */
    const double *value;            /* [widest] of the row at hand, among them */
    double *scratch;                /* [3 * widest] */
    const uint8_t *chosen;          /* the mask whose factors stand in scratch, or NULL */
    int64_t *n_selected;
    struct hc_error *err;
};

static inline const struct hc_step_structure *hc_applying_structure(const struct hc_applying *a,
                                                                    const struct hc_op_row *row)
{
    return &a->lanes->base->lanes.structures[row->structure];
}

/* The durations of a row as edits have made them so far: [n_lanes]. */
static inline double *hc_applying_durations(const struct hc_applying *a,
                                            const struct hc_op_row *row)
{
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    return a->lanes->rows.duration[row->structure][row->block] +
           row->position * of->blocks[row->block].stride;
}

/* Say that a duration of a row is changed. */
static inline void hc_applying_mark(struct hc_applying *a, const struct hc_op_row *row)
{
    a->lanes->work->is_changed[row->structure][row->block][row->position] |= 1;
    a->lanes->touched |= (uint32_t)1 << hc_applying_structure(a, row)->op_type[row->position];
}

/* passes, optimizer, gc, clipping */
bool hc_is_compute(int op_type);

/* Whether a lane of the row that a->mask was told of is selected. */
static inline bool hc_applying_is_meant(const struct hc_applying *a, enum hc_selected selected,
                                        size_t lane)
{
    return selected == HC_SELECTED_ALL || (selected == HC_SELECTED_SOME && a->mask[lane]);
}

/* Put a duration, which counts as selected; HC_BAD_INPUT for one below 0 that was not so before. */
enum hc_status hc_applying_put(struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                               double ns);

/* Call visit for each row of all blocks. */
typedef enum hc_status hc_row_visit(struct hc_applying *a, const struct hc_op_row *row,
                                    void *context);
enum hc_status hc_applying_each_row(struct hc_applying *a, hc_row_visit *visit, void *context);

/* Whether it is launches that an edit changes. */
bool hc_edit_delays(const struct hc_edit *edit);

/* Edits of each selected op by itself (edit_rows.c); a replacement is found before
 * (edit_replace.c): of a class without ops, as where all are selected and the others asked for, an
 * op stays as it is. */
enum hc_status hc_apply_to_rows(struct hc_applying *a);
enum hc_status hc_replacement_find(struct hc_applying *a);
double hc_replacement_of(const struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                         double now_ns);
enum hc_status hc_apply_swap(struct hc_applying *a);

/* The remedies, each in a file of its name (sim/edits/remedies). */
enum hc_status hc_apply_rebalance(struct hc_applying *a);
enum hc_status hc_apply_planned_gc(struct hc_applying *a);
enum hc_status hc_apply_repartition(struct hc_applying *a);
enum hc_status hc_apply_overlap(struct hc_applying *a);
enum hc_status hc_apply_evict(struct hc_applying *a);

#endif
