/* Whether two numbers of failures are of one rate. */
#include "models/incidents/reliability_analysis.h"

#include "models/stats/binomial_interval.h"

#include <math.h>

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
    double low, high;
    c.p_value = hc_rate_p_value(c.second, n, c.second_days, c.first_days);
    hc_binomial_interval((size_t)c.second, (size_t)n, HC_RELIABILITY_LEVEL, &low, &high);
    double days = c.first_days / c.second_days;
    c.ratio.value = c.first ? (double)c.second / (double)c.first * days : INFINITY;
    c.ratio.low = low / (1 - low) * days;
    c.ratio.high = high < 1 ? high / (1 - high) * days : INFINITY;
    return c;
}
