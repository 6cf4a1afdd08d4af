/* pass_mixtures.c - workers whose passes are of two kinds within the steps: usual ones, and slow
 * ones (a clock that throttles late in each step, a host that is busy now and then). With many slow
 * ones the median of a worker lies among them, or between; what is usual for it is then the level
 * of the lower kind. */
#include "sim/whatif/cause/slow_map.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The passes of a worker that are looked at, about. */
#define SAMPLE_OF_WORKER 512
/* The upper kind is above the lower one by this part, and by this many standard deviations within
 * the kinds (halves of any single hump are less than 4 apart); each has this part of the passes. */
#define LEAST_RISE       0.12
#define LEAST_DEVIATIONS 5.0
#define LEAST_PART       0.08
#define LEAST_COUNT      12
/* Of the peers, at most this part of what the worker has is above its cut. */
#define PART_OF_PEERS 0.25
/* Of the variance between the kinds, this part is within the steps: else whole steps are slow. */
#define LEAST_WITHIN 0.5

/* The passes of one worker on one line, split. */
struct split {
    bool found;
    double low, cut; /* the median of the lower kind, and the middle between both */
    double part;     /* of the upper kind */
};

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double middle(const double *sorted, size_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* The two clusters of least squares of sorted values; the values far above are cut first. */
static struct split split_values(double *values, size_t n)
{
    struct split split = {.found = false};
    if (n < LEAST_COUNT)
        return split;
    double most = 3 * values[n / 4], all = 0, all_squares = 0;
    for (size_t i = 0; i < n; i++) {
        values[i] = fmin(values[i], most);
        all += values[i];
        all_squares += values[i] * values[i];
    }
    double sum = 0, least = INFINITY;
    size_t n_low = 0;
    for (size_t i = 1; i < n; i++) {
        sum += values[i - 1];
        double rest = all - sum;
        double within = all_squares - sum * sum / (double)i - rest * rest / (double)(n - i);
        if (within < least) {
            least = within;
            n_low = i;
        }
    }
    double high = middle(values + n_low, n - n_low), sd = sqrt(fmax(least, 0) / (double)n);
    split.low = middle(values, n_low);
    split.cut = (split.low + high) / 2;
    split.part = (double)(n - n_low) / (double)n;
    split.found = split.part >= LEAST_PART && 1 - split.part >= LEAST_PART && split.low > 0 &&
                  high - split.low >= fmax(LEAST_RISE * split.low, LEAST_DEVIATIONS * sd);
    return split;
}

/* ---- whether it is within the steps ---- */

struct counting {
    const struct hc_pass_model *model;
    enum hc_pass pass;
    size_t line, dp_rank;
    double cut;
    double *n, *n_slow; /* [n_steps] */
};

static void count_row(void *context, const struct hc_pass_row *row)
{
    struct counting *counting = context;
    size_t dp_size = (size_t)counting->model->lanes->dp_size;
    if (row->pass != counting->pass || row->line != counting->line)
        return;
    for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
        size_t step = row->block->lanes->step[s];
        counting->n[step]++;
        counting->n_slow[step] += row->duration[s * dp_size + counting->dp_rank] > counting->cut;
    }
}

static bool is_within_steps(struct counting *counting)
{
    size_t n_steps = counting->model->lanes->n_steps, n = 0;
    double all = 0, within = 0;
    memset(counting->n, 0, n_steps * sizeof(double));
    memset(counting->n_slow, 0, n_steps * sizeof(double));
    hc_pass_rows_each(counting->model, count_row, counting);
    for (size_t t = 0; t < n_steps; t++) {
        if (counting->n[t] < 2)
            continue;
        double part = counting->n_slow[t] / counting->n[t];
        /* Of draws without a pattern, the variance within n of them is (n - 1) / n of all. */
        within += part * (1 - part) * counting->n[t] / (counting->n[t] - 1);
        all += part;
        n++;
    }
    all /= n ? (double)n : 1;
    return n > 0 && within / (double)n >= LEAST_WITHIN * all * (1 - all);
}

/* ---- all workers ---- */

static double part_above(const double *sorted, size_t n, double cut)
{
    size_t at = n;
    while (at > 0 && sorted[at - 1] > cut)
        at--;
    return (double)(n - at) / (double)n;
}

/* Whether most of the peers have few passes above the cut of a worker. */
static bool is_alone(const struct hc_pass_sample *sample, size_t dp_size, size_t own,
                     const struct split *split)
{
    size_t n = 0;
    for (size_t d = 0; d < dp_size; d++)
        n += d != own && part_above(sample->values + d * sample->capacity, sample->n, split->cut) <=
                             PART_OF_PEERS * split->part;
    return 2 * n >= dp_size - 1;
}

static enum hc_status split_line(struct hc_pass_model *model, enum hc_pass pass, size_t line,
                                 struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n_steps = model->lanes->n_steps;
    struct hc_pass_sample sample = {.pass = pass, .line = line};
    if (dp_size < 2)
        return HC_OK;
    if (hc_pass_sample_take(&sample, model, SAMPLE_OF_WORKER, err))
        return err->status;
    double *counts = hc_new_array(2 * n_steps, sizeof *counts, err);
    for (size_t d = 0; d < dp_size; d++)
        qsort(sample.values + d * sample.capacity, sample.n, sizeof(double), by_value);
    for (size_t d = 0; counts && d < dp_size; d++) {
        struct split split = split_values(sample.values + d * sample.capacity, sample.n);
        struct counting counting = {model, pass, line, d, split.cut, counts, counts + n_steps};
        if (!split.found || !is_alone(&sample, dp_size, d, &split) || !is_within_steps(&counting))
            continue;
        model->lower_center[pass][line * dp_size + d] = split.low;
        model->lower_cut[pass][line * dp_size + d] = split.cut / split.low;
    }
    free(counts);
    free(sample.values);
    return counts ? HC_OK : err->status;
}

static void forget_worker(struct hc_slow_map *map, size_t worker)
{
    map->n_changing -= map->passes[worker] != 0;
    map->passes[worker] = 0;
    memset(map->is_slow + worker * map->n_steps, 0, map->n_steps);
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t t = 0; t < map->n_steps; t++)
            map->level[p][worker * map->n_steps + t] = 1;
}

enum hc_status hc_pass_mixtures_find(struct hc_pass_model *model, struct hc_slow_map *map,
                                     struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    enum hc_status status = hc_pass_lines_each(model, split_line, err);
    for (size_t line = 0; status == HC_OK && line < model->pairs->n_lines; line++)
        for (size_t d = 0; d < dp_size; d++)
            for (int p = 0; p < HC_N_PASSES; p++)
                if (model->lower_center[p][line * dp_size + d] > 0) {
                    model->has_mixtures = true;
                    forget_worker(map, d * n_stages + (size_t)model->pairs->lines[line].stage);
                }
    return status;
}
