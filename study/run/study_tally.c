#include "study/run/study_tally.h"

#include "models/stats/binomial_interval.h"
#include "models/stats/student.h"

#include <math.h>

/* A plain column has one term: the combination itself. A ratio has two a run, above and below, and
 * the products of all with all. Columns lie behind each other. */
static size_t n_terms(const struct hc_study_tally *tally, size_t column)
{
    return tally->columns->figure[column]->below ? 2 * tally->n_runs : 1;
}

void hc_study_sample(const struct hc_study_columns *columns, const void *replica,
                     const struct hc_figure_scale *scale, struct hc_figure_value *sample)
{
    for (size_t i = 0; i < columns->n; i++) {
        const struct hc_engine_figure *figure = columns->figure[i];
        sample[i].above = figure->above(figure, replica, scale);
        sample[i].below = figure->below ? figure->below(figure, replica, scale) : 1;
    }
}

enum hc_status hc_study_tally_init(struct hc_study_tally *tally,
                                   const struct hc_study_columns *columns, size_t n_runs,
                                   bool keeps_all, struct hc_arena *arena, struct hc_error *err)
{
    size_t n_means = 0, n_products = 0;
    *tally = (struct hc_study_tally){.columns = columns, .n_runs = n_runs};
    for (size_t i = 0; i < columns->n; i++) {
        size_t n = n_terms(tally, i);
        n_means += n;
        n_products += n * n;
    }
    bool made = (tally->run = hc_arena_new(arena, n_runs * sizeof *tally->run, err)) &&
                (tally->factor = hc_arena_new(arena, n_runs * sizeof *tally->factor, err)) &&
                (tally->mean = hc_arena_new(arena, n_means * sizeof *tally->mean, err)) &&
                (tally->product = hc_arena_new(arena, n_products * sizeof *tally->product, err));
    return made ? hc_study_kept_init(&tally->kept, columns, n_runs, keeps_all, arena, err)
                : err->status;
}

/* ---- adding ---- */

static void add_plain(const struct hc_study_tally *tally, size_t column,
                      const struct hc_figure_value *const *sample, double *mean, double *product)
{
    double value = 0;
    for (size_t i = 0; i < tally->n_runs; i++)
        value += tally->factor[i] * sample[tally->run[i]][column].above;
    double off = value - *mean;
    *mean += off / tally->n;
    *product += off * (value - *mean);
}

static double term_of(const struct hc_study_tally *tally, size_t column, size_t term,
                      const struct hc_figure_value *const *sample)
{
    const struct hc_figure_value *value = &sample[tally->run[term / 2]][column];
    return term % 2 ? value->below : value->above;
}

/* As Welford: the products take the distance from the old mean times that from the new one. */
static void add_ratio(const struct hc_study_tally *tally, size_t column,
                      const struct hc_figure_value *const *sample, double *mean, double *product)
{
    size_t n = 2 * tally->n_runs;
    double shrink = (tally->n - 1) / tally->n;
    for (size_t i = 0; i < n; i++) {
        double off = term_of(tally, column, i, sample) - mean[i];
        for (size_t j = 0; j <= i; j++)
            product[i * n + j] += shrink * off * (term_of(tally, column, j, sample) - mean[j]);
    }
    for (size_t i = 0; i < n; i++)
        mean[i] += (term_of(tally, column, i, sample) - mean[i]) / tally->n;
}

void hc_study_tally_add(struct hc_study_tally *tally, const struct hc_figure_value *const *sample)
{
    double *mean = tally->mean, *product = tally->product;
    hc_study_kept_add(&tally->kept, tally->run, sample);
    tally->n += 1;
    for (size_t i = 0; i < tally->columns->n; i++) {
        size_t n = n_terms(tally, i);
        if (tally->columns->figure[i]->below)
            add_ratio(tally, i, sample, mean, product);
        else
            add_plain(tally, i, sample, mean, product);
        mean += n;
        product += n * n;
    }
}

/* ---- values ---- */

struct hc_study_value hc_study_value_of(double mean, double half, double sd, double below_zero)
{
    double low = isfinite(half) ? fmax(mean - half, fmin(mean, -below_zero)) : mean - half;
    return (struct hc_study_value){mean, low, mean + half, sd};
}

/* A difference of runs may be anything. */
static struct hc_study_value with_interval(const struct hc_study_tally *tally, size_t column,
                                           double mean, double sd, double confidence)
{
    double below_zero = tally->n_runs > 1 ? INFINITY : tally->columns->figure[column]->below_zero;
    if (tally->n < 2 || isnan(mean))
        return (struct hc_study_value){mean, NAN, NAN, NAN};
    double half = hc_student_t(tally->n - 1, confidence) * sd / sqrt(tally->n);
    return hc_study_value_of(mean, half, sd, below_zero);
}

/* The exact interval of a share of replicas. */
static struct hc_study_value share_value(double mean, double sd, double n, double confidence)
{
    struct hc_study_value value = {mean, NAN, NAN, n < 2 ? NAN : sd};
    hc_binomial_interval((size_t)llround(mean * n), (size_t)n, confidence, &value.low, &value.high);
    return value;
}

/* Of the terms' weights in the linearised combination, the variance; each product is there once. */
static double sum_of_squares(const double *weight, const double *product, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            sum += (i == j ? 1 : 2) * weight[i] * weight[j] * product[i * n + j];
    return sum > 0 ? sum : 0;
}

#define MOST_TERMS 256 /* two a run, and more runs than a scenario may have */

static struct hc_study_value ratio_value(const struct hc_study_tally *tally, size_t column,
                                         const double *mean, const double *product,
                                         double confidence)
{
    double weight[MOST_TERMS], sum = 0;
    size_t n = 2 * tally->n_runs;
    for (size_t i = 0; i < tally->n_runs; i++) {
        double above = mean[2 * i], below = mean[2 * i + 1];
        if (!(below > 0))
            return (struct hc_study_value){NAN, NAN, NAN, NAN};
        sum += tally->factor[i] * above / below;
        weight[2 * i] = tally->factor[i] / below;
        weight[2 * i + 1] = -tally->factor[i] * above / (below * below);
    }
    double sd = sqrt(sum_of_squares(weight, product, n) / (tally->n - 1));
    return with_interval(tally, column, sum, sd, confidence);
}

struct hc_study_value hc_study_tally_value(const struct hc_study_tally *tally, size_t column,
                                           double confidence)
{
    const double *mean = tally->mean, *product = tally->product;
    const struct hc_engine_figure *figure = tally->columns->figure[column];
    if (figure->percent)
        return hc_study_kept_quantile(&tally->kept, column, tally->factor, figure->percent,
                                      confidence);
    for (size_t i = 0; i < column; i++) {
        size_t n = n_terms(tally, i);
        mean += n;
        product += n * n;
    }
    if (tally->n < 1)
        return (struct hc_study_value){NAN, NAN, NAN, NAN};
    if (figure->below)
        return ratio_value(tally, column, mean, product, confidence);
    double sd = sqrt(*product / (tally->n - 1));
    if (figure->is_share_of_replicas && tally->n_runs == 1 && tally->factor[0] == 1)
        return share_value(*mean, sd, tally->n, confidence);
    return with_interval(tally, column, *mean, sd, confidence);
}

/* Half-widths are put together as they are: of how many replicas each was made does not matter. */
static struct hc_study_value independent_quantiles(const struct hc_study_tally *tally,
                                                   const struct hc_study_value *const *value,
                                                   size_t column)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < tally->n_runs; i++) {
        const struct hc_study_value *v = &value[i][column];
        double half = tally->factor[i] * (v->high - v->low) / 2;
        sum += tally->factor[i] * v->mean;
        squares += half * half;
    }
    return (struct hc_study_value){sum, sum - sqrt(squares), sum + sqrt(squares), NAN};
}

struct hc_study_value hc_study_independent(const struct hc_study_tally *tally,
                                           const struct hc_study_value *const *value, size_t column,
                                           double confidence)
{
    double sum = 0, variance = 0, below = 0;
    if (tally->columns->figure[column]->percent)
        return independent_quantiles(tally, value, column);
    for (size_t i = 0; i < tally->n_runs; i++) {
        const struct hc_study_value *v = &value[i][column];
        double part = tally->factor[i] * tally->factor[i] * v->sd * v->sd / tally->n;
        sum += tally->factor[i] * v->mean;
        variance += part;
        below += part * part / (tally->n - 1);
    }
    struct hc_study_value result = {sum, NAN, NAN, NAN};
    if (tally->n < 2 || isnan(variance))
        return result;
    double freedom = below > 0 ? variance * variance / below : tally->n - 1;
    double half = hc_student_t(freedom, confidence) * sqrt(variance);
    return (struct hc_study_value){sum, sum - half, sum + half, sqrt(variance * tally->n)};
}
