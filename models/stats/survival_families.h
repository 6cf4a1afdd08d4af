/* survival_families.h - what the files that fit share. */
#ifndef HC_MODELS_STATS_SURVIVAL_FAMILIES_H
#define HC_MODELS_STATS_SURVIVAL_FAMILIES_H

#include "models/stats/survival_fit.h"

/* Times in units of the longest, so that powers of them do not overflow. */
struct hc_fit_row {
    double time, log_time, count;
};

struct hc_fit_data {
    struct hc_fit_row *rows, *cut; /* what happened, and what was cut off */
    size_t n, n_cut;
    double n_events, sum_events, sum_log; /* of what happened */
    double sum;                           /* of all times */
    double unit;                          /* seconds */
};

/* A root of a falling function in [low, high] of the logarithm of its argument, from start on.
 * False when there is none. */
typedef double hc_fit_slope(double x, void *context);
bool hc_fit_root(hc_fit_slope *slope, void *context, double low, double high, double *x);

/* The maximum, in the unit of the data; false when the likelihood has none. */
bool hc_fit_weibull(const struct hc_fit_data *data, double *scale, double *shape);
bool hc_fit_gamma(const struct hc_fit_data *data, double *scale, double *shape);
bool hc_fit_lognormal(const struct hc_fit_data *data, double *scale, double *shape);

/* ln of the probability that a standard normal variable exceeds z, and density over that
 * probability. */
double hc_normal_log_above(double z);
double hc_normal_hazard(double z);

#endif
