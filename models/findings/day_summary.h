/* day_summary.h - the times of one day (pulls of images, waits in a queue) as one number with its
 * error, so that a night reads one line a day and not all starts of two months.
 */
#ifndef HC_MODELS_FINDINGS_DAY_SUMMARY_H
#define HC_MODELS_FINDINGS_DAY_SUMMARY_H

#include <stddef.h>

#define HC_DAY_LEAST_S 1.0 /* what is shorter counts as this: most clocks have whole seconds */

struct hc_day_summary {
    size_t n;        /* values taken */
    size_t n_bad;    /* negative or not finite: left out */
    double location; /* mean of the logarithms of the seconds, the lowest and the highest tenth of
                        them left out; NaN: no value */
    double error; /* its standard error (Tukey and McLaughlin, Sankhya A 25 (1963) 331-352: by the
                     winsorised variance); NaN of fewer than 5 values */
    double median_s; /* seconds */
};

/* Of n times in seconds, which are reordered. A sum of logarithms in ascending order, so the same
 * bytes for any order of the values. */
struct hc_day_summary hc_day_summarise(double *seconds, size_t n);

#endif
