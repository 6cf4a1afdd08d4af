/* Part of the work of a stage moved to others: each selected pass is shorter by a fraction, and
 * that fraction of what the stage takes for a microbatch on average is added to the passes of the
 * other stages, in equal parts. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* What selected passes of a stage take on average, as edited so far, and when it gives. */
struct stage_work {
    size_t n_stages;
    double *sum_ns;    /* [2][n_stages] forward, backward: of selected passes, before they change */
    double *n;         /* [2][n_stages] how many of them */
    double *moved_ns;  /* [2][n_stages] of each pass to all takers together */
    uint8_t *gives;    /* [n_steps][n_stages] it has selected passes in the step */
    uint8_t *is_giver; /* [n_stages] in any */
    size_t n_takers;
};

static size_t direction_of(int op_type)
{
    return op_type == HC_BACKWARD_COMPUTE;
}

static enum hc_status weigh(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    struct stage_work *work = context;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t stage = (size_t)of->stage[row->position];
    size_t at = direction_of(of->op_type[row->position]) * work->n_stages + stage;
    if (!hc_op_is_pass(of->op_type[row->position]))
        return HC_OK;
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    const double *now_ns = hc_applying_durations(a, row);
    size_t dp_size = (size_t)a->lanes->base->lanes.dp_size;
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        if (!hc_applying_is_meant(a, selected, l))
            continue;
        work->is_giver[stage] = 1;
        work->gives[of->blocks[row->block].step[l / dp_size] * work->n_stages + stage] = 1;
        work->sum_ns[at] += now_ns[l];
        work->n[at]++;
    }
    return HC_OK;
}

/* The stages that take what stage `giver` gives. */
static bool takes(const struct hc_applying *a, const struct stage_work *work, size_t stage)
{
    return !work->is_giver[stage] && hc_stages_include(&a->edit->repartition.to, (int32_t)stage,
                                                       a->lanes->base->lanes.n_stages);
}

static enum hc_status share_out(struct hc_applying *a, struct stage_work *work)
{
    for (size_t s = 0; s < work->n_stages; s++)
        work->n_takers += takes(a, work, s);
    if (!work->n_takers)
        return hc_fail(a->err, HC_BAD_INPUT,
                       "repartition: no stage is left to take what the selected ones give");
    for (size_t at = 0; at < 2 * work->n_stages; at++)
        if (work->n[at] > 0)
            work->moved_ns[at] =
                a->edit->repartition.move_fraction * work->sum_ns[at] / work->n[at];
    return HC_OK;
}

/* What a pass of a taker gets in a step. */
static double taken_ns(const struct stage_work *work, size_t direction, size_t step)
{
    double sum = 0;
    for (size_t s = 0; s < work->n_stages; s++)
        if (work->gives[step * work->n_stages + s])
            sum += work->moved_ns[direction * work->n_stages + s];
    return sum / (double)work->n_takers;
}

static enum hc_status move(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    const struct stage_work *work = context;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t stage = (size_t)of->stage[row->position];
    size_t direction = direction_of(of->op_type[row->position]);
    size_t dp_size = (size_t)a->lanes->base->lanes.dp_size;
    if (!hc_op_is_pass(of->op_type[row->position]))
        return HC_OK;
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    const double *now_ns = hc_applying_durations(a, row);
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        bool is_meant = hc_applying_is_meant(a, selected, l);
        size_t step = of->blocks[row->block].step[l / dp_size];
        double then_ns = is_meant ? now_ns[l] * (1 - a->edit->repartition.move_fraction)
                                  : now_ns[l] + taken_ns(work, direction, step);
        if ((is_meant || takes(a, work, stage)) && hc_applying_put(a, row, l, hc_whole_ns(then_ns)))
            return a->err->status;
    }
    return HC_OK;
}

enum hc_status hc_apply_repartition(struct hc_applying *a)
{
    size_t n = (size_t)a->lanes->base->lanes.n_stages;
    struct stage_work work = {.n_stages = n,
                              .sum_ns = hc_new_array(2 * n, sizeof(double), a->err),
                              .n = hc_new_array(2 * n, sizeof(double), a->err),
                              .moved_ns = hc_new_array(2 * n, sizeof(double), a->err),
                              .gives = hc_new_array(n * a->lanes->base->lanes.n_steps, 1, a->err),
                              .is_giver = hc_new_array(n, 1, a->err)};
    enum hc_status status = HC_INTERNAL;
    if (work.sum_ns && work.n && work.moved_ns && work.gives && work.is_giver)
        status = hc_applying_each_row(a, weigh, &work);
    bool is_any = false;
    for (size_t s = 0; s < n && !status; s++)
        is_any |= work.is_giver[s] != 0;
    if (!status && is_any)
        status = share_out(a, &work);
    if (!status && is_any)
        status = hc_applying_each_row(a, move, &work);
    free(work.sum_ns);
    free(work.n);
    free(work.moved_ns);
    free(work.gives);
    free(work.is_giver);
    return status;
}
