/* changed_median.h - the median of whole numbers of which some were changed, where all of them
 * stand sorted as they were before. Private to this wing.
 *
 * The rank of a value among all of them is its rank among the sorted ones, less how many of those
 * before a change are at or below it, more how many of those after. So the unchanged ones are
 * neither copied nor sorted again:
 *
 *     struct hc_changed_values changed = {.sorted = all, .n = n, .before = ..., .after = ...};
 *     for (each that changed)
 *         changed.before[changed.n_before++] = ..., changed.after[changed.n_after++] = ...;
 *     double median = hc_changed_median(&changed);
 *
 * Where most were changed it is less work to leave the sorted ones out: n = n_before = 0, and all
 * values as they are now in after.
 */
#ifndef HC_SIM_EDITS_CHANGED_MEDIAN_H
#define HC_SIM_EDITS_CHANGED_MEDIAN_H

#include <stddef.h>

struct hc_changed_values {
    const double *sorted; /* [n] ascending, as they were before */
    size_t n;
    double *before, *after; /* in any order; every one of before is among the sorted ones */
    size_t n_before, n_after;
};

/* The median of the n - n_before + n_after > 0 values; of two middle ones their mean to the nearest
 * whole number, halves up. Uses before and after up. */
double hc_changed_median(struct hc_changed_values *values);

#endif
