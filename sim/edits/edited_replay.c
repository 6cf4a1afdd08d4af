#include "sim/edits/edited_replay.h"

#include "core/base/memory.h"
#include "sim/edits/changed_median.h"
#include "sim/edits/replay_shared.h"
#include "sim/replay/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scratch of sweeps. */
struct replaying {
    const struct hc_edited_lanes *lanes;
    struct hc_sweep_space space;
    struct hc_sweep_times at; /* [widest block] */
    double *zeros;            /* [n_ops of the largest structure] */
    double *ideal;            /* [the same] */
    struct hc_error *err;
};

static size_t most_ops(const struct hc_step_lanes *lanes)
{
    size_t most = 0;
    for (size_t i = 0; i < lanes->n_structures; i++)
        if (lanes->structures[i].order.n_ops > most)
            most = lanes->structures[i].order.n_ops;
    return most;
}

static enum hc_status replaying_init(struct replaying *r)
{
    size_t widest = hc_replay_widest(r->lanes->base), n_ops = most_ops(&r->lanes->base->lanes);
    r->at.end = hc_new_aligned(widest, sizeof(double), r->err);
    r->at.span_start = hc_new_aligned(widest, sizeof(double), r->err);
    r->at.span_end = hc_new_aligned(widest, sizeof(double), r->err);
    r->zeros = hc_new_array(n_ops, sizeof(double), r->err);
    r->ideal = hc_new_array(n_ops, sizeof(double), r->err);
    return r->at.end && r->at.span_start && r->at.span_end && r->zeros && r->ideal ? HC_OK
                                                                                   : r->err->status;
}

static void replaying_fini(struct replaying *r)
{
    hc_sweep_space_fini(&r->space);
    free(r->at.end);
    free(r->at.span_start);
    free(r->at.span_end);
    free(r->zeros);
    free(r->ideal);
}

/* ---- the edited steps ---- */

static void add_steps(const struct replaying *r, const struct hc_lane_block *block,
                      struct hc_edited_times *times)
{
    size_t width = (size_t)r->lanes->base->lanes.dp_size;
    for (size_t k = 0; k < block->n_steps; k++) {
        double end = -INFINITY, span_end = -INFINITY, span_start = INFINITY;
        for (size_t l = k * width; l < (k + 1) * width; l++) {
            end = fmax(end, r->at.end[l]);
            span_end = fmax(span_end, r->at.span_end[l]);
            span_start = fmin(span_start, r->at.span_start[l]);
        }
        times->end[block->step[k]] += end + r->lanes->extra_ns[block->step[k]];
        times->span[block->step[k]] += span_end - span_start + r->lanes->extra_ns[block->step[k]];
    }
}

/* Sweep a block with so many lanes for the dp ranks of a step; the times of its lanes are in r->at
 * then. */
static enum hc_status sweep_block(struct replaying *r, size_t i, size_t k, size_t width)
{
    const struct hc_edited_lanes *lanes = r->lanes;
    const struct hc_step_structure *structure = &lanes->base->lanes.structures[i];
    const struct hc_lane_block *block = &structure->blocks[k];
    bool has_delays = lanes->delays.duration;
    struct hc_sweep sweep = {.order = &structure->order,
                             .duration = {lanes->rows.duration[i][k], block->stride, NULL, NULL},
                             .n_lanes = block->n_lanes,
                             .sync = HC_SYNC_STEP,
                             .width = width,
                             /* With delays no op may start at 0. */
                             .has_negative = lanes->has_negative || has_delays};
    if (has_delays)
        sweep.delay = (struct hc_rows){lanes->delays.duration[i][k], block->stride, r->zeros, NULL};
    if (hc_sweep_space_fit(&r->space, &structure->order, block->n_lanes, r->err))
        return r->err->status;
    hc_sweep_run(&sweep, &r->space, &r->at);
    return HC_OK;
}

enum hc_status hc_edited_columns(const struct hc_edited_lanes *lanes, double *span_ns,
                                 struct hc_error *err)
{
    struct replaying r = {.lanes = lanes, .err = err};
    size_t dp_size = (size_t)lanes->base->lanes.dp_size;
    enum hc_status status = replaying_init(&r);
    for (size_t i = 0; i < lanes->base->lanes.n_structures && !status; i++)
        for (size_t k = 0; k < lanes->base->lanes.structures[i].n_blocks && !status; k++) {
            const struct hc_lane_block *block = &lanes->base->lanes.structures[i].blocks[k];
            status = sweep_block(&r, i, k, 1);
            for (size_t l = 0; l < block->n_lanes && !status; l++)
                span_ns[block->step[l / dp_size] * dp_size + l % dp_size] =
                    r.at.span_end[l] - r.at.span_start[l];
        }
    replaying_fini(&r);
    return status;
}

/* ---- their ideal ---- */

/* All durations of a type as they are now. */
static void take_all(const struct hc_edited_lanes *lanes, int op_type,
                     struct hc_changed_values *values)
{
    for (size_t i = 0; i < lanes->base->lanes.n_structures; i++) {
        const struct hc_step_structure *of = &lanes->base->lanes.structures[i];
        for (size_t k = 0; k < of->n_blocks; k++) {
            const struct hc_lane_block *block = &of->blocks[k];
            const double *rows = lanes->rows.duration[i][k];
            for (size_t p = 0; p < of->order.n_ops; p++)
                if (of->op_type[p] == op_type) {
                    memcpy(values->after + values->n_after, rows + p * block->stride,
                           block->n_lanes * sizeof *rows);
                    values->n_after += block->n_lanes;
                }
        }
    }
}

/* Those of its durations that were changed, beside what all were. */
static void take_changed(const struct hc_edited_lanes *lanes, int op_type, size_t n,
                         struct hc_changed_values *values)
{
    const struct hc_change_log *log = &lanes->work->changes[op_type];
    values->sorted = lanes->base->sorted_ns[op_type];
    values->n = n;
    values->n_before = values->n_after = log->n;
    memcpy(values->before, log->before, log->n * sizeof *log->before);
    memcpy(values->after, log->after, log->n * sizeof *log->after);
}

/* The median of the n durations of a type, of which some were changed. */
static enum hc_status find_median(const struct hc_edited_lanes *lanes, int op_type, size_t n,
                                  double *median_ns, struct hc_error *err)
{
    const struct hc_change_log *log = &lanes->work->changes[op_type];
    size_t n_before = log->has_more ? 0 : log->n, n_after = log->has_more ? n : log->n;
    double *room = hc_new_aligned(n_before + n_after, sizeof *room, err);
    struct hc_changed_values values = {.before = room, .after = room ? room + n_before : NULL};
    if (!room)
        return err->status;
    if (log->has_more)
        take_all(lanes, op_type, &values);
    else
        take_changed(lanes, op_type, n, &values);
    *median_ns = hc_changed_median(&values);
    free(room);
    return HC_OK;
}

enum hc_status hc_edited_ideal(const struct hc_edited_lanes *lanes, int op_type, double *ideal_ns,
                               struct hc_error *err)
{
    const struct hc_ideals *untouched = &lanes->base->ideals;
    *ideal_ns = (double)untouched->duration_ns[op_type];
    if (!(lanes->touched >> op_type & 1) || !untouched->n[op_type])
        return HC_OK;
    int64_t n = untouched->n[op_type];
    if (hc_ideal_is_mean(op_type)) {
        hc_wide_ns sum_ns = lanes->base->sum_ns[op_type] + lanes->more_ns[op_type];
        int64_t quotient = (int64_t)(sum_ns / n), rest = (int64_t)(sum_ns % n);
        *ideal_ns = (double)(quotient + (rest >= n - rest));
        return HC_OK;
    }
    return find_median(lanes, op_type, (size_t)n, ideal_ns, err);
}

static enum hc_status sweep_ideal(struct replaying *r, const struct hc_step_structure *structure,
                                  const double *of_type, struct hc_edited_times *times)
{
    double end, span_start, span_end;
    struct hc_sweep_times at = {&end, &span_start, &span_end};
    struct hc_sweep sweep = {.order = &structure->order,
                             .duration = {NULL, 0, r->ideal, NULL},
                             .n_lanes = 1,
                             .width = 1,
                             .has_negative = r->lanes->has_negative};
    for (size_t p = 0; p < structure->order.n_ops; p++)
        r->ideal[p] = of_type[structure->op_type[p]];
    if (hc_sweep_space_fit(&r->space, &structure->order, 1, r->err))
        return r->err->status;
    hc_sweep_run(&sweep, &r->space, &at);
    for (size_t k = 0; k < structure->n_blocks; k++)
        for (size_t s = 0; s < structure->blocks[k].n_steps; s++) {
            times->ideal_end[structure->blocks[k].step[s]] += end;
            times->ideal_span[structure->blocks[k].step[s]] += span_end - span_start;
        }
    return HC_OK;
}

enum hc_status hc_edited_replay(struct hc_edited_times *times, const struct hc_edited_lanes *lanes,
                                struct hc_error *err)
{
    struct replaying r = {.lanes = lanes, .err = err};
    double of_type[HC_N_OP_TYPES];
    enum hc_status status = replaying_init(&r);
    for (int type = 0; type < HC_N_OP_TYPES && !status; type++)
        status = hc_edited_ideal(lanes, type, &of_type[type], err);
    for (size_t i = 0; i < lanes->base->lanes.n_structures && !status; i++) {
        const struct hc_step_structure *structure = &lanes->base->lanes.structures[i];
        if (structure->n_blocks)
            status = sweep_ideal(&r, structure, of_type, times);
        /* Backwards: what was edited last is still in the second cache. */
        for (size_t k = structure->n_blocks; k-- > 0 && !status;) {
            status = sweep_block(&r, i, k, (size_t)lanes->base->lanes.dp_size);
            if (!status)
                add_steps(&r, &structure->blocks[k], times);
        }
    }
    replaying_fini(&r);
    return status;
}
