#include "models/fit/duration_fit.h"

#include "core/base/memory.h"
#include "core/random/stable_math.h"
#include "models/stats/order_statistics.h"
#include "models/stats/rounding.h"
#include "models/stats/survival_posterior.h"

#include <math.h>
#include <stdlib.h>

#define DRAWS       1000
#define LEAST       3     /* times that ended, to have a family */
#define MOST_SHAPE  100.0 /* that a scenario takes (study/grammar) */
#define LEAST_SHAPE 0.05

const struct hc_estimate hc_no_estimate = {NAN, NAN, NAN};

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct hc_estimate hc_estimate_of_draws(double value, double *draws, size_t n)
{
    qsort(draws, n, sizeof *draws, compare_reals);
    struct hc_estimate estimate = {value, draws[n / 40], draws[n - 1 - n / 40]};
    estimate.low = estimate.low < value ? estimate.low : value;
    estimate.high = estimate.high > value ? estimate.high : value;
    return estimate;
}

/* ---- times that are alike, or too few ---- */

struct extent {
    double least, most, sum;
};

static struct extent extent_of(const struct hc_survival *times)
{
    struct extent extent = {INFINITY, 0, 0};
    for (size_t i = 0; i < times->n; i++) {
        const struct hc_survival_time *t = &times->times[i];
        if (t->is_censored)
            continue;
        extent.least = t->time < extent.least ? t->time : extent.least;
        extent.most = t->time > extent.most ? t->time : extent.most;
        extent.sum += t->time * (double)t->count;
    }
    return extent;
}

/* What lasts as long each time is known as well as its stamps; of fewer than LEAST times nothing
 * says how far the next may be off. */
static void take_number(struct hc_duration_fit *fit, struct extent extent, double resolution_s)
{
    double mean = hc_round_digits(extent.sum / (double)fit->n, HC_STATS_DIGITS);
    fit->mean.value = mean;
    if (fit->n < LEAST)
        return;
    fit->mean.low = mean > resolution_s ? mean - resolution_s : mean / 2;
    fit->mean.high = mean + resolution_s;
    fit->median = fit->mean;
}

/* ---- families ---- */

/* Whether a scenario takes the shape that was fitted, and the mean is not that of a tail which
 * nobody saw: above the longest time, as of a lognormal of a few times that lie far apart. */
static bool is_usable(const struct hc_fits *fits, int family, double longest)
{
    const struct hc_fit *fit = &fits->fit[family];
    bool has_shape = family == HC_FIT_WEIBULL || family == HC_FIT_GAMMA;
    bool is_wild = family != HC_FIT_EXPONENTIAL && fit->mean > longest;
    return !fit->lacks && !is_wild &&
           !(has_shape && (fit->shape > MOST_SHAPE || fit->shape < LEAST_SHAPE));
}

static int family_of(const struct hc_fits *fits, double longest)
{
    int best = HC_FIT_NO_FAMILY;
    for (int i = 0; i < HC_N_FIT_FAMILIES; i++)
        if (is_usable(fits, i, longest) && (best < 0 || fits->fit[i].aicc < fits->fit[best].aicc))
            best = i;
    return best;
}

static double spread_of(int family, double scale, double shape)
{
    if (family == HC_FIT_EXPONENTIAL)
        return NAN;
    if (family != HC_FIT_LOGNORMAL)
        return shape < LEAST_SHAPE ? LEAST_SHAPE : shape > MOST_SHAPE ? MOST_SHAPE : shape;
    double variance = hc_stable_exp(shape * shape) - 1;
    return hc_fit_mean(HC_FIT_LOGNORMAL, scale, shape) * sqrt(variance);
}

/* What draws are made of, and room for them: of the means of families and of the spread of one. */
struct draws {
    const struct hc_fits *fits;
    const struct hc_survival *times;
    uint64_t stream;
    int best;       /* family */
    double longest; /* of the times, cut off or not */
    double scale[DRAWS], shape[DRAWS], mean[DRAWS], spread[DRAWS];
    int n_means, n_spreads;
};

static double at_most(double value, double most)
{
    return value < most ? value : most;
}

/* Draw n means from a family, and spreads from the best. Tails that nobody saw are not believed:
 * a mean is at most twice the longest time, or five times the best one. */
static enum hc_status draw_family(struct draws *draws, enum hc_fit_family family, int n,
                                  struct hc_error *err)
{
    double most = fmax(2 * draws->longest, 5 * draws->fits->fit[draws->best].mean);
    double most_spread = family == HC_FIT_LOGNORMAL ? 2 * most : MOST_SHAPE;
    if (hc_fit_posterior(family, &draws->fits->fit[family], draws->times,
                         draws->stream * HC_N_FIT_FAMILIES + (uint64_t)family, DRAWS, draws->scale,
                         draws->shape, err))
        return err->status;
    for (int i = 0; i < DRAWS; i++) {
        double scale = draws->scale[i], shape = draws->shape[i];
        if (i < n && draws->n_means < DRAWS)
            draws->mean[draws->n_means++] = at_most(hc_fit_mean(family, scale, shape), most);
        if ((int)family == draws->best)
            draws->spread[draws->n_spreads++] =
                at_most(spread_of((int)family, scale, shape), most_spread);
    }
    return HC_OK;
}

/* Few times do not tell the family, on which the mean depends: each is drawn from as often as its
 * Akaike weight says, exp(-AIC / 2) over their sum (Burnham and Anderson, "Model selection and
 * multimodel inference", 2nd edition, 2002, chapter 2.9). The exponential only where there is no
 * other: it lies within Weibull and gamma, and its intervals are too narrow where it is not true.
 */
static enum hc_status draw_families(struct draws *draws, struct hc_error *err)
{
    const struct hc_fits *fits = draws->fits;
    double weight[HC_N_FIT_FAMILIES] = {0}, sum = 0, least = INFINITY;
    for (int i = HC_FIT_EXPONENTIAL + 1; i < HC_N_FIT_FAMILIES; i++)
        if (is_usable(fits, i, draws->longest) && fits->fit[i].aic < least)
            least = fits->fit[i].aic;
    for (int i = HC_FIT_EXPONENTIAL + 1; i < HC_N_FIT_FAMILIES; i++) {
        double behind = (fits->fit[i].aic - least) / 2;
        if (is_usable(fits, i, draws->longest) && behind < 20)
            weight[i] = hc_stable_exp(-behind);
        sum += weight[i];
    }
    if (!(sum > 0))
        sum = weight[HC_FIT_EXPONENTIAL] = 1;
    for (int i = 0; i < HC_N_FIT_FAMILIES; i++) {
        int n = (int)ceil(DRAWS * hc_round_digits(weight[i] / sum, 6));
        if ((n > 0 || i == draws->best) && draw_family(draws, (enum hc_fit_family)i, n, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_family(struct hc_duration_fit *fit, const struct hc_fits *fits,
                                  const struct hc_survival *times, uint64_t stream,
                                  struct hc_error *err)
{
    const struct hc_fit *best = &fits->fit[fit->family];
    struct draws *draws = hc_new_array(1, sizeof *draws, err);
    if (!draws)
        return err->status;
    draws->fits = fits;
    draws->times = times;
    draws->stream = stream;
    draws->best = fit->family;
    draws->longest = times->times[times->n - 1].time;
    enum hc_status status = draw_families(draws, err);
    if (!status) {
        fit->mean = hc_estimate_of_draws(best->mean, draws->mean, (size_t)draws->n_means);
        if (fit->family != HC_FIT_EXPONENTIAL)
            fit->spread = hc_estimate_of_draws(spread_of(fit->family, best->scale, best->shape),
                                               draws->spread, (size_t)draws->n_spreads);
        fit->distance = best->distance;
    }
    free(draws);
    return status;
}

/* ---- the median, whatever the family ---- */

static double time_of_rank(const struct hc_survival *times, size_t rank)
{
    size_t i = 0;
    int64_t left = (int64_t)rank;
    while (left >= times->times[i].count)
        left -= times->times[i++].count;
    return times->times[i].time;
}

static void take_median(struct hc_duration_fit *fit, const struct hc_survival *times)
{
    struct hc_quantile_ranks ranks = hc_quantile_ranks((size_t)fit->n, 0.5, HC_FIT_LEVEL);
    if (fit->n_censored || ranks.at == HC_NO_RANK)
        return;
    fit->median.value = time_of_rank(times, ranks.at);
    if (ranks.low != HC_NO_RANK && ranks.high != HC_NO_RANK) {
        fit->median.low = time_of_rank(times, ranks.low);
        fit->median.high = time_of_rank(times, ranks.high);
    }
}

static struct hc_estimate rounded(struct hc_estimate e)
{
    return (struct hc_estimate){hc_round_digits(e.value, HC_FIT_DIGITS),
                                hc_round_digits(e.low, HC_FIT_DIGITS),
                                hc_round_digits(e.high, HC_FIT_DIGITS)};
}

enum hc_status hc_duration_fit_make(struct hc_duration_fit *fit, struct hc_survival *times,
                                    double resolution_s, uint64_t stream, struct hc_error *err)
{
    struct hc_fits fits;
    hc_survival_finish(times);
    *fit = (struct hc_duration_fit){.n = times->n_events,
                                    .n_censored = times->n_censored,
                                    .family = HC_FIT_NO_FAMILY,
                                    .mean = hc_no_estimate,
                                    .spread = hc_no_estimate,
                                    .median = hc_no_estimate,
                                    .distance = NAN};
    if (fit->n == 0)
        return HC_OK;
    struct extent extent = extent_of(times);
    if (fit->n < LEAST || extent.most - extent.least <= 2 * resolution_s) {
        take_number(fit, extent, resolution_s);
        return HC_OK;
    }
    take_median(fit, times);
    if (hc_fit_survival(&fits, times, err))
        return err->status;
    fit->family = family_of(&fits, times->times[times->n - 1].time);
    if (fit->family == HC_FIT_NO_FAMILY) {
        take_number(fit, extent, resolution_s);
        return HC_OK;
    }
    if (take_family(fit, &fits, times, stream, err))
        return err->status;
    fit->mean = rounded(fit->mean);
    fit->spread = rounded(fit->spread);
    return HC_OK;
}
