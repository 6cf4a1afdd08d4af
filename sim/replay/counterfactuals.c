#include "sim/replay/counterfactuals.h"

#include "core/base/memory.h"
#include "sim/replay/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The group of an op, for the partition by op type. */
static int32_t type_group_of(const struct hc_type_groups *groups, const struct hc_graph_op *op)
{
    bool is_first = op->seq_id == 0 && (op->stage == 0 ? op->op_type == HC_FORWARD_COMPUTE
                                                       : op->op_type == HC_FORWARD_RECV);
    return groups->first_op >= 0 && is_first ? groups->first_op : groups->of_type[op->op_type];
}

/* The buffers of one thread. They grow to what its largest task needs and serve one task after the
 * other. */
struct worker {
    const struct hc_counterfactuals *sweeps;
    const struct hc_step_structure *structure; /* of the task at hand */
    const struct hc_lane_block *block;
    struct hc_sweep_space space;
    struct hc_sweep_times times;
    size_t n_times; /* lanes that they hold */
    size_t n_ops;   /* ops that mask and zeros hold */
    uint8_t *mask;
    double *zeros;
    size_t n_rewritten;
    double *rewritten; /* [n_ops][a stride] durations or delays that differ by lane */
    struct hc_error *err;
};

static void times_fini(struct hc_sweep_times *times)
{
    free(times->end);
    free(times->span_start);
    free(times->span_end);
    *times = (struct hc_sweep_times){NULL, NULL, NULL};
}

static void worker_fini(struct worker *w)
{
    hc_sweep_space_fini(&w->space);
    times_fini(&w->times);
    free(w->mask);
    free(w->rewritten);
    free(w->zeros);
}

static enum hc_status fit_times(struct worker *w, size_t n_lanes)
{
    if (n_lanes <= w->n_times)
        return HC_OK;
    times_fini(&w->times);
    w->n_times = 0;
    w->times.end = hc_new_aligned(n_lanes, sizeof(double), w->err);
    w->times.span_start = hc_new_aligned(n_lanes, sizeof(double), w->err);
    w->times.span_end = hc_new_aligned(n_lanes, sizeof(double), w->err);
    if (!w->times.end || !w->times.span_start || !w->times.span_end)
        return w->err->status;
    w->n_times = n_lanes;
    return HC_OK;
}

static enum hc_status fit_ops(struct worker *w, size_t n_ops)
{
    if (n_ops <= w->n_ops)
        return HC_OK;
    free(w->mask);
    free(w->zeros);
    w->n_ops = 0;
    w->mask = hc_new_array(n_ops, 1, w->err);
    w->zeros = hc_new_array(n_ops, sizeof *w->zeros, w->err);
    if (!w->mask || !w->zeros)
        return w->err->status;
    w->n_ops = n_ops;
    return HC_OK;
}

/* Make a block the one at hand, with room for sweeps of up to n_lanes lanes. */
static enum hc_status worker_turn(struct worker *w, const struct hc_step_structure *structure,
                                  const struct hc_lane_block *block, size_t n_lanes)
{
    w->structure = structure;
    w->block = block;
    if (fit_times(w, n_lanes) || fit_ops(w, structure->order.n_ops))
        return w->err->status;
    return hc_sweep_space_fit(&w->space, &structure->order, n_lanes, w->err);
}

/* ---- which ops ---- */

static void mask_stage(struct worker *w, int32_t stage, bool in_stage)
{
    for (size_t p = 0; p < w->structure->order.n_ops; p++)
        w->mask[p] = (w->structure->stage[p] == stage) == in_stage;
}

static void mask_type(struct worker *w, int32_t group)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    for (size_t p = 0; p < graph->n_ops; p++) {
        const struct hc_graph_op *op = &graph->ops[w->structure->order.op_at[p]];
        w->mask[p] = type_group_of(w->sweeps->groups, op) == group;
    }
}

/* Mask the ops whose stage (or op type group) is in the set of the counterfactual. */
static void mask_set(struct worker *w, const struct hc_counterfactual *counterfactual)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    for (size_t p = 0; p < graph->n_ops; p++) {
        const struct hc_graph_op *op = &graph->ops[w->structure->order.op_at[p]];
        int32_t group = counterfactual->kind == HC_SWEEP_STAGES_TRACED
                            ? op->stage
                            : type_group_of(w->sweeps->groups, op);
        w->mask[p] = counterfactual->traced[group];
    }
}

/* ---- durations that differ by lane ---- */

static enum hc_status fit_rewritten(struct worker *w, size_t stride)
{
    size_t n = w->structure->order.n_ops * stride;
    if (n <= w->n_rewritten)
        return HC_OK;
    free(w->rewritten);
    w->n_rewritten = 0;
    w->rewritten = hc_new_aligned(n, sizeof *w->rewritten, w->err);
    if (!w->rewritten)
        return w->err->status;
    w->n_rewritten = n;
    return HC_OK;
}

static bool is_chosen(const struct worker *w, size_t dp_rank, int32_t stage)
{
    return w->sweeps->chosen[dp_rank * (size_t)w->sweeps->lanes->n_stages + (size_t)stage];
}

/* Copy the durations of the block as they are, for a caller that changes some of them. */
static enum hc_status rewrite_nothing(struct worker *w)
{
    if (fit_rewritten(w, w->block->stride))
        return w->err->status;
    memcpy(w->rewritten, w->block->duration,
           w->structure->order.n_ops * w->block->stride * sizeof *w->rewritten);
    return HC_OK;
}

/* Set one worker of the rewritten block to ideal. */
static void idealise_worker(struct worker *w, int32_t worker)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    size_t dp_rank = (size_t)(worker / w->sweeps->lanes->n_stages);
    int32_t stage = worker % w->sweeps->lanes->n_stages;
    for (size_t p = 0; p < w->structure->order.n_ops; p++)
        for (size_t l = dp_rank; w->structure->stage[p] == stage && l < block->n_lanes;
             l += dp_size)
            w->rewritten[p * block->stride + l] = w->structure->ideal[p];
}

/* Copy the durations of the block with the chosen workers ideal. The copy is packed to the lanes of
 * this block (*stride apart): the block may be the first few steps of a larger one
 * (sim/whatif/ideal_slopes.c), whose stride is longer. */
static enum hc_status rewrite_ideal(struct worker *w, size_t *stride)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    *stride = (block->n_lanes + 7) / 8 * 8;
    if (fit_rewritten(w, *stride))
        return w->err->status;
    for (size_t p = 0; p < w->structure->order.n_ops; p++) {
        double *row = w->rewritten + p * *stride;
        memcpy(row, block->duration + p * block->stride, block->n_lanes * sizeof *row);
        for (size_t d = 0; d < dp_size; d++)
            for (size_t l = d; is_chosen(w, d, w->structure->stage[p]) && l < block->n_lanes;
                 l += dp_size)
                row[l] = w->structure->ideal[p];
    }
    return HC_OK;
}

/* List the dp ranks that hold a chosen worker. Only these need a lane of their own: all others are
 * ideal and alike, so one ideal lane stands for them. */
static size_t list_columns(const struct worker *w, size_t *dp_rank)
{
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size, n = 0;
    for (size_t d = 0; d < dp_size; d++)
        for (int32_t s = 0; s < w->sweeps->lanes->n_stages; s++)
            if (is_chosen(w, d, s)) {
                dp_rank[n++] = d;
                break;
            }
    return n;
}

static void fill_traced_columns(struct worker *w, const size_t *dp_rank, size_t n_columns,
                                size_t width)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size, stride = block->n_steps * width;
    for (size_t p = 0; p < w->structure->order.n_ops; p++) {
        double *row = w->rewritten + p * stride;
        for (size_t l = 0; l < stride; l++)
            row[l] = w->structure->ideal[p];
        for (size_t c = 0; c < n_columns; c++) {
            if (!is_chosen(w, dp_rank[c], w->structure->stage[p]))
                continue;
            for (size_t k = 0; k < block->n_steps; k++)
                row[k * width + c] = block->duration[p * block->stride + k * dp_size + dp_rank[c]];
        }
    }
}

/* Write ideal durations with those of the chosen workers as traced: *width lanes a step, one for
 * each dp rank of list_columns and one for the rest. */
static enum hc_status rewrite_traced(struct worker *w, size_t *width)
{
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    size_t *dp_rank = hc_new_array(dp_size, sizeof *dp_rank, w->err);
    if (!dp_rank)
        return w->err->status;
    size_t n_columns = list_columns(w, dp_rank);
    *width = n_columns < dp_size ? n_columns + 1 : n_columns;
    enum hc_status status = fit_rewritten(w, w->block->n_steps * *width);
    if (status == HC_OK)
        fill_traced_columns(w, dp_rank, n_columns, *width);
    free(dp_rank);
    return status;
}

/* Write the launch delays of one dp rank, and 0 for all others. */
static enum hc_status rewrite_delay(struct worker *w, size_t dp_rank)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    if (fit_rewritten(w, block->stride))
        return w->err->status;
    memset(w->rewritten, 0, w->structure->order.n_ops * block->stride * sizeof *w->rewritten);
    for (size_t p = 0; p < w->structure->order.n_ops; p++)
        for (size_t l = dp_rank; l < block->n_lanes; l += dp_size)
            w->rewritten[p * block->stride + l] = block->delay[p * block->stride + l];
    return HC_OK;
}

/* Copy the launch delays of the block and let the caller change some of them. */
static enum hc_status rewrite_delays(struct worker *w, int32_t arg)
{
    if (fit_rewritten(w, w->block->stride))
        return w->err->status;
    memcpy(w->rewritten, w->block->delay,
           w->structure->order.n_ops * w->block->stride * sizeof *w->rewritten);
    w->sweeps->rewrite(w->sweeps->rewrite_context, arg, w->structure, w->block, w->rewritten);
    return HC_OK;
}

/* ---- from counterfactual to sweep ---- */

static struct hc_sweep new_sweep(const struct worker *w)
{
    const struct hc_lane_block *block = w->block;
    return (struct hc_sweep){
        .order = &w->structure->order,
        .duration = {block->duration, block->stride, w->structure->ideal, NULL},
        .n_lanes = block->n_lanes,
        .sync = HC_SYNC_STEP,
        .width = (size_t)w->sweeps->lanes->dp_size,
        .has_negative = w->sweeps->has_negative};
}

/* Mask the ops that keep what was traced (their durations or launch delays). False for kinds that
 * are not told by ops. */
static bool mask_ops(struct worker *w, const struct hc_counterfactual *counterfactual)
{
    switch (counterfactual->kind) {
    case HC_SWEEP_TYPE_TRACED:
    case HC_SWEEP_TYPE_DELAYED:
        mask_type(w, counterfactual->arg);
        return true;
    case HC_SWEEP_STAGE_TRACED:
    case HC_SWEEP_STAGE_DELAYED:
    case HC_SWEEP_WORKER_TRACED:
    case HC_SWEEP_STAGE_IDEAL:
        mask_stage(w, counterfactual->arg, counterfactual->kind != HC_SWEEP_STAGE_IDEAL);
        return true;
    case HC_SWEEP_STAGES_TRACED:
    case HC_SWEEP_TYPES_TRACED:
        mask_set(w, counterfactual);
        return true;
    default:
        return false;
    }
}

/* A counterfactual that changes each lane in its own way needs durations of its own: write them,
 * and let the sweep read those. */
static enum hc_status rewrite_durations(struct worker *w,
                                        const struct hc_counterfactual *counterfactual,
                                        struct hc_sweep *sweep)
{
    enum hc_status status = HC_OK;
    switch (counterfactual->kind) {
    case HC_SWEEP_WORKERS_IDEAL:
        status = rewrite_ideal(w, &sweep->duration.stride);
        break;
    case HC_SWEEP_WORKERS_TRACED:
        status = rewrite_traced(w, &sweep->width);
        sweep->n_lanes = sweep->duration.stride = w->block->n_steps * sweep->width;
        break;
    case HC_SWEEP_FIRST_IDEAL:
    case HC_SWEEP_REWRITTEN:
        status = rewrite_nothing(w);
        if (status == HC_OK && counterfactual->kind == HC_SWEEP_REWRITTEN)
            w->sweeps->rewrite(w->sweeps->rewrite_context, counterfactual->arg, w->structure,
                               w->block, w->rewritten);
        break;
    default:
        return HC_OK;
    }
    sweep->duration.matrix = w->rewritten;
    return status;
}

static enum hc_status set_delays(struct worker *w, const struct hc_counterfactual *counterfactual,
                                 struct hc_sweep *sweep)
{
    const struct hc_lane_block *block = w->block;
    const double *delay = block->delay;
    if (counterfactual->kind == HC_SWEEP_DP_DELAYED) {
        if (rewrite_delay(w, (size_t)counterfactual->arg))
            return w->err->status;
        delay = w->rewritten;
    }
    if (counterfactual->kind == HC_SWEEP_DELAYS_REWRITTEN) {
        if (rewrite_delays(w, counterfactual->arg))
            return w->err->status;
        delay = w->rewritten;
    }
    sweep->delay = (struct hc_rows){delay, block->stride, w->zeros, NULL};
    return HC_OK;
}

static bool is_delayed(enum hc_sweep_kind kind)
{
    return kind == HC_SWEEP_DELAYED || kind == HC_SWEEP_TYPE_DELAYED ||
           kind == HC_SWEEP_STAGE_DELAYED || kind == HC_SWEEP_DP_DELAYED ||
           kind == HC_SWEEP_DELAYS_REWRITTEN;
}

static enum hc_status prepare(struct worker *w, const struct hc_counterfactual *counterfactual,
                              struct hc_sweep *sweep)
{
    *sweep = new_sweep(w);
    bool delayed = is_delayed(counterfactual->kind);
    if (rewrite_durations(w, counterfactual, sweep) ||
        (delayed && set_delays(w, counterfactual, sweep)))
        return w->err->status;
    if (mask_ops(w, counterfactual))
        *(delayed ? &sweep->delay.use_matrix : &sweep->duration.use_matrix) = w->mask;
    bool by_dp_rank = counterfactual->kind == HC_SWEEP_DP_TRACED ||
                      counterfactual->kind == HC_SWEEP_WORKER_TRACED;
    if (by_dp_rank && sweep->width > 1) {
        sweep->sync = HC_SYNC_FOLD;
        sweep->n_lanes = 2 * w->block->n_lanes;
    }
    return HC_OK;
}

/* From times of lanes to times of steps: the latest end and earliest start over the lanes of each
 * step. */
static void reduce_steps(const struct worker *w, const struct hc_sweep *sweep,
                         const struct hc_counterfactual *counterfactual)
{
    for (size_t k = 0; k < w->block->n_steps; k++) {
        double end = -INFINITY, span_end = -INFINITY, span_start = INFINITY;
        for (size_t l = k * sweep->width; l < (k + 1) * sweep->width; l++) {
            end = fmax(end, w->times.end[l]);
            span_end = fmax(span_end, w->times.span_end[l]);
            span_start = fmin(span_start, w->times.span_start[l]);
        }
        size_t step = w->block->step[k];
        if (counterfactual->end_ns)
            counterfactual->end_ns[step] = (int64_t)end;
        if (counterfactual->span_ns)
            counterfactual->span_ns[step] = (int64_t)(span_end - span_start);
    }
}

/* From times of lanes to ends of steps, one for each dp rank: with dp rank d (or a worker of it)
 * traced and all others ideal, a step ends with the lane of d or with the ideal lane, whichever is
 * later. */
static void reduce_dp_ranks(const struct worker *w, const struct hc_sweep *sweep,
                            const struct hc_counterfactual *counterfactual)
{
    const struct hc_step_lanes *lanes = w->sweeps->lanes;
    size_t half = w->block->n_lanes, dp_size = (size_t)lanes->dp_size;
    size_t row = lanes->n_steps, first = 0;
    if (counterfactual->kind == HC_SWEEP_WORKER_TRACED) {
        row *= (size_t)lanes->n_stages;
        first = (size_t)counterfactual->arg * lanes->n_steps;
    }
    for (size_t l = 0; l < half; l++) {
        double end = w->times.end[l];
        if (sweep->sync == HC_SYNC_FOLD)
            end = fmax(end, w->times.end[l + half]);
        counterfactual->end_ns[first + l % dp_size * row + w->block->step[l / dp_size]] =
            (int64_t)end;
    }
}

/* Sweep once for each size of the fix, setting further workers to ideal in between. */
static void sweep_fixes(struct worker *w, const struct hc_sweep *sweep,
                        const struct hc_counterfactual *counterfactual)
{
    size_t n_ideal = 0;
    for (size_t i = 0; i < counterfactual->fix->n_sizes; i++) {
        while (n_ideal < counterfactual->fix->size[i])
            idealise_worker(w, counterfactual->fix->worker[n_ideal++]);
        struct hc_counterfactual one = {.kind = counterfactual->kind,
                                        .span_ns = counterfactual->span_ns +
                                                   i * w->sweeps->lanes->n_steps};
        hc_sweep_run(sweep, &w->space, &w->times);
        reduce_steps(w, sweep, &one);
    }
}

/* ---- all counterfactuals over all blocks ---- */

struct task {
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    const struct hc_counterfactual *counterfactual;
};

static enum hc_status sweep_task(struct worker *w, const struct task *task)
{
    const struct hc_counterfactual *counterfactual = task->counterfactual;
    struct hc_sweep sweep;
    if (worker_turn(w, task->structure, task->block, 2 * task->block->n_lanes) ||
        prepare(w, counterfactual, &sweep))
        return w->err->status;
    if (counterfactual->kind == HC_SWEEP_FIRST_IDEAL) {
        sweep_fixes(w, &sweep, counterfactual);
        return HC_OK;
    }
    hc_sweep_run(&sweep, &w->space, &w->times);
    if (counterfactual->kind == HC_SWEEP_DP_TRACED ||
        counterfactual->kind == HC_SWEEP_WORKER_TRACED)
        reduce_dp_ranks(w, &sweep, counterfactual);
    else
        reduce_steps(w, &sweep, counterfactual);
    return HC_OK;
}

/* One task for each block and counterfactual, all those of a block in a row: its durations are
 * swept by every counterfactual while they are in cache. */
static struct task *new_tasks(const struct hc_step_lanes *lanes,
                              const struct hc_counterfactual *counterfactuals, size_t n,
                              size_t *n_tasks, struct hc_error *err)
{
    size_t n_blocks = 0;
    for (size_t i = 0; i < lanes->n_structures; i++)
        n_blocks += lanes->structures[i].n_blocks;
    struct task *tasks = hc_new_array(n_blocks * n, sizeof *tasks, err);
    *n_tasks = 0;
    for (size_t i = 0; tasks && i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t s = 0; s < n; s++)
                tasks[(*n_tasks)++] = (struct task){
                    &lanes->structures[i], &lanes->structures[i].blocks[k], &counterfactuals[s]};
    return tasks;
}

enum hc_status hc_counterfactuals_run(const struct hc_counterfactuals *sweeps,
                                      const struct hc_counterfactual *counterfactuals, size_t n,
                                      struct hc_error *err)
{
    size_t n_tasks = 0;
    struct task *tasks = new_tasks(sweeps->lanes, counterfactuals, n, &n_tasks, err);
    if (!tasks)
        return err->status;
    enum hc_status status = HC_OK;
#pragma omp parallel
    {
        struct hc_error own;
        struct worker w = {.sweeps = sweeps, .err = &own};
#pragma omp for schedule(dynamic)
        for (size_t t = 0; t < n_tasks; t++)
            if (sweep_task(&w, &tasks[t])) {
#pragma omp critical(hc_counterfactuals)
                {
                    *err = own;
                    status = own.status;
                }
            }
        worker_fini(&w);
    }
    free(tasks);
    return status;
}

enum hc_status hc_sweep_ideal(struct hc_step_lanes *lanes, bool has_negative, struct hc_error *err)
{
    for (size_t i = 0; i < lanes->n_structures; i++) {
        struct hc_step_structure *structure = &lanes->structures[i];
        struct hc_sweep_space space;
        double end, span_start, span_end;
        struct hc_sweep_times times = {&end, &span_start, &span_end};
        struct hc_sweep sweep = {.order = &structure->order,
                                 .duration = {NULL, 0, structure->ideal, NULL},
                                 .n_lanes = 1,
                                 .width = 1,
                                 .has_negative = has_negative};
        if (hc_sweep_space_init(&space, &structure->order, 1, err))
            return err->status;
        hc_sweep_run(&sweep, &space, &times);
        hc_sweep_space_fini(&space);
        structure->ideal_end = end;
        structure->ideal_span = span_end - span_start;
    }
    return HC_OK;
}
