#include "models/stats/poisson_interval.h"

#include "models/stats/root.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>

struct wanted {
    double n, tail;
};

/* Probability of n or more, less the wanted one: rises with the mean. */
static double many(double mean, void *context)
{
    const struct wanted *w = context;
    return hc_sf_gamma_lower(w->n, mean) - w->tail;
}

/* Probability of n or fewer, less the wanted one: falls. */
static double few(double mean, void *context)
{
    const struct wanted *w = context;
    return hc_sf_gamma_upper(w->n + 1, mean) - w->tail;
}

/* n may be a fraction, between its neighbours. */
static void interval(double n, double level, double *low, double *high)
{
    struct wanted wanted = {n, (1 - level) / 2};
    /* Either side of the number that was seen, at which both probabilities are about a half. */
    double below = wanted.n, above = fmax(1, wanted.n);
    *low = *high = NAN;
    do
        below /= 2;
    while (n > 0 && many(below, &wanted) > 0);
    do
        above *= 2;
    while (few(above, &wanted) > 0);
    if (n <= 0)
        *low = 0;
    else if (!hc_find_root(many, &wanted, below, fmax(wanted.n, 2 * below), low))
        *low = NAN;
    if (!hc_find_root(few, &wanted, n > 0.5 ? wanted.n : 0.5, above, high))
        *high = NAN;
}

void hc_poisson_interval(int64_t n, double level, double *low, double *high)
{
    interval((double)n, level, low, high);
    *low = hc_round_digits(*low, HC_STATS_DIGITS);
    *high = hc_round_digits(*high, HC_STATS_DIGITS);
}

void hc_dispersed_interval(int64_t n, double dispersion, double level, double *low, double *high)
{
    double scale = n > 0 ? dispersion : 1;
    interval((double)n / scale, level, low, high);
    *low = hc_round_digits(*low * scale, HC_STATS_DIGITS);
    *high = hc_round_digits(*high * scale, HC_STATS_DIGITS);
}
