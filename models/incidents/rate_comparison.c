/* Whether two numbers of failures are of one rate. */
#include "models/incidents/reliability_analysis.h"

#include "core/random/stable_math.h"
#include "models/stats/binomial_interval.h"

#include <math.h>

/* Probability of k or fewer (or k or more) of n, each with probability p, where that is the smaller
 * tail: the terms fall away from k. */
static double tail(int64_t k, int64_t n, double p, bool upper)
{
    double odds = upper ? p / (1 - p) : (1 - p) / p, term = 1, sum = 1;
    for (int64_t i = k; term > sum * 1e-17 && (upper ? i < n : i > 0); i += upper ? 1 : -1) {
        term *=
            odds * (upper ? (double)(n - i) / (double)(i + 1) : (double)i / (double)(n - i + 1));
        sum += term;
    }
    double log_ways = hc_log_choose((size_t)n, (size_t)(k < n - k ? k : n - k));
    return sum * hc_stable_exp(log_ways + (double)k * hc_stable_log(p) +
                               (double)(n - k) * hc_stable_log(1 - p));
}

struct hc_rate_comparison hc_compare_rates(const struct hc_reliability *first,
                                           const struct hc_reliability *second,
                                           enum hc_rate_rule rule)
{
    struct hc_rate_comparison c = {
        .first = first->rates[rule].exposed,
        .second = second->rates[rule].exposed,
        .first_days = first->node_days,
        .second_days = second->node_days,
        .ratio = {NAN, NAN, NAN},
        .p_value = NAN,
    };
    int64_t n = c.first + c.second;
    if (!(c.first_days > 0 && c.second_days > 0) || !n)
        return c;
    /* Of n failures at one rate, those of the second time are binomial. */
    double p = c.second_days / (c.first_days + c.second_days), low, high;
    bool upper = (double)c.second > p * (double)n;
    c.p_value = fmin(1, 2 * tail(c.second, n, p, upper));
    hc_binomial_interval((size_t)c.second, (size_t)n, HC_RELIABILITY_LEVEL, &low, &high);
    double days = c.first_days / c.second_days;
    c.ratio.value = c.first ? (double)c.second / (double)c.first * days : INFINITY;
    c.ratio.low = low / (1 - low) * days;
    c.ratio.high = high < 1 ? high / (1 - high) * days : INFINITY;
    return c;
}
