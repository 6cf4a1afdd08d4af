#include "models/stats/binomial_interval.h"

#include "models/stats/root.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>

/* The share at which k or more of n has this probability. */
struct wanted {
    double k, n, probability;
};

static double excess(double share, void *context)
{
    const struct wanted *w = context;
    return hc_sf_beta_lower(w->k, w->n - w->k + 1, share) - w->probability;
}

/* k >= 1. At the share k / n the probability is about a half. */
static double lower_bound(double k, double n, double tail)
{
    struct wanted wanted = {k, n, tail};
    double high = k / n, low = high, share = NAN;
    do
        low /= 2;
    while (excess(low, &wanted) > 0);
    return hc_find_root(excess, &wanted, low, high, &share) ? share : NAN;
}

/* k < n: where more than k has all but the tail. */
static double upper_bound(double k, double n, double tail)
{
    if (2 * k > n) /* not by 1 - share where the share is small: its digits would be lost */
        return 1 - lower_bound(n - k, n, tail);
    struct wanted wanted = {k + 1, n, 1 - tail};
    double low = fmax(k, 0.5) / n, high = low, share = NAN;
    do
        high = fmin(1, 2 * high);
    while (high < 1 && excess(high, &wanted) < 0);
    return hc_find_root(excess, &wanted, low, high, &share) ? share : NAN;
}

void hc_binomial_interval(size_t k, size_t n, double level, double *low, double *high)
{
    double tail = (1 - level) / 2;
    *low = *high = NAN;
    if (n == 0)
        return;
    *low = k == 0 ? 0 : hc_round_digits(lower_bound((double)k, (double)n, tail), HC_STATS_DIGITS);
    *high = k == n ? 1 : hc_round_digits(upper_bound((double)k, (double)n, tail), HC_STATS_DIGITS);
}

double hc_rate_p_value(int64_t k, int64_t n, double days, double other_days)
{
    double p = days / (days + other_days), q = other_days / (days + other_days);
    double tail = 1;
    if ((double)k > p * (double)n)
        tail = hc_sf_beta_lower((double)k, (double)(n - k) + 1, p);
    else if (k < n)
        tail = hc_sf_beta_lower((double)(n - k), (double)k + 1, q);
    return hc_round_digits(fmin(1, 2 * tail), HC_STATS_DIGITS);
}
