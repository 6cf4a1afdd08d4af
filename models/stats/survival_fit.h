/* survival_fit.h - distributions fitted to times, some of them cut off, by maximum likelihood
 * (docs/methods/reliability.md). */
#ifndef HC_MODELS_STATS_SURVIVAL_FIT_H
#define HC_MODELS_STATS_SURVIVAL_FIT_H

#include "models/stats/survival.h"

enum hc_fit_family {
    HC_FIT_EXPONENTIAL, /* scale: the mean; no shape */
    HC_FIT_WEIBULL,     /* scale, shape */
    HC_FIT_GAMMA,       /* scale, shape: mean = scale * shape */
    HC_FIT_LOGNORMAL,   /* scale: the median; shape: sigma of the logarithm */
    HC_N_FIT_FAMILIES
};
const char *hc_fit_family_name(enum hc_fit_family family);

struct hc_fit {
    const char *lacks; /* why there is none, in words; NULL: there is one */
    double scale, shape;
    double scale_low, scale_high; /* from the curvature of the likelihood, in the logarithm; NaN */
    double shape_low, shape_high; /* where it is not that of a maximum */
    double mean;
    double log_likelihood, aic, bic; /* of times in seconds; n of the BIC: what happened */
    double aicc;     /* AIC corrected for few times; infinite where they are too few to tell */
    double distance; /* largest between the fit and Kaplan and Meier's curve; NaN: nothing whole */
};

struct hc_fits {
    struct hc_fit fit[HC_N_FIT_FAMILIES];
    int best; /* lowest AICc, the simplest of equals; -1: there is none */
};

/* Fit every family to finished times. Intervals have the level of HC_FIT_LEVEL. HC_INTERNAL only
 * when there is no memory. */
#define HC_FIT_LEVEL 0.95
enum hc_status hc_fit_survival(struct hc_fits *fits, const struct hc_survival *survival,
                               struct hc_error *err);

/* Logarithm of the probability of a time above t, t > 0; and that of the rest, above t, of one that
 * was in service for long when watching began. */
double hc_fit_log_survival(enum hc_fit_family family, double scale, double shape, double t);
double hc_fit_log_residual(enum hc_fit_family family, double scale, double shape, double t);

double hc_fit_mean(enum hc_fit_family family, double scale, double shape);

#endif
