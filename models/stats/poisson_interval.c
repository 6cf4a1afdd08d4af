#include "models/stats/poisson_interval.h"

#include "core/random/stable_math.h"

#include <math.h>
#include <stdbool.h>

#define HALVINGS 200 /* at most: until the ends are neighbours */

static double log_factorial(int64_t n)
{
    if (n > 1000000) { /* Stirling: off by less than 1e-30 there */
        double x = (double)n;
        return x * hc_stable_log(x) - x + 0.5 * hc_stable_log(6.283185307179586 * x) + 1 / (12 * x);
    }
    double sum = 0;
    for (int64_t i = 2; i <= n; i++)
        sum += hc_stable_log((double)i);
    return sum;
}

/* Probability of n or more (upper), or of n or fewer, at a mean below, or above, n: the terms fall
 * away from n, so that the sum ends when they no longer count. */
static double tail(int64_t n, double mean, double log_ways, bool upper)
{
    double term = 1, sum = 1;
    for (int64_t i = n; term > sum * 1e-17 && (upper || i > 0); i += upper ? 1 : -1) {
        term *= upper ? mean / (double)(i + 1) : (double)i / mean;
        sum += term;
    }
    return hc_stable_exp((double)n * hc_stable_log(mean) - mean - log_ways) * sum;
}

/* The mean between low and high at which the tail has probability p. */
static double solve(int64_t n, double p, double low, double high, bool upper)
{
    double log_ways = log_factorial(n);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break;
        bool too_low =
            upper ? tail(n, middle, log_ways, true) < p : tail(n, middle, log_ways, false) > p;
        *(too_low ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

void hc_poisson_interval(int64_t n, double level, double *low, double *high)
{
    double p = (1 - level) / 2, mean = (double)n;
    double far = mean + 10 * sqrt(mean) + 40;
    while (tail(n, far, log_factorial(n), false) > p)
        far *= 2;
    *low = n ? solve(n, p, 1e-300, mean, true) : 0;
    *high = solve(n, p, n ? mean : 1e-300, far, false);
}
