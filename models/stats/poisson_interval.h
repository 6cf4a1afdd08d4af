/* poisson_interval.h - how sure a number of events is. */
#ifndef HC_MODELS_STATS_POISSON_INTERVAL_H
#define HC_MODELS_STATS_POISSON_INTERVAL_H

#include <stdint.h>

/* The exact (Garwood) interval of the mean of a Poisson number of which n was seen: from the mean
 * that gives n or more, to the mean that gives n or fewer, with (1 - level) / 2 probability each.
 * The same as half the chi-square quantiles with 2n and 2n + 2 degrees of freedom. n >= 0,
 * 0 < level < 1. The ends are rounded to HC_STATS_DIGITS (models/stats/rounding.h). */
void hc_poisson_interval(int64_t n, double level, double *low, double *high);

/* The same of events that come in bursts: of a number whose variance is dispersion >= 1 times its
 * mean, as if n / dispersion bursts of dispersion events each had been seen. */
void hc_dispersed_interval(int64_t n, double dispersion, double level, double *low, double *high);

#endif
