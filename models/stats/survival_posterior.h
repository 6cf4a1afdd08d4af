/* survival_posterior.h - what a fit leaves open: parameters drawn from their posterior.
 *
 * The prior is flat in the logarithm of the shape, and of the scale that of Jeffreys for a rate,
 * which an exponential has: as the root of its inverse, so that the rate of an exponential is
 * Gamma(n + 1/2) / the time watched. A range of these draws then misses what is true as often below
 * as above (of Gamma(n), which a flat prior gives, too low rates are missed more often). */
#ifndef HC_MODELS_STATS_SURVIVAL_POSTERIOR_H
#define HC_MODELS_STATS_SURVIVAL_POSTERIOR_H

#include "models/stats/survival_fit.h"

/* n draws into scale[n] and shape[n] (0 of the exponential), of a family that was fitted to these
 * finished times; the same for the same stream. HC_INTERNAL only when there is no memory. */
enum hc_status hc_fit_posterior(enum hc_fit_family family, const struct hc_fit *fit,
                                const struct hc_survival *survival, uint64_t stream, size_t n,
                                double *scale, double *shape, struct hc_error *err);

#endif
