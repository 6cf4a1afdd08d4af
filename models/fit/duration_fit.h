/* duration_fit.h - a distribution fitted to times that were seen, and how sure its figures are.
 *
 * The family is that of the lowest AICc (models/stats/survival_fit.h); intervals are those between
 * the 2.5 and 97.5 % quantiles of draws from its posterior (survival_posterior.h). That of the mean
 * is drawn from all families of two parameters, by their Akaike weights: a few times hardly tell
 * which it is, and the mean depends on it. Times that are all alike, as those of a timeout, have no
 * family: they are a number.
 */
#ifndef HC_MODELS_FIT_DURATION_FIT_H
#define HC_MODELS_FIT_DURATION_FIT_H

#include "models/stats/survival_fit.h"

#define HC_FIT_NO_FAMILY (-1)

/* A figure with its interval of 95 %; low and high are NaN where nothing tells it. */
struct hc_estimate {
    double value, low, high;
};

extern const struct hc_estimate hc_no_estimate; /* all NaN */

struct hc_duration_fit {
    int64_t n, n_censored;     /* that ended, that were cut off */
    int family;                /* enum hc_fit_family, or HC_FIT_NO_FAMILY: a number */
    struct hc_estimate mean;   /* seconds */
    struct hc_estimate spread; /* of a lognormal its standard deviation in seconds, of Weibull and
                                  gamma the shape; NaN of others */
    struct hc_estimate
        median; /* of the times that ended, by order statistics; none with cut ones */
    double
        distance; /* largest between the fit and Kaplan and Meier's curve; NaN without a family */
};

/* Fit times, which are finished by this. resolution_s: of the stamps that they were taken from: by
 * so much each may be off; times are alike where they differ by no more than twice that. stream
 * numbers the draws. HC_INTERNAL only. */
enum hc_status hc_duration_fit_make(struct hc_duration_fit *fit, struct hc_survival *times,
                                    double resolution_s, uint64_t stream, struct hc_error *err);

/* The interval between the 2.5 and 97.5 % quantiles of n draws, which are sorted by this, around a
 * value. n of 40 or more. */
struct hc_estimate hc_estimate_of_draws(double value, double *draws, size_t n);

#endif
