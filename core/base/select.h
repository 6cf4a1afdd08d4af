/* select.h - order statistics without sorting. */
#ifndef HC_CORE_BASE_SELECT_H
#define HC_CORE_BASE_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* The value of rank k (from 0) of n > k values, none of them NaN; reorders values. */
double hc_select(double *values, size_t n, size_t k);

/* The median of n > 0 values, the mean of the two middle ones when n is even; reorders values. */
double hc_median(double *values, size_t n);

/* The lower median of n > 0 whole numbers: of them sorted, that of index (n - 1) / 2. Reorders
 * them. */
int64_t hc_lower_median(int64_t *values, size_t n);

#endif
