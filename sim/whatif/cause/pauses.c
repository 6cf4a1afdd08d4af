/* pauses.c - forward passes that stand still for a while: garbage collection of Python (paper
 * section 5.4), which backward passes, launched from C++, do not feel. */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many durations, over all workers, the noise of a line is measured on. */
#define SAMPLE_OF_LINE 2048
/* A pass has a pause in it when it is too long by this many standard deviations of the noise, and
 * by this part of itself. */
#define PAUSE_DEVIATIONS 6.0
#define LEAST_PAUSE      0.25

static enum hc_status find_limit(struct hc_pass_model *model, enum hc_pass pass, size_t line,
                                 struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n = 0;
    struct hc_pass_sample sample = {.pass = pass, .line = line, .is_relative = true};
    if (hc_pass_sample_take(&sample, model, SAMPLE_OF_LINE / dp_size + 1, err))
        return err->status;
    for (size_t d = 0; d < dp_size; d++)
        for (size_t i = 0; i < sample.n; i++)
            sample.values[n++] = fabs(sample.values[d * sample.capacity + i] - 1);
    double sd = n ? HC_MAD_TO_SD * hc_median(sample.values, n) : 0;
    model->pause_limit[pass][line] = 1 + fmax(PAUSE_DEVIATIONS * sd, LEAST_PAUSE);
    free(sample.values);
    return HC_OK;
}

/* A step is planned to pause when at least this part of the workers does. */
#define NEARLY_ALL 0.9

/* Pauses being counted: marks of workers that have one in a forward pass of a step, and how many
 * there are in the step. */
struct count {
    struct hc_pass_model *model;
    uint8_t *marks; /* [n_steps][n_workers] */
    int64_t *n;     /* [n_steps] */
};

static void count_row(void *context, const struct hc_pass_row *row)
{
    const struct count *count = context;
    struct hc_pass_model *model = count->model;
    const struct hc_lane_block *lanes = row->block->lanes;
    size_t dp_size = (size_t)model->lanes->dp_size;
    double limit = model->pause_limit[row->pass][row->line];
    for (size_t d = 0; d < dp_size; d++) {
        size_t worker = d * (size_t)model->lanes->n_stages + (size_t)row->stage;
        const double *slow = hc_pass_slow_row(model, row->pass, row->stage, d);
        if (model->some_slow[worker] & 1 << row->pass)
            continue; /* its long passes are its own, and no pauses as others have */
        for (size_t s = 0; s < lanes->n_steps; s++) {
            size_t l = s * dp_size + d;
            double expected = row->center[d] * row->factor[l] * (slow ? slow[lanes->step[s]] : 1);
            if (row->duration[l] <= limit * expected)
                continue;
            model->pauses.n[row->pass]++;
            model->pauses.excess_s[row->pass] += (row->duration[l] - expected) / 1e9;
            if (row->pass == HC_BACKWARD_PASS)
                continue;
            size_t step = lanes->step[s];
            count->marks[step * dp_size * (size_t)model->lanes->n_stages + worker] = 1;
            count->n[step]++;
        }
    }
}

/* Which steps and workers have pauses, and which steps all at once. */
static enum hc_status sum_up(const struct count *count, struct hc_error *err)
{
    struct hc_pauses *pauses = &count->model->pauses;
    const struct hc_step_lanes *lanes = count->model->lanes;
    size_t n_workers = (size_t)lanes->dp_size * (size_t)lanes->n_stages;
    uint8_t *has_pause = hc_new_array(n_workers, sizeof *has_pause, err);
    if (!has_pause)
        return err->status;
    for (size_t step = 0; step < lanes->n_steps; step++) {
        size_t n = 0;
        for (size_t w = 0; w < n_workers; w++) {
            uint8_t mark = count->marks[step * n_workers + w];
            pauses->n_workers += mark && !has_pause[w];
            has_pause[w] |= mark;
            n += mark;
        }
        pauses->n_steps += n > 0;
        if (n < 2 || (double)n < NEARLY_ALL * (double)n_workers)
            continue;
        pauses->n_planned_steps++;
        pauses->n_planned += count->n[step];
    }
    pauses->done = true;
    free(has_pause);
    return HC_OK;
}

enum hc_status hc_pauses_find(struct hc_pass_model *model, struct hc_error *err)
{
    size_t n_workers = (size_t)model->lanes->dp_size * (size_t)model->lanes->n_stages;
    size_t n_steps = model->lanes->n_steps;
    struct count count = {model, hc_new_array(n_steps * n_workers, 1, err),
                          hc_new_array(n_steps, sizeof *count.n, err)};
    enum hc_status status =
        count.marks && count.n ? hc_pass_lines_each(model, find_limit, err) : err->status;
    if (status == HC_OK) {
        hc_pass_rows_each(model, count_row, &count);
        status = sum_up(&count, err);
    }
    free(count.marks);
    free(count.n);
    return status;
}
