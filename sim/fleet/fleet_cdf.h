/* fleet_cdf.h - how a figure is spread over a fleet: quantiles, by jobs or by any weight.
 *
 * One rule for all of them, which needs no interpolation and so names a value that a job has: the
 * quantile q is the smallest value v such that the values <= v hold at least q of the whole weight.
 */
#ifndef HC_SIM_FLEET_FLEET_CDF_H
#define HC_SIM_FLEET_FLEET_CDF_H

#include <stddef.h>

struct hc_weighted {
    double value, weight;
};

#define HC_CDF_INTERVALS                                                                           \
    200 /* quantiles kept: every half per cent, with the least and the largest */

struct hc_fleet_cdf {
    size_t n;      /* values */
    double weight; /* their sum of weights */
    double mean;   /* sum of value times weight over the sum of weights; NaN for n = 0 */
    double at[HC_CDF_INTERVALS + 1]; /* quantile k / HC_CDF_INTERVALS; NaN for n = 0 */
};

/* values and weights are finite, weights > 0; reorders points. The result does not depend on the
 * order they come in. */
void hc_fleet_cdf_build(struct hc_fleet_cdf *cdf, struct hc_weighted *points, size_t n);

/* The quantile of a whole number of per cent, 0 to 100. */
double hc_fleet_cdf_percent(const struct hc_fleet_cdf *cdf, int percent);

#endif
