/* slow_passes.c - workers of which some passes are slow and others are not: a clock that throttles
 * late in each step, a host that is sometimes busy. Their medians, by step too, are as those of
 * their peers; what tells them is how many of their passes are far too long. */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>

/* A pass is too long by this many standard deviations of the noise, and by this part of itself. */
#define SLOW_DEVIATIONS 4.0
#define LEAST_SLOW      0.12
#define SAMPLE_OF_LINE  2048
/* A worker has slow passes when this part of its passes is too long, this many of them, and this
 * many times the part that its peers have. */
#define LEAST_PART  0.05
#define LEAST_COUNT 6
#define OVER_PEERS  4.0
/* And when they are in this part of the steps: what lasts a few steps is a change, or an accident.
 */
#define LEAST_PART_OF_STEPS 0.3
/* With fewer stages, the factor of a microbatch is not told from slowness of one worker. */
#define LEAST_STAGES_FOR_FACTOR 3

struct counting {
    struct hc_pass_model *model;
    int64_t *n[HC_N_PASSES], *n_slow[HC_N_PASSES]; /* [n_workers] */
    uint8_t *steps[HC_N_PASSES];                   /* [n_workers][n_steps] with a slow pass */
    double *scratch;                               /* [n_workers] */
};

static bool uses_factor(const struct hc_pass_model *model)
{
    return model->lanes->n_stages >= LEAST_STAGES_FOR_FACTOR;
}

static enum hc_status find_limit(struct hc_pass_model *model, enum hc_pass pass, size_t line,
                                 struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n = 0;
    struct hc_pass_sample sample = {.pass = pass, .line = line, .is_relative = uses_factor(model)};
    if (hc_pass_sample_take(&sample, model, SAMPLE_OF_LINE / dp_size + 1, err))
        return err->status;
    const double *center = model->center[pass] + line * dp_size;
    for (size_t d = 0; d < dp_size; d++)
        for (size_t i = 0; i < sample.n; i++) {
            double value = sample.values[d * sample.capacity + i];
            sample.values[n++] = fabs((sample.is_relative ? value : value / center[d]) - 1);
        }
    double sd = n ? HC_MAD_TO_SD * hc_median(sample.values, n) : 0;
    for (size_t d = 0; d < dp_size; d++) {
        double limit = 1 + fmax(SLOW_DEVIATIONS * sd, LEAST_SLOW);
        double cut = model->lower_cut[pass][line * dp_size + d];
        model->slow_pass_limit[pass][line * dp_size + d] = cut > 0 ? fmin(cut, limit) : limit;
    }
    free(sample.values);
    return HC_OK;
}

double hc_expected_pass_ns(const struct hc_pass_model *model, const struct hc_pass_row *row,
                           size_t dp_rank, size_t step)
{
    size_t l = step * (size_t)model->lanes->dp_size + dp_rank;
    const double *slow = hc_pass_slow_row(model, row->pass, row->stage, dp_rank);
    double level = slow ? slow[row->block->lanes->step[step]] : 1;
    double factor = uses_factor(model) ? row->factor[l] : 1;
    return row->center[dp_rank] * level * factor;
}

static void count_row(void *context, const struct hc_pass_row *row)
{
    struct counting *counting = context;
    const struct hc_pass_model *model = counting->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    for (size_t d = 0; d < dp_size; d++) {
        size_t worker = d * n_stages + (size_t)row->stage;
        double limit = model->slow_pass_limit[row->pass][row->line * dp_size + d];
        int64_t n_slow = 0;
        uint8_t *steps = counting->steps[row->pass] + worker * model->lanes->n_steps;
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            bool slow =
                row->duration[s * dp_size + d] > limit * hc_expected_pass_ns(model, row, d, s);
            n_slow += slow;
            steps[row->block->lanes->step[s]] |= slow;
        }
        counting->n_slow[row->pass][worker] += n_slow;
        counting->n[row->pass][worker] += (int64_t)row->block->lanes->n_steps;
    }
}

/* The part of slow passes that a usual worker has, of workers that have any passes. */
static double usual_part(const struct counting *counting, enum hc_pass pass, size_t n_workers)
{
    size_t n = 0;
    for (size_t w = 0; w < n_workers; w++)
        if (counting->n[pass][w] > 0)
            counting->scratch[n++] =
                (double)counting->n_slow[pass][w] / (double)counting->n[pass][w];
    return n ? hc_select(counting->scratch, n, (n - 1) / 2) : 0;
}

static bool is_spread(const struct counting *counting, int pass, size_t worker)
{
    size_t n_steps = counting->model->lanes->n_steps, n = 0;
    for (size_t t = 0; t < n_steps; t++)
        n += counting->steps[pass][worker * n_steps + t];
    return (double)n >= LEAST_PART_OF_STEPS * (double)n_steps;
}

static void mark_workers(const struct counting *counting, size_t n_workers)
{
    for (int p = 0; p < HC_N_PASSES; p++) {
        double least =
            fmax(LEAST_PART, OVER_PEERS * usual_part(counting, (enum hc_pass)p, n_workers));
        for (size_t w = 0; w < n_workers; w++) {
            double n_slow = (double)counting->n_slow[p][w];
            if (n_slow < LEAST_COUNT || n_slow < least * (double)counting->n[p][w] ||
                !is_spread(counting, p, w))
                continue;
            counting->model->n_with_slow_passes += counting->model->some_slow[w] == 0;
            counting->model->some_slow[w] |= (uint8_t)(1 << p);
        }
    }
}

enum hc_status hc_slow_passes_find(struct hc_pass_model *model, struct hc_error *err)
{
    size_t n_workers = (size_t)model->lanes->dp_size * (size_t)model->lanes->n_stages;
    struct counting counting = {.model = model,
                                .scratch = hc_new_array(n_workers, sizeof(double), err)};
    bool ok = counting.scratch != NULL;
    for (int p = 0; p < HC_N_PASSES; p++) {
        counting.n[p] = hc_new_array(n_workers, sizeof(int64_t), err);
        counting.n_slow[p] = hc_new_array(n_workers, sizeof(int64_t), err);
        counting.steps[p] = hc_new_array(n_workers * model->lanes->n_steps, 1, err);
        ok = ok && counting.n[p] && counting.n_slow[p] && counting.steps[p];
    }
    enum hc_status status = ok ? hc_pass_lines_each(model, find_limit, err) : err->status;
    if (status == HC_OK) {
        hc_pass_rows_each(model, count_row, &counting);
        mark_workers(&counting, n_workers);
    }
    free(counting.scratch);
    for (int p = 0; p < HC_N_PASSES; p++) {
        free(counting.n[p]);
        free(counting.n_slow[p]);
        free(counting.steps[p]);
    }
    return status;
}
