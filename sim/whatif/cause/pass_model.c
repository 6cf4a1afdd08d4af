/* pass_model.c - the durations of passes taken apart into what the work takes (base), how slow the
 * worker is, and how much work the microbatch has (factor); see cause_search.h. Each is found by
 * medians, which the few passes with a pause in them do not move. */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many durations the median of a worker is taken of. With a noise of 5 % this gives it to 0.2
 * %. */
#define SAMPLE_OF_WORKER 512
/* How many lines (model chunks of stages) the factor of a microbatch is the median of, at most. */
#define MOST_FACTOR_LINES 7
/* A pass that takes longer than this many times the median of its worker counts as this long in the
 * correlation of forward and backward passes, so that one pause does not decide it. */
#define LONGEST_RATIO 1.5
/* Lower bound for a factor: remedies divide by it. */
#define LEAST_FACTOR 0.01
/* Dp ranks whose medians differ by less than this many standard errors may differ by chance. */
#define CHANCE_ERRORS 4.0

/* ---- workers ---- */

static enum hc_status find_centers(struct hc_pass_model *model, enum hc_pass pass, size_t line,
                                   struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    struct hc_pass_sample sample = {.pass = pass, .line = line};
    if (hc_pass_sample_take(&sample, model, SAMPLE_OF_WORKER, err))
        return err->status;
    double *center = model->center[pass] + line * dp_size;
    for (size_t d = 0; d < dp_size; d++) {
        double lower = model->lower_center[pass][line * dp_size + d];
        center[d] = lower > 0  ? lower
                    : sample.n ? hc_median(sample.values + d * sample.capacity, sample.n)
                               : 1;
        /* The durations of this worker are 0. Any positive value will do: nothing can be read from
         * them. */
        if (!(center[d] > 0))
            center[d] = 1;
    }
    for (size_t d = 0; d < dp_size; d++)
        sample.values[d] = center[d];
    model->base[pass][line] = hc_lower_median(sample.values, dp_size);
    free(sample.values);
    return HC_OK;
}

/* How much slower than its peers each worker is: the median, over its lines and both passes, of its
 * center over the base of the line. */
static enum hc_status find_workers(struct hc_pass_model *model, struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n_lines = model->pairs->n_lines;
    size_t n_stages = (size_t)model->lanes->n_stages;
    double *ratios = hc_new_array(n_lines * HC_N_PASSES, sizeof *ratios, err);
    if (!ratios)
        return err->status;
    for (size_t i = 0; i < dp_size * n_stages; i++) {
        size_t d = i / n_stages, n = 0;
        for (size_t line = 0; line < n_lines; line++)
            for (int p = 0; p < HC_N_PASSES; p++)
                if (model->pairs->lines[line].stage == (int32_t)(i % n_stages))
                    ratios[n++] = model->center[p][line * dp_size + d] / model->base[p][line];
        model->worker[i] = n ? hc_median(ratios, n) : 1;
    }
    free(ratios);
    return HC_OK;
}

/* ---- microbatches ---- */

HC_DISPATCH
static void exchange(double *a, double *b, size_t n)
{
    HC_LANES(n)
    {
        double low = a[l] < b[l] ? a[l] : b[l];
        b[l] = a[l] < b[l] ? b[l] : a[l];
        a[l] = low;
    }
}

/* Sort n rows lane by lane, and put their median into the first. */
static void fold_median(double *rows, size_t n, size_t n_lanes)
{
    for (size_t last = n; last > 1; last--)
        for (size_t r = 0; r + 1 < last; r++)
            exchange(rows + r * n_lanes, rows + (r + 1) * n_lanes, n_lanes);
    const double *low = rows + (n - 1) / 2 * n_lanes, *high = rows + n / 2 * n_lanes;
    HC_LANES(n_lanes) rows[l] = 0.5 * (low[l] + high[l]);
}

/* Divide the values of a row of passes by how slow their workers are in these steps. */
static void divide_by_slow(const struct hc_pass_model *model, const struct hc_lane_block *block,
                           enum hc_pass pass, int32_t stage, double *row)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    for (size_t d = 0; model->slow && d < dp_size; d++) {
        const double *level = hc_pass_slow_row(model, pass, stage, d);
        for (size_t s = 0; level && s < block->n_steps; s++)
            row[s * dp_size + d] /= level[block->step[s]];
    }
}

/* Write the durations of one microbatch on one line over the centers of their workers. False when
 * the line does not have it. */
static bool fill_ratio(const struct hc_pass_model *model, const struct hc_model_block *block,
                       enum hc_pass pass, size_t line, size_t microbatch, double *row)
{
    const struct hc_pass_layout *layout = &model->pairs->layouts[block->structure];
    uint32_t position = layout->position[pass][line * layout->n_microbatches + microbatch];
    if (position == HC_NO_POSITION)
        return false;
    size_t dp_size = (size_t)model->lanes->dp_size;
    const double *duration = block->lanes->duration + position * block->lanes->stride;
    const double *center = model->center[pass] + line * dp_size;
    for (size_t l = 0; l < block->lanes->n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++)
            row[l + d] = duration[l + d] / center[d];
    divide_by_slow(model, block->lanes, pass, model->pairs->lines[line].stage, row);
    return true;
}

/* Write the durations of one microbatch over the centers of their workers, a row for each line
 * (some of the lines, where there are many), and their median lane by lane into the first row.
 * Returns how many rows: 0 when no line has this microbatch. */
static size_t fill_ratios(const struct hc_pass_model *model, const struct hc_model_block *block,
                          enum hc_pass pass, size_t microbatch, double *rows)
{
    size_t n_lines = model->pairs->n_lines, n = 0;
    size_t n_taken = n_lines < MOST_FACTOR_LINES ? n_lines : MOST_FACTOR_LINES;
    for (size_t i = 0; i < n_taken; i++)
        n += fill_ratio(model, block, pass, i * n_lines / n_taken, microbatch,
                        rows + n * block->lanes->n_lanes);
    if (n)
        fold_median(rows, n, block->lanes->n_lanes);
    return n;
}

/* What the forward and the backward pass of a microbatch agree on: of their two deviations from 1
 * the smaller one, or none when they have different signs. */
static double agreed(double forward, double backward)
{
    if ((forward > 1) != (backward > 1))
        return 1;
    return fabs(forward - 1) < fabs(backward - 1) ? forward : backward;
}

/* Add a pair of deviations from 1. Each of the two is cut at LONGEST_RATIO by itself, so that
 * passes that are independent stay so, and a pause counts for little. */
static void add_pair(struct hc_pair_sums *sums, double forward, double backward)
{
    double x = fmin(forward, LONGEST_RATIO) - 1, y = fmin(backward, LONGEST_RATIO) - 1;
    struct hc_pair_sums pair = {1, x, y, x * x, y * y, x * y};
    hc_pair_sums_add(sums, &pair);
}

/* The sums as they would be with the mean taken off each value: x and y become 0. */
static struct hc_pair_sums centered(const struct hc_pair_sums *sums)
{
    double n = (double)sums->n;
    if (sums->n == 0)
        return *sums;
    return (struct hc_pair_sums){.n = sums->n,
                                 .xx = fmax(0, sums->xx - sums->x * sums->x / n),
                                 .yy = fmax(0, sums->yy - sums->y * sums->y / n),
                                 .xy = sums->xy - sums->x * sums->y / n};
}

/* The sums of one block: of the deviations as they are, and against the mean of their lane. */
struct factor_sums {
    struct hc_pair_sums plain, within, across;
};

/* Scratch for one block. */
struct factor_scratch {
    double *rows; /* [2 * MOST_FACTOR_LINES][n_lanes] ratios: of forward passes, then of backward
                     passes */
    struct hc_pair_sums *of_lane, *across;
};

/* The microbatches of a dp rank say nothing of sequence lengths where a worker of it is slow in
 * some of them. Where all dp ranks have such a worker, none is left out. */
static void find_left_out(struct hc_pass_model *model)
{
    size_t n_stages = (size_t)model->lanes->n_stages, dp_size = (size_t)model->lanes->dp_size;
    size_t n = 0;
    for (size_t d = 0; d < dp_size; d++) {
        for (size_t s = 0; s < n_stages; s++)
            model->left_out[d] |= model->some_slow[d * n_stages + s] != 0;
        n += model->left_out[d];
    }
    if (n == dp_size)
        memset(model->left_out, 0, dp_size);
}

static void find_block_factors(const struct hc_pass_model *model, struct hc_model_block *block,
                               const struct factor_scratch *scratch, struct factor_sums *sums)
{
    size_t n_lanes = block->lanes->n_lanes, dp_size = (size_t)model->lanes->dp_size;
    double *forward = scratch->rows, *backward = scratch->rows + MOST_FACTOR_LINES * n_lanes;
    for (size_t m = 0; m < model->pairs->layouts[block->structure].n_microbatches; m++) {
        double *factor = block->factor + m * block->lanes->stride;
        bool is_whole = fill_ratios(model, block, HC_FORWARD_PASS, m, forward) &&
                        fill_ratios(model, block, HC_BACKWARD_PASS, m, backward);
        for (size_t l = 0; l < block->lanes->stride; l++)
            factor[l] = is_whole && l < n_lanes && !model->left_out[l % dp_size]
                            ? fmax(LEAST_FACTOR, agreed(forward[l], backward[l]))
                            : 1;
        for (size_t l = 0; is_whole && l < n_lanes; l++)
            add_pair(&scratch->of_lane[l], forward[l], backward[l]);
        size_t last = model->pairs->n_lines - 1;
        if (model->lanes->n_stages > 1 &&
            fill_ratio(model, block, HC_FORWARD_PASS, 0, m, forward) &&
            fill_ratio(model, block, HC_BACKWARD_PASS, last, m, backward))
            for (size_t l = 0; l < n_lanes; l++)
                add_pair(&scratch->across[l], forward[l], backward[l]);
    }
    for (size_t l = 0; l < n_lanes; l++) {
        struct hc_pair_sums within = centered(&scratch->of_lane[l]);
        struct hc_pair_sums across = centered(&scratch->across[l]);
        if (model->left_out[l % dp_size])
            continue;
        hc_pair_sums_add(&sums->plain, &scratch->of_lane[l]);
        hc_pair_sums_add(&sums->within, &within);
        hc_pair_sums_add(&sums->across, &across);
    }
}

static enum hc_status new_block_factors(const struct hc_pass_model *model,
                                        struct hc_model_block *block, struct factor_sums *sums,
                                        struct hc_error *err)
{
    size_t n_microbatches = model->pairs->layouts[block->structure].n_microbatches;
    size_t n_lanes = block->lanes->n_lanes;
    struct factor_scratch scratch = {
        hc_new_aligned(2 * MOST_FACTOR_LINES * n_lanes, sizeof(double), err),
        hc_new_array(n_lanes, sizeof *scratch.of_lane, err),
        hc_new_array(n_lanes, sizeof *scratch.across, err)};
    bool ok = scratch.rows && scratch.of_lane && scratch.across;
    if (ok && !block->factor)
        block->factor = hc_new_aligned(n_microbatches * block->lanes->stride, sizeof(double), err);
    if (ok && block->factor)
        find_block_factors(model, block, &scratch, sums);
    free(scratch.rows);
    free(scratch.of_lane);
    free(scratch.across);
    return ok && block->factor ? HC_OK : err->status;
}

static enum hc_status find_factors(struct hc_pass_model *model, struct hc_error *err)
{
    struct factor_sums *sums = hc_new_array(model->n_blocks, sizeof *sums, err);
    enum hc_status status = sums ? HC_OK : err->status;
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < model->n_blocks; k++) {
        struct hc_error own;
        if (new_block_factors(model, &model->blocks[k], &sums[k], &own)) {
#pragma omp critical(hc_pass_model)
            {
                *err = own;
                status = own.status;
            }
        }
    }
    model->factors = model->within = model->across = (struct hc_pair_sums){0};
    for (size_t k = 0; k < model->n_blocks; k++) {
        hc_pair_sums_add(&model->factors, &sums[k].plain);
        hc_pair_sums_add(&model->within, &sums[k].within);
        hc_pair_sums_add(&model->across, &sums[k].across);
    }
    free(sums);
    return status;
}

/* ---- dp ranks: slow, or with long microbatches by chance ---- */

/* The slowness that all workers of a dp rank have in common: that of the least slow (or least fast)
 * one; 1 when some are slow and some fast. */
static double common_effect(const struct hc_pass_model *model, size_t dp_rank)
{
    size_t n_stages = (size_t)model->lanes->n_stages;
    const double *effect = model->worker + dp_rank * n_stages;
    double common = effect[0];
    for (size_t s = 1; s < n_stages; s++)
        common = agreed(common, effect[s]);
    return common;
}

/* Tell slow dp ranks from those that happened to have long microbatches. Factors are relative to
 * the median of their worker, so a dp rank whose microbatches are long by chance looks like slow
 * workers. Where its difference is within CHANCE_ERRORS of what the spread of microbatches makes
 * likely, it is taken from the workers and kept as the drift of the dp rank. */
static void find_drifts(struct hc_pass_model *model)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    /* The standard error of the median of n_each values is sqrt(pi / 2) = 1.2533 times that of
     * their mean. */
    double n_each = fmin((double)model->factors.n / (double)dp_size, SAMPLE_OF_WORKER);
    double error = n_each > 0 ? 1.2533 * model->factor_sd / sqrt(n_each) : 0;
    for (size_t d = 0; d < dp_size; d++) {
        double common = common_effect(model, d);
        model->drift[d] = fabs(common - 1) < CHANCE_ERRORS * error ? common : 1;
        for (size_t s = 0; s < n_stages; s++)
            model->worker[d * n_stages + s] /= model->drift[d];
    }
}

/* Mean and standard deviation of the factors times the drifts of their dp ranks (1 before
 * find_drifts). */
static void rate_factors(struct hc_pass_model *model)
{
    double n = 0, sum = 0, squares = 0;
    size_t dp_size = (size_t)model->lanes->dp_size;
    for (size_t k = 0; k < model->n_blocks; k++) {
        const struct hc_model_block *block = &model->blocks[k];
        size_t n_microbatches = model->pairs->layouts[block->structure].n_microbatches;
        for (size_t m = 0; m < n_microbatches; m++) {
            const double *factor = block->factor + m * block->lanes->stride;
            for (size_t l = 0; l < block->lanes->n_lanes; l += dp_size)
                for (size_t d = 0; d < dp_size; d++) {
                    double x = factor[l + d] * model->drift[d] - 1;
                    sum += x;
                    squares += x * x;
                    n++;
                }
        }
    }
    model->factor_mean = n > 0 ? 1 + sum / n : 1;
    model->factor_sd = n > 0 ? sqrt(fmax(0, squares / n - sum / n * (sum / n))) : 0;
}

/* ---- all together ---- */

static enum hc_status list_blocks(struct hc_pass_model *model, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = model->lanes;
    size_t n = 0;
    model->first_block = hc_new_array(lanes->n_structures, sizeof *model->first_block, err);
    if (!model->first_block)
        return err->status;
    for (size_t i = 0; i < lanes->n_structures; i++) {
        model->first_block[i] = n;
        n += lanes->structures[i].n_blocks;
    }
    model->blocks = hc_new_array(n, sizeof *model->blocks, err);
    if (!model->blocks)
        return err->status;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            model->blocks[model->n_blocks++] =
                (struct hc_model_block){i, &lanes->structures[i].blocks[k], NULL};
    return HC_OK;
}

static enum hc_status allocate(struct hc_pass_model *model, struct hc_error *err)
{
    size_t n_lines = model->pairs->n_lines, dp_size = (size_t)model->lanes->dp_size;
    for (int p = 0; p < HC_N_PASSES; p++) {
        model->center[p] = hc_new_array(n_lines * dp_size, sizeof(double), err);
        model->base[p] = hc_new_array(n_lines, sizeof(double), err);
        model->pause_limit[p] = hc_new_array(n_lines, sizeof(double), err);
        model->slow_pass_limit[p] = hc_new_array(n_lines * dp_size, sizeof(double), err);
        model->lower_center[p] = hc_new_array(n_lines * dp_size, sizeof(double), err);
        model->lower_cut[p] = hc_new_array(n_lines * dp_size, sizeof(double), err);
        if (!model->lower_center[p] || !model->lower_cut[p] || !model->center[p] ||
            !model->base[p] || !model->pause_limit[p] || !model->slow_pass_limit[p])
            return err->status;
    }
    model->some_slow = hc_new_array(dp_size * (size_t)model->lanes->n_stages, 1, err);
    model->left_out = hc_new_array(dp_size, 1, err);
    if (!model->some_slow || !model->left_out)
        return err->status;
    model->worker = hc_new_array(dp_size * (size_t)model->lanes->n_stages, sizeof(double), err);
    model->drift = hc_new_array(dp_size, sizeof(double), err);
    for (size_t d = 0; model->drift && d < dp_size; d++)
        model->drift[d] = 1;
    return model->worker && model->drift ? list_blocks(model, err) : err->status;
}

enum hc_status hc_pass_model_begin(struct hc_pass_model *model, const struct hc_pass_pairs *pairs,
                                   const struct hc_step_lanes *lanes, struct hc_error *err)
{
    *model = (struct hc_pass_model){.lanes = lanes, .pairs = pairs};
    enum hc_status status = allocate(model, err);
    if (status == HC_OK)
        status = hc_pass_lines_each(model, find_centers, err);
    if (status)
        hc_pass_model_fini(model);
    return status;
}

enum hc_status hc_pass_model_finish(struct hc_pass_model *model, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (model->slow || model->has_mixtures)
        status = hc_pass_lines_each(model, find_centers, err);
    if (status == HC_OK)
        status = find_workers(model, err);
    if (status == HC_OK)
        status = find_factors(model, err);
    if (status == HC_OK)
        status = hc_slow_passes_find(model, err);
    if (status == HC_OK && model->n_with_slow_passes) {
        find_left_out(model);
        status = find_factors(model, err);
    }
    if (status == HC_OK) {
        rate_factors(model);
        find_drifts(model);
        rate_factors(model);
        status = hc_pauses_find(model, err);
    }
    return status;
}

void hc_pass_model_fini(struct hc_pass_model *model)
{
    for (int p = 0; p < HC_N_PASSES; p++) {
        free(model->center[p]);
        free(model->base[p]);
        free(model->pause_limit[p]);
        free(model->slow_pass_limit[p]);
        free(model->lower_center[p]);
        free(model->lower_cut[p]);
    }
    free(model->some_slow);
    free(model->left_out);
    free(model->worker);
    free(model->drift);
    for (size_t k = 0; k < model->n_blocks; k++)
        free(model->blocks[k].factor);
    free(model->blocks);
    free(model->first_block);
    memset(model, 0, sizeof *model);
}
