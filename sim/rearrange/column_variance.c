/* column_variance.c - what the measured ranks and steps differ by (extrapolated_job.h). */
#include "sim/rearrange/extrapolated_job.h"

#include "core/base/memory.h"
#include "core/random/philox.h"

#include <math.h>
#include <stdlib.h>

/* The largest of n standard normal numbers, as expected (Blom, Statistical estimates and
 * transformed beta-variables, 1958: within 0.5 % from n = 8 on). */
static double expected_largest(int32_t n)
{
    return hc_normal_quantile((n - 0.375) / (n + 0.25));
}

/* Sums of squares of a table [n_rows][n_columns] about its mean: between rows, between columns, and
 * what neither explains. */
struct sums {
    double mean, rows, columns, rest;
};

static double mean_of(const double *x, size_t n, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i * stride];
    return sum / (double)n;
}

static struct sums sum_squares(const double *x, size_t n_rows, size_t n_columns,
                               const double *column_mean)
{
    struct sums sums = {.mean = mean_of(x, n_rows * n_columns, 1)};
    for (size_t c = 0; c < n_columns; c++)
        sums.columns +=
            (double)n_rows * (column_mean[c] - sums.mean) * (column_mean[c] - sums.mean);
    for (size_t r = 0; r < n_rows; r++) {
        double row_mean = mean_of(x + r * n_columns, n_columns, 1);
        sums.rows += (double)n_columns * (row_mean - sums.mean) * (row_mean - sums.mean);
        for (size_t c = 0; c < n_columns; c++) {
            double rest = x[r * n_columns + c] - row_mean - column_mean[c] + sums.mean;
            sums.rest += rest * rest;
        }
    }
    return sums;
}

/* Variances of random effects, from the mean squares that they are expected to give (Searle,
 * Casella and McCulloch, Variance Components, 1992, 4.3); below 0 counts as 0. */
static void split(struct hc_extrapolation *e, const struct sums *sums, size_t n_steps)
{
    double n_ranks = e->from, of_mean = sums->mean * sums->mean;
    e->mean_ns = sums->mean;
    e->of_rank = e->of_step = e->of_rest = NAN;
    if (n_steps < 2 || !(of_mean > 0))
        return;
    double rest = sums->rest / ((n_ranks - 1) * (double)(n_steps - 1));
    e->of_rest = rest / of_mean;
    e->of_rank = fmax(0, (sums->columns / (n_ranks - 1) - rest) / (double)n_steps) / of_mean;
    e->of_step = fmax(0, (sums->rows / (double)(n_steps - 1) - rest) / n_ranks) / of_mean;
}

/* What a step is expected to have in common (the best linear predictor of its effect): the less of
 * the mean of its ranks, the more chance can make of that. */
static void find_levels(double *level, const struct hc_extrapolation *e, const double *span_ns,
                        size_t n_steps)
{
    size_t n_ranks = (size_t)e->from;
    double share = e->of_step > 0 ? e->of_step / (e->of_step + e->of_rest / e->from) : 0;
    for (size_t s = 0; s < n_steps; s++) {
        double mean_ns = mean_of(span_ns + s * n_ranks, n_ranks, 1);
        level[s] = 1 + share * (mean_ns / e->mean_ns - 1);
        if (!(share > 0 && level[s] > 0))
            level[s] = 1;
    }
}

enum hc_status hc_extrapolation_describe(struct hc_extrapolation *e,
                                         const struct hc_edited_lanes *lanes, int32_t dp_size,
                                         double *level, struct hc_error *err)
{
    const struct hc_step_lanes *of = &lanes->base->lanes;
    size_t n_ranks = (size_t)of->dp_size, n = of->n_steps * n_ranks;
    double *span_ns = hc_new_array(n, sizeof *span_ns, err);
    double *rank_mean = hc_new_array(n_ranks, sizeof *rank_mean, err);
    *e = (struct hc_extrapolation){.from = of->dp_size, .to = dp_size, .n_columns = (int64_t)n};
    enum hc_status status =
        span_ns && rank_mean ? hc_edited_columns(lanes, span_ns, err) : err->status;
    if (status == HC_OK) {
        for (size_t d = 0; d < n_ranks; d++)
            rank_mean[d] = mean_of(span_ns + d, of->n_steps, n_ranks);
        const struct sums sums = sum_squares(span_ns, of->n_steps, n_ranks, rank_mean);
        split(e, &sums, of->n_steps);
        if (level)
            find_levels(level, e, span_ns, of->n_steps);
        e->short_by =
            fmax(0, sqrt(e->of_rank) * (expected_largest(dp_size) - expected_largest(of->dp_size)));
        e->beyond = (double)dp_size / ((double)n + (double)dp_size);
    }
    free(span_ns);
    free(rank_mean);
    return status;
}
