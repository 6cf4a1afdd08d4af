/* step_doubt.h - how sure a mean over steps is that may follow each other
 * (docs/methods/intervals.md). Private to this wing. */
#ifndef HC_SIM_WHATIF_STEP_DOUBT_H
#define HC_SIM_WHATIF_STEP_DOUBT_H

#include "sim/whatif/whatif_depth.h"

#include <stdbool.h>
#include <stddef.h>

/* Of what the steps do to a mean, n_steps values. */
struct hc_step_doubt {
    double correlation; /* from a step to the next; what short series take from it is put back */
    double growth;      /* times as large as of independent steps is the variance of the mean */
    double freedom;     /* of Student's t */
    bool is_hopeless;   /* the steps follow each other too closely to tell */
};

/* The lag-1 correlation of a series of mean 0, with the bias of short series taken off; 0 where all
 * are 0. */
double hc_step_correlation(const double *value, size_t n_steps);

/* Steps as far as is known independent: their correlation counts with half a standard error (or as
 * many as errors says) on top. */
struct hc_step_doubt hc_doubt_of_steps(double correlation, size_t n_steps, double errors);

/* Steps that have levels, which may last: share of the variance is theirs, and counts with the
 * largest correlation that such a series could well have. */
struct hc_step_doubt hc_doubt_of_levels(double correlation, double share, size_t n_steps);

/* How many steps would be enough for levels of this correlation, in tens. */
size_t hc_enough_steps(double correlation);

/* Interval of the sum of part over the sum of whole, [n_steps] each (Fieller 1954): all ratios for
 * which part - ratio * whole may have mean 0. low is NaN where the mean of whole may be nearly 0.
 */
struct hc_interval hc_ratio_interval(const double *part, const double *whole, size_t n_steps,
                                     const struct hc_step_doubt *doubt, double level);

#endif
