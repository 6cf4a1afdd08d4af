/* order_statistics.h - how sure a quantile of n values is, whatever they are distributed as. */
#ifndef HC_MODELS_STATS_ORDER_STATISTICS_H
#define HC_MODELS_STATS_ORDER_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#define HC_NO_RANK SIZE_MAX

/* Places of ascending values, from 0. `at`: the least value that the share of all are at or below.
 * The quantile of what the n were drawn from is not below the value of rank `low`, nor above that
 * of rank `high`, each but for a probability of (1 - level) / 2 at most: how many of n are below it
 * is binomial (David and Nagaraja, Order Statistics, 3rd ed., 7.1). HC_NO_RANK where n values are
 * too few to say so, and of all for n = 0. 0 < share < 1, 0 < level < 1. */
struct hc_quantile_ranks {
    size_t at, low, high;
};
struct hc_quantile_ranks hc_quantile_ranks(size_t n, double share, double level);

#endif
