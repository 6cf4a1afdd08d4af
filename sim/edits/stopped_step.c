#include "sim/edits/stopped_step.h"

#include "core/base/memory.h"
#include "sim/replay/op_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

/* The step at hand, alone: its durations in a block of one step. */
struct stopping {
    const struct hc_replay_base *base;
    struct hc_op_row row; /* structure and block */
    size_t k;             /* the step in the block */
    uint8_t *is_stopped;  /* [n_workers] */
    size_t n_stopped;
    struct hc_lane_block alone;
    struct hc_error *err;
};

static const struct hc_step_structure *structure_of(const struct stopping *s)
{
    return &s->base->lanes.structures[s->row.structure];
}

/* Workers with a selected op in the step. */
static enum hc_status find_workers(struct stopping *s, const struct hc_selector *select)
{
    const struct hc_step_structure *of = structure_of(s);
    size_t dp_size = (size_t)s->base->lanes.dp_size;
    const struct hc_edit_draws draws = {0, 0, 0};
    struct hc_selection *selection = NULL;
    uint8_t *mask = hc_new_array(HC_SELECTOR_MASKS * hc_replay_widest(s->base), 1, s->err);
    s->is_stopped = hc_new_array(s->base->n_workers, 1, s->err);
    enum hc_status status = mask && s->is_stopped
                                ? hc_selection_new(&selection, select, s->base, &draws, s->err)
                                : s->err->status;
    for (size_t p = 0; p < of->order.n_ops && !status; p++) {
        const struct hc_op_row row = {s->row.structure, s->row.block, p};
        enum hc_selected selected = hc_selection_row(selection, &row, mask);
        for (size_t d = 0; d < dp_size && selected; d++) {
            uint8_t *worker = &s->is_stopped[hc_replay_worker(s->base, d, of->stage[p])];
            bool is_meant = selected == HC_SELECTED_ALL || mask[s->k * dp_size + d];
            s->n_stopped += is_meant && !*worker;
            *worker |= is_meant;
        }
    }
    hc_selection_free(selection);
    free(mask);
    return status;
}

static enum hc_status copy_step(struct stopping *s)
{
    const struct hc_step_structure *of = structure_of(s);
    const struct hc_lane_block *block = &of->blocks[s->row.block];
    size_t dp_size = (size_t)s->base->lanes.dp_size, stride = (dp_size + 7) / 8 * 8;
    s->alone = (struct hc_lane_block){
        .n_steps = 1,
        .n_lanes = dp_size,
        .stride = stride,
        .duration = hc_new_array(of->order.n_ops * stride, sizeof(double), s->err)};
    for (size_t p = 0; p < of->order.n_ops && s->alone.duration; p++)
        memcpy(s->alone.duration + p * stride, block->duration + p * block->stride + s->k * dp_size,
               dp_size * sizeof(double));
    return s->alone.duration ? HC_OK : s->err->status;
}

/* Replay the step once as it is, and again with what has not ended by the moment never ending. */
static enum hc_status stop(struct stopping *s, double at_ns, double *last_ns)
{
    const struct hc_step_structure *of = structure_of(s);
    const struct hc_step_place place = {of, &s->alone, 0};
    struct hc_op_times times = {.n_ops = 0};
    size_t dp_size = (size_t)s->base->lanes.dp_size;
    enum hc_status status =
        hc_op_times_find(&times, &place, s->base->lanes.dp_size, HC_TIMELINE_REPLAYED, s->err);
    for (size_t p = 0; p < of->order.n_ops && !status; p++)
        for (size_t d = 0; d < dp_size; d++)
            if (s->is_stopped[hc_replay_worker(s->base, d, of->stage[p])] &&
                times.end[hc_op_times_index(&times, p, d)] > at_ns)
                s->alone.duration[p * s->alone.stride + d] = INFINITY;
    if (!status)
        status =
            hc_op_times_find(&times, &place, s->base->lanes.dp_size, HC_TIMELINE_REPLAYED, s->err);
    *last_ns = 0;
    for (size_t p = 0; p < of->order.n_ops && !status; p++)
        for (size_t d = 0; d < dp_size; d++) {
            double end = times.end[hc_op_times_index(&times, p, d)];
            if (!s->is_stopped[hc_replay_worker(s->base, d, of->stage[p])] && isfinite(end))
                *last_ns = end > *last_ns ? end : *last_ns;
        }
    hc_op_times_fini(&times);
    return status;
}

/* The step that a moment lies in, as structure, block and step in it. */
static enum hc_status find_step(struct stopping *s, double at_ns, size_t *step)
{
    const struct hc_step_lanes *lanes = &s->base->lanes;
    *step = 0;
    while (*step < lanes->n_steps && (double)s->base->start_ns[*step + 1] <= at_ns)
        ++*step;
    if (at_ns < 0 || *step == lanes->n_steps)
        return hc_fail(s->err, HC_BAD_INPUT,
                       "%.9g s is not within the steps: replayed, they take %.9g s",
                       at_ns / NS_PER_S, (double)s->base->start_ns[lanes->n_steps] / NS_PER_S);
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t n = 0; n < lanes->structures[i].blocks[k].n_steps; n++)
                if (lanes->structures[i].blocks[k].step[n] == *step) {
                    s->row = (struct hc_op_row){i, k, 0};
                    s->k = n;
                }
    return HC_OK;
}

enum hc_status hc_stopped_step_find(struct hc_stopped_step *stopped,
                                    const struct hc_replay_base *base,
                                    const struct hc_selector *select, double at_s, double timeout_s,
                                    struct hc_error *err)
{
    struct stopping s = {.base = base, .err = err};
    size_t step = 0;
    double last_ns = 0, at_ns = at_s * NS_PER_S;
    enum hc_status status = find_step(&s, at_ns, &step);
    double start_ns = status ? 0 : (double)base->start_ns[step];
    if (!status)
        status = find_workers(&s, select);
    if (!status && (!s.n_stopped || s.n_stopped == base->n_workers))
        status = hc_fail(err, HC_BAD_INPUT, "%s",
                         s.n_stopped ? "all workers stop: nobody is left to wait for them"
                                     : "no worker is selected");
    if (!status)
        status = copy_step(&s);
    if (!status)
        status = stop(&s, at_ns - start_ns, &last_ns);
    double last_s = (start_ns + last_ns) / NS_PER_S;
    if (!status)
        *stopped = (struct hc_stopped_step){.step = base->lanes.steps[step],
                                            .at_s = at_s,
                                            .last_completed_s = last_s,
                                            .stops_s = last_s + timeout_s,
                                            .lost_s = last_s + timeout_s - start_ns / NS_PER_S};
    free(s.is_stopped);
    free(s.alone.duration);
    return status;
}
