/* select.h - order statistics without sorting, and sorting where all are wanted. */
#ifndef HC_CORE_BASE_SELECT_H
#define HC_CORE_BASE_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* Put n values, none of them NaN, in ascending order. */
void hc_sort(double *values, size_t n);

/* The value of rank k (from 0) of n > k values, none of them NaN; reorders values. */
double hc_select(double *values, size_t n, size_t k);

/* The median of n > 0 values, the mean of the two middle ones when n is even; reorders values. */
double hc_median(double *values, size_t n);

/* The median of n > 0 values, of two middle ones the smaller; reorders values. Where values are
 * compared with it, one of two that differ is then the usual one and the other is above it, instead
 * of each being half the difference away. */
double hc_lower_median(double *values, size_t n);

/* The standard deviation of normal values over their median absolute deviation (1 over the upper
 * quartile of the standard normal distribution, to the digits that are customary). */
#define HC_MAD_TO_SD 1.4826

/* The same for whole numbers: the value of rank k, and the lower median. */
int64_t hc_select_i64(int64_t *values, size_t n, size_t k);
int64_t hc_lower_median_i64(int64_t *values, size_t n);

#endif
