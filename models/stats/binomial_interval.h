/* binomial_interval.h - how sure a share counted over n cases is. */
#ifndef HC_MODELS_STATS_BINOMIAL_INTERVAL_H
#define HC_MODELS_STATS_BINOMIAL_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

/* The exact (Clopper-Pearson) interval of a share of which k of n cases were seen: every share that
 * would give k or more, and k or fewer, with at least (1 - level) / 2 probability each. NaN for
 * n = 0. k <= n, 0 < level < 1. The ends are rounded to HC_STATS_DIGITS (models/stats/rounding.h).
 */
void hc_binomial_interval(size_t k, size_t n, double level, double *low, double *high);

/* Whether two times have one rate of events: n events in all, of which k came in the first, days
 * long, and the others in the second, other_days long. At one rate k is binomial; this is twice the
 * probability of its tail from k on, at most 1 (the exact test of Przyborowski and Wilenski 1940).
 * 0 <= k <= n, 0 < n, both times longer than 0. */
double hc_rate_p_value(int64_t k, int64_t n, double days, double other_days);

#endif
