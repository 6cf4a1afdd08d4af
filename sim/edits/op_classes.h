/* op_classes.h - classes of ops, and what is usual in them: means, medians, quantiles, median
 * absolute deviations of their durations, in whole nanoseconds (halves away from zero). */
#ifndef HC_SIM_EDITS_OP_CLASSES_H
#define HC_SIM_EDITS_OP_CLASSES_H

#include "sim/edits/replay_base.h"
#include "sim/replay/whole_ns.h"

#include <math.h>

/* By what ops are told apart; bits. */
enum hc_class_by {
    HC_CLASS_OP = 1, /* op type */
    HC_CLASS_STAGE = 2,
    HC_CLASS_WORKER = 4, /* dp rank and stage */
    HC_CLASS_DP_RANK = 8,
    HC_CLASS_STEP = 16,
    HC_CLASS_MICROBATCH = 32,
    HC_CLASS_CHUNK = 64
};

/* A row of lanes: the op at a position of a block of a structure. */
struct hc_op_row {
    size_t structure, block, position;
};

/* Selectors within each other, the outermost counted. */
#define HC_SELECTOR_DEPTH 4
/* Masks that a row needs room for: its own, and those of the selectors within. */
#define HC_SELECTOR_MASKS (1 + 2 * HC_SELECTOR_DEPTH)

/* Which lanes of a row are meant: some is told lane by lane. */
enum hc_selected { HC_SELECTED_NONE, HC_SELECTED_ALL, HC_SELECTED_SOME };

/* A choice of ops; mask as for hc_selection_row (sim/edits/selector.h). */
struct hc_row_choice {
    enum hc_selected (*row)(const void *context, const struct hc_op_row *row, uint8_t *mask);
    const void *context;
};

/* Durations by structure and block, as they are or as edits have made them: [n_ops][stride] by
 * position. */
struct hc_lane_rows {
    double ***duration; /* [n_structures][n_blocks] */
};

struct hc_op_classes {
    const struct hc_replay_base *base;
    unsigned by;
    size_t per_row;   /* classes of the lanes of one kind of op */
    int32_t **row_of; /* [n_structures][n_ops] by position: which kind of op it is */
    size_t n;         /* classes: kinds of ops times per_row */
    size_t *first;    /* [n + 1] into values */
    double *values;   /* durations by class, reordered by what looks for quantiles */
};

/* Sort the ops into classes. rows NULL: durations as measured; choice NULL: of all ops. A class
 * without an op has no number. */
enum hc_status hc_op_classes_make(struct hc_op_classes *classes, const struct hc_replay_base *base,
                                  unsigned by, const struct hc_lane_rows *rows,
                                  const struct hc_row_choice *choice, struct hc_error *err);
void hc_op_classes_fini(struct hc_op_classes *classes);

/* The class of an op in a lane, and how many ops it has: 0 where a selection left all out. */
size_t hc_op_class(const struct hc_op_classes *classes, const struct hc_op_row *row, size_t lane);
static inline size_t hc_op_class_n(const struct hc_op_classes *classes, size_t i)
{
    return classes->first[i + 1] - classes->first[i];
}

/* Of class i, which has ops: the mean in whole ns; the value that a share of the class is at or
 * below (between two, by interpolation, as numpy's default); the median absolute deviation, which
 * uses the values up. */
double hc_op_class_mean(const struct hc_op_classes *classes, size_t i);
double hc_op_class_quantile(struct hc_op_classes *classes, size_t i, double share);
double hc_op_class_mad(struct hc_op_classes *classes, size_t i);

#endif
