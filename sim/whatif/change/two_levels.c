#include "sim/whatif/change/two_levels.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The two halves of normal noise are 1.6 standard deviations apart, or 2.6 of what is left within
 * the halves: two levels must be further apart than that. One value alone may be an accident of the
 * tails, so an upper level of few values must be further still. */
#define LEAST_DEVIATIONS  4.0
#define DEVIATIONS_OF_ONE 12.0
/* Of fewer values nothing can be said; nor of fewer at one level, whether it is two. */
#define LEAST_VALUES  6
#define LEAST_OF_MANY 4
/* The lowest of several levels has this part of the values. */
#define LEAST_PART_LOW 0.2
/* Values above this many times the lower quartile count as this many. */
#define MOST_OVER_QUARTILE 2.5
/* The price of a change of level, in halved squared standard deviations: as the path of least cost
 * is the likeliest one, exp(-3) = 0.05 is how likely a change is from one step to the next. */
#define PRICE_OF_CHANGE 3.0
/* A value costs at most this much, so that one far outlier does not buy two changes of level. */
#define MOST_COST 12.0

struct split {
    size_t n_low;
    double low, high, squares; /* means; the sum of squared distances from them */
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The split of sorted values into two clusters with the least sum of squares. */
static struct split best_split(const double *sorted, size_t n)
{
    double all = 0, squares = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        all += sorted[i];
        squares += sorted[i] * sorted[i];
    }
    struct split best = {0, 0, 0, INFINITY};
    for (size_t k = 1; k < n; k++) {
        below += sorted[k - 1];
        double low = below / (double)k, high = (all - below) / (double)(n - k);
        double left = squares - (double)k * low * low - (double)(n - k) * high * high;
        if (left < best.squares)
            best = (struct split){k, low, high, fmax(left, 0)};
    }
    return best;
}

/* What it costs to take a value for one of a level, in halved squares. Values beyond both levels
 * are of the nearer one for sure. */
static double cost_of(const struct hc_two_levels *levels, double value, int at)
{
    double between = fmin(fmax(value, levels->low), levels->high);
    double z = (between - (at ? levels->high : levels->low)) / levels->noise;
    return fmin(z * z / 2, MOST_COST);
}

/* Write the path of least cost into is_high. from: [n][2] scratch, the level before each. */
static void find_path(struct hc_two_levels *levels, const double *values, size_t n, uint8_t *from)
{
    double cost[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        double next[2];
        for (int at = 0; at < 2; at++) {
            double stay = cost[at], change = cost[1 - at] + PRICE_OF_CHANGE;
            bool changes = i > 0 && change < stay;
            from[2 * i + (size_t)at] = (uint8_t)(changes ? 1 - at : at);
            next[at] = (changes ? change : stay) + cost_of(levels, values[i], at);
        }
        cost[0] = next[0];
        cost[1] = next[1];
    }
    uint8_t at = cost[1] < cost[0];
    for (size_t i = n; i-- > 0; at = from[2 * i + at])
        levels->is_high[i] = at;
}

/* Whether part of the sorted values is at two levels by itself. */
static bool is_split(const double *sorted, size_t n, const struct hc_level_rule *rule,
                     struct split *split)
{
    if (n < LEAST_OF_MANY)
        return false;
    *split = best_split(sorted, n);
    double noise = fmax(rule->noise, sqrt(split->squares / (double)(n - 2)));
    double rise = split->high - split->low;
    return split->n_low > 1 && n - split->n_low > 1 && rise >= rule->least_rise * split->low &&
           rise >= LEAST_DEVIATIONS * noise;
}

/* Find the lowest level and the next one above it of sorted values, and the noise that is left. */
static void find_levels(struct hc_two_levels *levels, const double *sorted, size_t n,
                        const struct hc_level_rule *rule)
{
    struct split split = best_split(sorted, n), part;
    levels->low = split.low;
    levels->high = split.high;
    levels->n_high = n - split.n_low;
    size_t n_levels = 2;
    if (rule->may_be_many && is_split(sorted + split.n_low, n - split.n_low, rule, &part)) {
        double mean = 0; /* take what the upper levels differ by out of the squares */
        for (size_t i = split.n_low; i < n; i++)
            mean += sorted[i] / (double)(n - split.n_low);
        for (size_t i = split.n_low; i < n; i++)
            split.squares -= (sorted[i] - mean) * (sorted[i] - mean);
        split.squares = fmax(split.squares + part.squares, 0);
        levels->high = part.low;
        n_levels++;
    }
    levels->noise = fmax(rule->noise, sqrt(split.squares / (double)(n - n_levels)));
    /* What most values have is the lower level, and what is below it an accident. */
    if (rule->may_be_many && is_split(sorted, split.n_low, rule, &part) &&
        (double)part.n_low >= LEAST_PART_LOW * (double)n) {
        levels->low = part.low;
        levels->high = part.high;
        levels->n_high = n - part.n_low;
        levels->noise = fmax(rule->noise, sqrt(part.squares / (double)(split.n_low - 2)));
    }
}

static double median_at(const double *values, size_t n, const struct hc_two_levels *levels,
                        uint8_t at, double *scratch)
{
    size_t n_at = 0;
    for (size_t i = 0; i < n; i++)
        if (levels->is_high[i] == at)
            scratch[n_at++] = values[i];
    return n_at ? hc_median(scratch, n_at) : NAN;
}

static void count_high(struct hc_two_levels *levels, size_t n)
{
    levels->n_high = 0;
    for (size_t i = 0; i < n; i++)
        levels->n_high += levels->is_high[i];
}

static bool stands_apart(const struct hc_two_levels *levels, const struct hc_level_rule *rule)
{
    double rise = levels->high - levels->low;
    double deviations = levels->n_high > 1 ? LEAST_DEVIATIONS : DEVIATIONS_OF_ONE;
    return rise >= rule->least_rise * levels->low && rise >= deviations * levels->noise;
}

enum hc_status hc_two_levels_find(struct hc_two_levels *levels, const double *values, size_t n,
                                  const struct hc_level_rule *rule, struct hc_error *err)
{
    levels->found = false;
    if (n < LEAST_VALUES)
        return HC_OK;
    double *sorted = hc_new_array(n, sizeof *sorted, err);
    uint8_t *from = hc_new_array(2 * n, 1, err);
    enum hc_status status = sorted && from ? HC_OK : err->status;
    if (status == HC_OK) {
        for (size_t i = 0; i < n; i++)
            sorted[i] = values[i];
        qsort(sorted, n, sizeof *sorted, ascending);
        double most = MOST_OVER_QUARTILE * sorted[n / 4];
        for (size_t i = 0; i < n; i++)
            sorted[i] = fmin(sorted[i], most);
        find_levels(levels, sorted, n, rule);
        levels->found = stands_apart(levels, rule);
    }
    if (levels->found) {
        find_path(levels, values, n, from);
        count_high(levels, n);
        levels->low = median_at(values, n, levels, 0, sorted);
        levels->high = median_at(values, n, levels, 1, sorted);
        levels->found = levels->n_high > 0 && levels->n_high < n && stands_apart(levels, rule);
    }
    free(sorted);
    free(from);
    return status;
}

double hc_spread(const double *values, size_t n, double *scratch)
{
    memcpy(scratch, values, n * sizeof *scratch);
    double center = hc_median(scratch, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i] - center);
    return HC_MAD_TO_SD * hc_median(scratch, n);
}
