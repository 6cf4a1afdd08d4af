#include "models/stats/order_statistics.h"

#include "models/stats/special.h"

#include <math.h>

/* That r or more of n are below the quantile. Falls with r. */
static double share_of_tail(size_t r, size_t n, double share)
{
    return r == 0 ? 1 : hc_sf_beta_lower((double)r, (double)(n - r) + 1, share);
}

/* The least r <= n of which the tail is at most that probability; n + 1: there is none. */
static size_t least_rank(size_t n, double share, double probability)
{
    size_t low = 0, high = n + 1; /* the tail of low is above it, that of high at most it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (share_of_tail(middle, n, share) <= probability)
            high = middle;
        else
            low = middle;
    }
    return high;
}

struct hc_quantile_ranks hc_quantile_ranks(size_t n, double share, double level)
{
    struct hc_quantile_ranks ranks = {HC_NO_RANK, HC_NO_RANK, HC_NO_RANK};
    double tail = (1 - level) / 2;
    if (n == 0)
        return ranks;
    /* A share like 0.07 times 100 is 7.000000000000001: rounding makes no rank. */
    double at = ceil((double)n * share * (1 - 1e-12));
    ranks.at = at < 1 ? 0 : (size_t)at - 1;
    /* The value of rank r (from 1) is above the quantile if fewer than r are below it: r or more
     * are, but for the tail. By the mirror, n - r + 1 or more are above that of rank r. */
    size_t high = least_rank(n, share, tail), mirrored = least_rank(n, 1 - share, tail);
    if (high <= n)
        ranks.high = high - 1;
    if (mirrored <= n)
        ranks.low = n - mirrored;
    return ranks;
}
