#include "study/run/study_spread.h"
#include "core/base/select.h"

#include "models/stats/order_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hc_study_value unknown = {NAN, NAN, NAN, NAN};

enum hc_status hc_study_kept_init(struct hc_study_kept *kept,
                                  const struct hc_study_columns *columns, size_t n_runs, bool all,
                                  struct hc_arena *arena, struct hc_error *err)
{
    size_t size = columns->most_kept * sizeof(double);
    *kept = (struct hc_study_kept){.columns = columns, .n_runs = n_runs};
    if (!(kept->value = hc_arena_new(arena, columns->n * sizeof *kept->value, err)))
        return err->status;
    for (size_t c = 0; c < columns->n; c++) {
        kept->value[c] = NULL;
        if (!all && !columns->figure[c]->percent)
            continue;
        if (!kept->sorted && !(kept->sorted = hc_arena_new(arena, size, err)))
            return err->status;
        if (!(kept->value[c] = hc_arena_new(arena, n_runs * size, err)))
            return err->status;
    }
    return HC_OK;
}

/* What a replica had. A ratio of something to nothing is above all others, as the time between
 * stops is where there was none; of nothing to nothing there is none. */
static double figure_of(const struct hc_figure_value *value)
{
    if (value->below != 0)
        return value->above / value->below;
    return value->above > 0 ? INFINITY : NAN;
}

static void keep(double *to, const struct hc_study_kept *kept, size_t column, const size_t *run,
                 const struct hc_figure_value *const *sample)
{
    for (size_t i = 0; i < kept->n_runs; i++)
        to[i * kept->columns->most_kept + kept->n] = figure_of(&sample[run[i]][column]);
}

void hc_study_kept_add(struct hc_study_kept *kept, const size_t *run,
                       const struct hc_figure_value *const *sample)
{
    if (!kept->sorted || kept->n == kept->columns->most_kept)
        return;
    for (size_t c = 0; c < kept->columns->n; c++)
        if (kept->value[c])
            keep(kept->value[c], kept, c, run, sample);
    kept->n++;
}

/* ---- one run ---- */

/* The values of a run that there are, ascending, into kept->sorted; returns their number. */
static size_t sort_run(const struct hc_study_kept *kept, size_t column, size_t run)
{
    const double *value = kept->value[column] + run * kept->columns->most_kept;
    size_t n = 0;
    bool is_sorted = true;
    for (size_t i = 0; i < kept->n; i++) {
        if (isnan(value[i]))
            continue;
        kept->sorted[n++] = value[i];
        is_sorted = is_sorted && (n < 2 || kept->sorted[n - 2] <= value[i]);
    }
    if (!is_sorted)
        hc_sort(kept->sorted, n);
    return n;
}

static double at_rank(const double *sorted, size_t rank)
{
    return rank == HC_NO_RANK ? NAN : sorted[rank];
}

/* Of n ascending values. A quantile has no deviation between replicas. */
static struct hc_study_value quantile_of(const double *sorted, size_t n, double percent,
                                         double confidence)
{
    struct hc_quantile_ranks ranks = hc_quantile_ranks(n, percent / 100, confidence);
    return (struct hc_study_value){at_rank(sorted, ranks.at), at_rank(sorted, ranks.low),
                                   at_rank(sorted, ranks.high), NAN};
}

struct hc_study_spread hc_study_kept_spread(const struct hc_study_kept *kept, size_t column,
                                            double confidence)
{
    struct hc_study_spread spread = {unknown, unknown, unknown, 0};
    const struct hc_engine_figure *figure = kept->columns->figure[column];
    if (!kept->value[column] || figure->percent || figure->is_share_of_replicas)
        return spread;
    size_t n = sort_run(kept, column, 0);
    spread.p05 = quantile_of(kept->sorted, n, 5, confidence);
    spread.p50 = quantile_of(kept->sorted, n, 50, confidence);
    spread.p95 = quantile_of(kept->sorted, n, 95, confidence);
    spread.n_replicas = n;
    return spread;
}

/* ---- several runs ---- */

/* Over replicas, the correlation of whether a run is at or below its quantile with whether another
 * is. */
static double correlation(const struct hc_study_kept *kept, size_t column, size_t i, size_t j,
                          const double *quantile)
{
    const double *value = kept->value[column];
    size_t most = kept->columns->most_kept;
    double n = 0, n_i = 0, n_j = 0, n_both = 0;
    for (size_t k = 0; k < kept->n; k++) {
        double x = value[i * most + k], y = value[j * most + k];
        if (isnan(x) || isnan(y))
            continue;
        bool is_i = x <= quantile[i], is_j = y <= quantile[j];
        n += 1;
        n_i += is_i;
        n_j += is_j;
        n_both += is_i && is_j;
    }
    double deviations = sqrt(n_i * (n - n_i) * n_j * (n - n_j));
    return deviations > 0 ? (n * n_both - n_i * n_j) / deviations : 0;
}

#define MOST_RUNS 128 /* more than a contrast can have (HC_MOST_KEYS variants and two) */

struct hc_study_value hc_study_kept_quantile(const struct hc_study_kept *kept, size_t column,
                                             const double *factor, int32_t percent,
                                             double confidence)
{
    double quantile[MOST_RUNS], half[MOST_RUNS], sum = 0, squares = 0;
    struct hc_study_value value = unknown;
    for (size_t i = 0; i < kept->n_runs; i++) {
        size_t n = sort_run(kept, column, i);
        value = quantile_of(kept->sorted, n, percent, confidence);
        quantile[i] = value.mean;
        half[i] = factor[i] * (value.high - value.low) / 2;
        sum += factor[i] * value.mean;
        squares += half[i] * half[i];
    }
    if (kept->n_runs == 1 && factor[0] == 1)
        return value;
    for (size_t i = 0; i < kept->n_runs; i++)
        for (size_t j = 0; j < i; j++)
            squares += 2 * half[i] * half[j] * correlation(kept, column, i, j, quantile);
    double width = sqrt(squares > 0 ? squares : squares == squares ? 0 : NAN);
    return (struct hc_study_value){sum, sum - width, sum + width, NAN};
}
