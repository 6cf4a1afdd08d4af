/* rank_correlation.h - whether one figure rises with another, whatever the shape of the rise. */
#ifndef HC_MODELS_STATS_RANK_CORRELATION_H
#define HC_MODELS_STATS_RANK_CORRELATION_H

#include <stddef.h>

/* Spearman's coefficient of n pairs, -1 to 1; equal values have the mean of their ranks. NaN for
 * fewer than two pairs, or where all values of one side are equal. No value may be NaN. scratch
 * holds 2 n numbers. */
double hc_rank_correlation(const double *x, const double *y, size_t n, double *scratch);

#endif
