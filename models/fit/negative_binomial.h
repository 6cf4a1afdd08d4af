/* negative_binomial.h - counts whose rate is itself not known for sure. */
#ifndef HC_MODELS_FIT_NEGATIVE_BINOMIAL_H
#define HC_MODELS_FIT_NEGATIVE_BINOMIAL_H

#include <stdint.h>

/* The least k such that k or fewer have at least the probability `share`, 0 < share < 1, of a
 * negative binomial of this mean and variance mean + mean^2 / size: a Poisson number whose mean is
 * gamma distributed with shape `size`. mean and size > 0. INT64_MAX where none below 2^53 is. */
int64_t hc_negative_binomial_quantile(double share, double mean, double size);

#endif
