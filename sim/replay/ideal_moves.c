#include "sim/replay/ideal_moves.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Durations of which the slope at the median is taken; more cost time and change it little. */
#define SAMPLE_SIZE 2048
/* The slope at the median is taken between two quantiles, 0.5 - h and 0.5 + h; h is within these.
 */
#define LEAST_HALF_RANGE 0.02
#define MOST_HALF_RANGE  0.45

/* One op type, while the steps' shares in its ideal are found. */
struct type_steps {
    const struct hc_step_lanes *lanes;
    int op_type;
    double ideal_ns;
    bool is_mean;
    double *sum; /* [n_steps] of the durations, or how many of them are below the ideal */
    double *n;   /* [n_steps] rows of the type */
    double total, total_n;
};

/* Sum over the dp ranks of one step: of durations where the ideal is their mean, of "is below the
 * ideal" (a tie counts one half) where it is their median. Whole numbers and halves, so exact in
 * any order. */
static double sum_lanes(const struct type_steps *t, const double *value, size_t n)
{
    double sum = 0;
    if (t->is_mean)
        for (size_t l = 0; l < n; l++)
            sum += value[l];
    else
        for (size_t l = 0; l < n; l++)
            sum += 0.5 * ((value[l] < t->ideal_ns) + (value[l] <= t->ideal_ns));
    return sum;
}

static void add_block(struct type_steps *t, const struct hc_step_structure *structure,
                      const struct hc_lane_block *block)
{
    size_t dp_size = (size_t)t->lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        if (structure->op_type[p] != t->op_type)
            continue;
        const double *row = block->duration + p * block->stride;
        for (size_t k = 0; k < block->n_steps; k++) {
            t->sum[block->step[k]] += sum_lanes(t, row + k * dp_size, dp_size);
            t->n[block->step[k]] += (double)dp_size;
        }
    }
}

static void add_steps(struct type_steps *t)
{
    size_t n_steps = t->lanes->n_steps;
    memset(t->sum, 0, n_steps * sizeof *t->sum);
    memset(t->n, 0, n_steps * sizeof *t->n);
    for (size_t i = 0; i < t->lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &t->lanes->structures[i];
#pragma omp parallel for schedule(dynamic)
        for (size_t k = 0; k < structure->n_blocks; k++)
            add_block(t, structure, &structure->blocks[k]); /* a step is in one block only */
    }
    t->total = t->total_n = 0;
    for (size_t s = 0; s < n_steps; s++) {
        t->total += t->sum[s];
        t->total_n += t->n[s];
    }
}

/* Turn the sum of each step into its deviation: (mean of the step - mean of all) times (rows of the
 * step / mean rows of a step). Exactly 0 where all steps are alike. */
static void find_deviations(const struct type_steps *t, double *move)
{
    size_t n_steps = t->lanes->n_steps;
    double mean = t->total / t->total_n, mean_n = t->total_n / (double)n_steps;
    for (size_t s = 0; s < n_steps; s++)
        move[s] = t->n[s] > 0 ? t->n[s] / mean_n * (t->sum[s] / t->n[s] - mean) : 0;
}

/* Take about SAMPLE_SIZE durations of the type: one out of each run of `every` rows, at a place
 * that changes from run to run, so that no dp rank is preferred. */
static size_t sample_durations(const struct type_steps *t, double *sample)
{
    uint64_t every = (uint64_t)(t->total_n / SAMPLE_SIZE) + 1, number = 0, next = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &t->lanes->structures[i];
        for (size_t k = 0; k < structure->n_blocks; k++)
            for (size_t p = 0; p < structure->order.n_ops; p++) {
                const struct hc_lane_block *block = &structure->blocks[k];
                if (structure->op_type[p] != t->op_type)
                    continue;
                for (; next < number + block->n_lanes; n++) {
                    sample[n] = block->duration[p * block->stride + (size_t)(next - number)];
                    uint64_t fraction = (n + 1) * 0x9e3779b97f4a7c15u >> 32; /* Weyl's sequence */
                    next = (n + 1) * every + (fraction * every >> 32);
                }
                number += block->n_lanes;
            }
    }
    return n;
}

/* How many ns the median falls when the share of values below it grows by 1: the slope of the
 * quantile function at 0.5, taken over two standard errors of that share to each side (as in
 * Woodruff's interval for a median, 1952). */
static double slope_at_median(const struct type_steps *t, const double *deviation, double *sample)
{
    size_t n_steps = t->lanes->n_steps, n = sample_durations(t, sample);
    double squares = 0;
    for (size_t s = 0; s < n_steps; s++)
        squares += deviation[s] * deviation[s];
    double half = 2 * sqrt(squares) / (double)n_steps;
    half = fmin(fmax(half, LEAST_HALF_RANGE), MOST_HALF_RANGE);
    double last = (double)(n - 1);
    double low = hc_select(sample, n, (size_t)((0.5 - half) * last + 0.5));
    double high = hc_select(sample, n, (size_t)((0.5 + half) * last + 0.5));
    return (high - low) / (2 * half);
}

static bool moves_at_all(const double *move, size_t n_steps)
{
    for (size_t s = 0; s < n_steps; s++)
        if (move[s] != 0)
            return true;
    return false;
}

static enum hc_status find_type(struct type_steps *t, double **move, double *sample,
                                struct hc_error *err)
{
    size_t n_steps = t->lanes->n_steps;
    *move = hc_new_array(n_steps, sizeof **move, err);
    if (!*move)
        return err->status;
    add_steps(t);
    find_deviations(t, *move);
    if (!t->is_mean) {
        double slope = slope_at_median(t, *move, sample);
        for (size_t s = 0; s < n_steps; s++)
            (*move)[s] *= -slope;
    }
    if (!moves_at_all(*move, n_steps)) {
        free(*move);
        *move = NULL;
    }
    return HC_OK;
}

enum hc_status hc_ideal_moves_find(struct hc_ideal_moves *moves, const struct hc_step_lanes *lanes,
                                   const struct hc_ideals *ideals, struct hc_error *err)
{
    memset(moves, 0, sizeof *moves);
    struct type_steps t = {.lanes = lanes};
    t.sum = hc_new_array(lanes->n_steps, sizeof *t.sum, err);
    t.n = hc_new_array(lanes->n_steps, sizeof *t.n, err);
    double *sample = hc_new_array(SAMPLE_SIZE + 1, sizeof *sample, err);
    enum hc_status status = t.sum && t.n && sample ? HC_OK : err->status;
    for (int type = 0; status == HC_OK && type < HC_N_OP_TYPES; type++) {
        if (!ideals->n[type])
            continue;
        t.op_type = type;
        t.ideal_ns = (double)ideals->duration_ns[type];
        t.is_mean = hc_ideal_is_mean(type);
        status = find_type(&t, &moves->move_ns[type], sample, err);
    }
    free(t.sum);
    free(t.n);
    free(sample);
    if (status)
        hc_ideal_moves_fini(moves);
    return status;
}

void hc_ideal_moves_fini(struct hc_ideal_moves *moves)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        free(moves->move_ns[type]);
    memset(moves, 0, sizeof *moves);
}
