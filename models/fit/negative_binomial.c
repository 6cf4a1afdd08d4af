#include "models/fit/negative_binomial.h"

#include "models/stats/rounding.h"
#include "models/stats/special.h"

#define MOST ((int64_t)1 << 53)

/* P(X <= k) = I_p(size, k + 1), p = size / (size + mean). */
static double below(int64_t k, double mean, double size)
{
    return hc_round_digits(hc_sf_beta_lower(size, (double)k + 1, size / (size + mean)),
                           HC_STATS_DIGITS);
}

int64_t hc_negative_binomial_quantile(double share, double mean, double size)
{
    int64_t low = 0, high = 1;
    while (high < MOST && below(high, mean, size) < share)
        high *= 2;
    if (high >= MOST)
        return INT64_MAX;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (below(middle, mean, size) >= share)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
