/* survival_families.h - what the files that fit share. Private to this wing. */
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

/* The maximum, in the unit of the data; false when the likelihood has none. */
bool hc_fit_weibull(const struct hc_fit_data *data, double *scale, double *shape);
bool hc_fit_gamma(const struct hc_fit_data *data, double *scale, double *shape);
bool hc_fit_lognormal(const struct hc_fit_data *data, double *scale, double *shape);

/* Logarithm of the likelihood of finished times in seconds. */
double hc_fit_log_likelihood(enum hc_fit_family family, const struct hc_survival *survival,
                             double scale, double shape);

/* The maximum where some times are residual, in seconds; not of the exponential, to which residual
 * times are as others (survival_residual.c). */
bool hc_fit_with_residuals(enum hc_fit_family family, const struct hc_survival *survival,
                           double *scale, double *shape);

#endif
