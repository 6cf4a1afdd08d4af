#include "sim/fleet/fleet_cdf.h"

#include <math.h>
#include <stdlib.h>

/* By value, then weight: points that compare equal are the same, so any sort gives one order, and
 * the sums over it one last bit. */
static int by_value(const void *left, const void *right)
{
    const struct hc_weighted *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

void hc_fleet_cdf_build(struct hc_fleet_cdf *cdf, struct hc_weighted *points, size_t n)
{
    double below = 0, sum = 0;
    qsort(points, n, sizeof *points, by_value);
    *cdf = (struct hc_fleet_cdf){.n = n};
    for (size_t i = 0; i < n; i++) {
        cdf->weight += points[i].weight;
        sum += points[i].value * points[i].weight;
    }
    cdf->mean = n > 0 ? sum / cdf->weight : NAN;
    int k = 0;
    for (size_t i = 0; i < n; i++) {
        below += points[i].weight;
        while (k <= HC_CDF_INTERVALS && below * HC_CDF_INTERVALS >= cdf->weight * k)
            cdf->at[k++] = points[i].value;
    }
    while (k <= HC_CDF_INTERVALS)
        cdf->at[k++] = NAN;
}

double hc_fleet_cdf_percent(const struct hc_fleet_cdf *cdf, int percent)
{
    return cdf->at[percent * HC_CDF_INTERVALS / 100];
}
