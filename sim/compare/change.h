/* change.h - one figure of A and B, and whether it changed. Private to this wing. */
#ifndef HC_SIM_COMPARE_CHANGE_H
#define HC_SIM_COMPARE_CHANGE_H

#include "sim/compare/compare.h"

#include <stddef.h>

/* A series of steps: the figure is the sum of part over that of whole (NULL: over n). */
struct hc_step_series {
    const double *part, *whole; /* [n] */
    size_t n;
};

/* The change of a figure that each side has as a ratio of sums over its steps. n_asked: how many
 * figures of its table are asked whether they changed. Of fewer than HC_INTERVALS_LEAST_STEPS steps
 * on a side there is no interval. */
struct hc_change hc_change_of_series(const struct hc_step_series *a, const struct hc_step_series *b,
                                     size_t n_asked);

/* The change of a figure that has an interval on each side: the interval of the difference is made
 * of these two (MOVER; Zou and Donner, Statistics in Medicine 27 (2008) 1693-1702). Unknown where
 * an end of either is not known. */
struct hc_change hc_change_of_intervals(const struct hc_measured *a, const struct hc_measured *b);

/* Two figures without intervals: whether they changed is unknown. */
struct hc_change hc_change_of_values(double a, double b);

#endif
