/* negative_binomial.h - counts whose rate is itself not known for sure. */
#ifndef HC_MODELS_STATS_NEGATIVE_BINOMIAL_H
#define HC_MODELS_STATS_NEGATIVE_BINOMIAL_H

#include <stdint.h>

/* The probability of k or fewer, of a negative binomial of this mean and variance
 * mean + mean^2 / size: a Poisson number whose mean is gamma distributed with shape `size`. k >= 0,
 * mean and size > 0. */
double hc_negative_binomial_below(int64_t k, double mean, double size);

/* The least k of which hc_negative_binomial_below is at least share, 0 < share < 1; INT64_MAX where
 * none below 2^53 is. */
int64_t hc_negative_binomial_quantile(double share, double mean, double size);

#endif
