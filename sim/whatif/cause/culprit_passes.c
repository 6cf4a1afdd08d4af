/* culprit_passes.c - the figures of a culprit of which some passes are slow: in which steps, how
 * many of them, and how slow. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "models/stats/binomial_interval.h"
#include "models/stats/student.h"

#include <math.h>
#include <stdlib.h>

struct tally {
    const struct hc_pass_model *model;
    const int32_t *culprit_of; /* [n_workers] */
    int32_t culprit;
    /* [n_steps] of the kinds of passes of which some are slow. */
    int64_t *n, *n_slow;
    double *ratio[HC_N_PASSES];      /* sums over slow passes, over what is expected */
    int64_t *n_slow_of[HC_N_PASSES]; /* how many */
};

static void tally_row(void *context, const struct hc_pass_row *row)
{
    struct tally *tally = context;
    const struct hc_pass_model *model = tally->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    double limit = model->slow_pass_limit[row->pass][row->line];
    for (size_t d = 0; d < dp_size; d++) {
        size_t worker = d * n_stages + (size_t)row->stage;
        if (tally->culprit_of[worker] != tally->culprit ||
            !(model->some_slow[worker] & 1 << row->pass))
            continue;
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            size_t step = row->block->lanes->step[s];
            double ratio = row->duration[s * dp_size + d] / hc_expected_pass_ns(model, row, d, s);
            tally->n[step]++;
            if (ratio <= limit)
                continue;
            tally->n_slow[step]++;
            tally->n_slow_of[row->pass][step]++;
            tally->ratio[row->pass][step] += ratio;
        }
    }
}

/* The mean ratio of slow passes, over the steps that have some. values: [n_steps] scratch. */
static struct hc_measured factor_of(const struct tally *tally, int pass, size_t n_steps,
                                    double *values)
{
    size_t n = 0;
    for (size_t t = 0; t < n_steps; t++)
        if (tally->n_slow_of[pass][t] > 0)
            values[n++] = tally->ratio[pass][t] / (double)tally->n_slow_of[pass][t];
    return hc_mean_of_steps(values, n);
}

static void fill(struct hc_culprit *culprit, const struct tally *tally, size_t n_steps,
                 double *values)
{
    int64_t n = 0, n_slow = 0;
    uint8_t passes = 0;
    for (size_t t = 0; t < n_steps; t++) {
        culprit->is_slow[t] = tally->n_slow[t] > 0;
        n += culprit->is_slow[t] ? tally->n[t] : 0;
        n_slow += tally->n_slow[t];
    }
    for (size_t i = 0; i < culprit->n_members; i++)
        passes |= tally->model->some_slow[culprit->members[i]];
    culprit->pass_duty.value = n ? (double)n_slow / (double)n : NAN;
    hc_binomial_interval((size_t)n_slow, (size_t)n, HC_CONFIDENCE, &culprit->pass_duty.low,
                         &culprit->pass_duty.high);
    culprit->forward_factor = factor_of(tally, HC_FORWARD_PASS, n_steps, values);
    culprit->backward_factor = factor_of(tally, HC_BACKWARD_PASS, n_steps, values);
    culprit->transfer_factor = (struct hc_measured){NAN, NAN, NAN};
    bool forward = passes & 1 << HC_FORWARD_PASS, backward = passes & 1 << HC_BACKWARD_PASS;
    culprit->ops = forward && backward ? HC_SLOW_PASSES
                   : forward           ? HC_SLOW_FORWARD
                                       : HC_SLOW_BACKWARD;
    culprit->factor = backward ? culprit->backward_factor : culprit->forward_factor;
}

enum hc_status hc_culprit_measure_passes(struct hc_straggler_cause_search *search, size_t number)
{
    struct hc_error *err = search->analysis->err;
    struct hc_culprit *culprit = &search->analysis->result->depth.culprits.culprits[number];
    size_t n_steps = search->analysis->result->n_steps;
    struct tally tally = {.model = &search->model,
                          .culprit_of = search->remedies.some_passes_of,
                          .culprit = (int32_t)number};
    double *values = hc_new_array(3 * n_steps, sizeof *values, err);
    int64_t *counts = hc_new_array(4 * n_steps, sizeof *counts, err);
    if (values && counts) {
        tally.n = counts;
        tally.n_slow = counts + n_steps;
        for (int p = 0; p < HC_N_PASSES; p++) {
            tally.n_slow_of[p] = counts + (size_t)(2 + p) * n_steps;
            tally.ratio[p] = values + (size_t)(1 + p) * n_steps;
        }
        hc_pass_rows_each(&search->model, tally_row, &tally);
        fill(culprit, &tally, n_steps, values);
    }
    free(values);
    free(counts);
    return values && counts ? HC_OK : err->status;
}
