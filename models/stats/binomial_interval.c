#include "models/stats/binomial_interval.h"

#include "core/random/stable_math.h"

#include <math.h>

#define HALVINGS 60 /* of the interval 0 to 1: below the last bit of any share that matters */

double hc_log_choose(size_t n, size_t k)
{
    double sum = 0;
    for (size_t i = 1; i <= k; i++)
        sum += hc_stable_log((double)(n - k + i)) - hc_stable_log((double)i);
    return sum;
}

/* Probability of k or more of n at share p, for p <= k / n: there the terms fall from k on, so the
 * sum ends when they no longer count. */
static double upper_tail(size_t k, size_t n, double p, double log_ways)
{
    double odds = p / (1 - p), term = 1, sum = 1;
    for (size_t i = k; i < n && term > sum * 1e-17; i++) {
        term *= (double)(n - i) / (double)(i + 1) * odds;
        sum += term;
    }
    double log_first = log_ways + (double)k * hc_stable_log(p);
    if (n > k)
        log_first += (double)(n - k) * hc_stable_log(1 - p);
    return hc_stable_exp(log_first) * sum;
}

/* The share at which k or more of n has probability tail; 0 for k = 0. */
static double lower_bound(size_t k, size_t n, double tail)
{
    if (k == 0)
        return 0;
    double log_ways = hc_log_choose(n, k < n - k ? k : n - k);
    double low = 0, high = (double)k / (double)n;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (upper_tail(k, n, middle, log_ways) < tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void hc_binomial_interval(size_t k, size_t n, double level, double *low, double *high)
{
    *low = *high = NAN;
    if (n == 0)
        return;
    *low = lower_bound(k, n, (1 - level) / 2);
    *high = 1 - lower_bound(n - k, n, (1 - level) / 2);
}
