#include "sim/whatif/block_bootstrap.h"

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/random/philox.h"
#include "models/stats/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 0x696e74657276616cu /* any number, always this one */

size_t hc_block_steps(size_t n_steps)
{
    size_t length = 1;
    while ((2 * length + 1) * (2 * length + 1) * (2 * length + 1) < 8 * n_steps)
        length++;
    return length;
}

/* ---- resampling ---- */

/* [n_steps + 1][n_columns]: sums of all rows before each. */
static double *new_running_sums(const struct hc_step_rows *rows, struct hc_error *err)
{
    size_t n_columns = rows->n_columns;
    double *running = hc_new_array((rows->n_steps + 1) * n_columns, sizeof *running, err);
    if (running)
        for (size_t i = 0; i < rows->n_steps * n_columns; i++)
            running[i + n_columns] = running[i] + rows->value[i];
    return running;
}

static void add_rows(double *sum, const double *running, size_t n_columns, size_t from, size_t to)
{
    for (size_t c = 0; c < n_columns; c++)
        sum[c] += running[to * n_columns + c] - running[from * n_columns + c];
}

static void add_block(double *sum, const double *running, const struct hc_step_rows *rows,
                      size_t first, size_t length)
{
    size_t n = rows->n_steps, end = first + length;
    add_rows(sum, running, rows->n_columns, first, end < n ? end : n);
    if (end > n)
        add_rows(sum, running, rows->n_columns, 0, end - n);
}

enum hc_status hc_block_bootstrap(double *sums, int32_t n_resamples,
                                  const struct hc_step_rows *rows, size_t block_steps,
                                  struct hc_error *err)
{
    double *running = new_running_sums(rows, err);
    if (!running)
        return err->status;
    size_t n = rows->n_steps;
    struct hc_philox rng;
    hc_philox_seek(&rng, SEED, 0, 0);
    memset(sums, 0, (size_t)n_resamples * rows->n_columns * sizeof *sums);
    for (int32_t b = 0; b < n_resamples; b++)
        for (size_t done = 0; done < n; done += block_steps) {
            size_t length = n - done < block_steps ? n - done : block_steps;
            add_block(sums + (size_t)b * rows->n_columns, running, rows,
                      (size_t)hc_philox_integer(&rng, n), length);
        }
    free(running);
    return HC_OK;
}

/* ---- intervals ---- */

double hc_step_correlation(const double *value, size_t n_steps)
{
    double square = 0, product = 0, n = (double)n_steps;
    for (size_t s = 0; s < n_steps; s++) {
        square += value[s] * value[s];
        if (s > 0)
            product += value[s] * value[s - 1];
    }
    if (product <= 0)
        return 0;
    double r = product / square, correlation = r + (1 + 3 * r) / n;
    return correlation < 1 / sqrt(n) ? 0 : fmin(correlation, HC_MOST_CORRELATION);
}

/* The share of the variance of a mean that resampling in blocks keeps. It keeps less than all,
 * since two neighbours in a resample that come from different blocks are not correlated, as
 * neighbours in the trace are. */
static double kept_variance(double block_steps, double correlation)
{
    double kept = 1, power = 1;
    for (double lag = 1; lag < block_steps; lag++) {
        power *= correlation;
        kept += 2 * (1 - lag / block_steps) * power;
    }
    return kept * (1 - correlation) / (1 + correlation);
}

/* By how much the distance of a quantile from the estimate is stretched, for an interval of this
 * level: Student's t over the normal quantile, since the spread is itself estimated from few blocks
 * (its degrees of freedom need not be whole), over the share of the standard error that resampling
 * in blocks keeps (docs/methods/intervals.md). block_steps < n_steps. */
static double stretch_factor(size_t n_steps, size_t block_steps, double correlation, double level)
{
    double n = (double)n_steps, l = (double)block_steps;
    double freedom = 3 * n * l / (2 * l * l + 1) - 1;
    return hc_student_t(freedom, level) / hc_normal_quantile((1 + level) / 2) /
           sqrt((1 - l / n) * kept_variance(l, correlation));
}

/* The quantile of n figures (reordered), interpolated between the two nearest. */
static double quantile(double *figures, int32_t n, double share)
{
    double place = share * (double)(n - 1), below = floor(place);
    double low = hc_select(figures, (size_t)n, (size_t)below), high = low;
    if (place > below) { /* hc_select leaves no smaller value behind the one selected */
        high = figures[(size_t)below + 1];
        for (size_t i = (size_t)below + 2; i < (size_t)n; i++)
            high = figures[i] < high ? figures[i] : high;
    }
    return low + (place - below) * (high - low);
}

struct hc_interval hc_bootstrap_interval(double estimate, double *figures, double correlation,
                                         const struct hc_intervals *settings)
{
    double tail = (1 - settings->level) / 2;
    double stretch =
        stretch_factor(settings->n_steps, settings->block_steps, correlation, settings->level);
    double low = quantile(figures, settings->n_resamples, tail);
    double high = quantile(figures, settings->n_resamples, 1 - tail);
    return (struct hc_interval){estimate + stretch * (low - estimate),
                                estimate + stretch * (high - estimate)};
}
