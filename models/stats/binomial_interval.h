/* binomial_interval.h - how sure a share counted over n cases is. */
#ifndef HC_MODELS_STATS_BINOMIAL_INTERVAL_H
#define HC_MODELS_STATS_BINOMIAL_INTERVAL_H

#include <stddef.h>

/* The exact (Clopper-Pearson) interval of a share of which k of n cases were seen: every share that
 * would give k or more, and k or fewer, with at least (1 - level) / 2 probability each. NaN for
 * n = 0. k <= n, 0 < level < 1; about 60 n operations. */
void hc_binomial_interval(size_t k, size_t n, double level, double *low, double *high);

/* Natural logarithm of n over k, k <= n; k operations. */
double hc_log_choose(size_t n, size_t k);

#endif
