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
 * figures of its table are asked whether they changed. Steps of A and B that do not touch show a
 * change, whatever drifts within A or B. Of fewer than HC_INTERVALS_LEAST_STEPS steps on a side
 * there is no interval, and nothing else shows one. */
struct hc_change hc_change_of_series(const struct hc_step_series *a, const struct hc_step_series *b,
                                     size_t n_asked);

/* The standard deviation of a step from what the step before it lets expect, which a drift leaves
 * as it is: by the differences of steps that follow each other, but for the largest, which may be a
 * change of level. 0 of one or two steps. */
double hc_step_noise(const struct hc_step_series *series);

/* The change of a figure that has an interval on each side: the interval of the difference is made
 * of these two (models/stats/serial_ratio.h), that of the ratio where both are above 0. Unknown
 * where an end of either is not known. */
struct hc_change hc_change_of_intervals(const struct hc_measured *a, const struct hc_measured *b);

/* Two figures without intervals: whether they changed is unknown. */
struct hc_change hc_change_of_values(double a, double b);

#endif
