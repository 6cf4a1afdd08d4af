#include "sim/scenario_sweeps.h"

#include "core/memory.h"
#include "sim/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int32_t hc_type_group_of(const struct hc_type_groups *groups, const struct hc_graph_op *op)
{
    bool is_first = op->seq_id == 0 && (op->stage == 0 ? op->op_type == HC_FORWARD_COMPUTE
                                                       : op->op_type == HC_FORWARD_RECV);
    return groups->first_op >= 0 && is_first ? groups->first_op : groups->of_type[op->op_type];
}

/* What one thread needs to sweep any scenario over a block. */
struct worker {
    const struct hc_scenario_sweeps *sweeps;
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    struct hc_sweep_space space;
    struct hc_sweep_times times;
    uint8_t *mask;     /* [n_ops] */
    double *rewritten; /* [n_ops][stride] durations or delays that differ by lane, or NULL */
    double *zeros;     /* [n_ops] */
    struct hc_error *err;
};

static void worker_fini(struct worker *w)
{
    hc_sweep_space_fini(&w->space);
    free(w->times.end);
    free(w->times.span_start);
    free(w->times.span_end);
    free(w->mask);
    free(w->rewritten);
    free(w->zeros);
}

static enum hc_status worker_init(struct worker *w, size_t n_lanes)
{
    size_t n_ops = w->structure->plan.n_ops;
    w->times.end = hc_new_aligned(n_lanes, sizeof(double), w->err);
    w->times.span_start = hc_new_aligned(n_lanes, sizeof(double), w->err);
    w->times.span_end = hc_new_aligned(n_lanes, sizeof(double), w->err);
    w->mask = hc_new_array(n_ops, 1, w->err);
    w->zeros = hc_new_array(n_ops, sizeof *w->zeros, w->err);
    if (!w->times.end || !w->times.span_start || !w->times.span_end || !w->mask || !w->zeros)
        return w->err->status;
    return hc_sweep_space_init(&w->space, &w->structure->plan, n_lanes, w->err);
}

/* ---- which ops ---- */

static void mask_stage(struct worker *w, int32_t stage, bool in_stage)
{
    for (size_t p = 0; p < w->structure->plan.n_ops; p++)
        w->mask[p] = (w->structure->stage[p] == stage) == in_stage;
}

static void mask_type(struct worker *w, int32_t group)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    for (size_t p = 0; p < graph->n_ops; p++) {
        const struct hc_graph_op *op = &graph->ops[w->structure->plan.op_at[p]];
        w->mask[p] = hc_type_group_of(w->sweeps->groups, op) == group;
    }
}

/* The ops whose stage, or op type group, is in the set. */
static void mask_set(struct worker *w, const struct hc_sweep_scenario *scenario)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    for (size_t p = 0; p < graph->n_ops; p++) {
        const struct hc_graph_op *op = &graph->ops[w->structure->plan.op_at[p]];
        int32_t group = scenario->kind == HC_SWEEP_STAGES_TRACED
                            ? op->stage
                            : hc_type_group_of(w->sweeps->groups, op);
        w->mask[p] = scenario->traced[group];
    }
}

/* ---- durations that differ by lane ---- */

static enum hc_status allocate_rewritten(struct worker *w, size_t stride)
{
    w->rewritten = hc_new_aligned(w->structure->plan.n_ops * stride, sizeof *w->rewritten, w->err);
    return w->rewritten ? HC_OK : w->err->status;
}

static bool is_chosen(const struct worker *w, size_t dp_rank, int32_t stage)
{
    return w->sweeps->chosen[dp_rank * (size_t)w->sweeps->lanes->n_stages + (size_t)stage];
}

/* A copy of the block, to be changed. */
static enum hc_status rewrite_nothing(struct worker *w)
{
    if (allocate_rewritten(w, w->block->stride))
        return w->err->status;
    memcpy(w->rewritten, w->block->duration,
           w->structure->plan.n_ops * w->block->stride * sizeof *w->rewritten);
    return HC_OK;
}

/* Set one worker of the rewritten block to ideal. */
static void idealise_worker(struct worker *w, int32_t worker)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    size_t dp_rank = (size_t)(worker / w->sweeps->lanes->n_stages);
    int32_t stage = worker % w->sweeps->lanes->n_stages;
    for (size_t p = 0; p < w->structure->plan.n_ops; p++)
        for (size_t l = dp_rank; w->structure->stage[p] == stage && l < block->n_lanes;
             l += dp_size)
            w->rewritten[p * block->stride + l] = w->structure->ideal[p];
}

/* The block with the chosen workers ideal. */
static enum hc_status rewrite_ideal(struct worker *w)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    if (rewrite_nothing(w))
        return w->err->status;
    for (size_t p = 0; p < w->structure->plan.n_ops; p++)
        for (size_t d = 0; d < dp_size; d++) {
            if (!is_chosen(w, d, w->structure->stage[p]))
                continue;
            for (size_t l = d; l < block->n_lanes; l += dp_size)
                w->rewritten[p * block->stride + l] = w->structure->ideal[p];
        }
    return HC_OK;
}

/* dp ranks that hold a chosen worker; they and one ideal stand-in for all others are enough. */
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
    for (size_t p = 0; p < w->structure->plan.n_ops; p++) {
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

/* The ideal with the chosen workers traced: *width columns a step. */
static enum hc_status rewrite_traced(struct worker *w, size_t *width)
{
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    size_t *dp_rank = hc_new_array(dp_size, sizeof *dp_rank, w->err);
    if (!dp_rank)
        return w->err->status;
    size_t n_columns = list_columns(w, dp_rank);
    *width = n_columns < dp_size ? n_columns + 1 : n_columns;
    enum hc_status status = allocate_rewritten(w, w->block->n_steps * *width);
    if (status == HC_OK)
        fill_traced_columns(w, dp_rank, n_columns, *width);
    free(dp_rank);
    return status;
}

/* Launch delays of one dp rank, none elsewhere. */
static enum hc_status rewrite_delay(struct worker *w, size_t dp_rank)
{
    const struct hc_lane_block *block = w->block;
    size_t dp_size = (size_t)w->sweeps->lanes->dp_size;
    if (allocate_rewritten(w, block->stride))
        return w->err->status;
    memset(w->rewritten, 0, w->structure->plan.n_ops * block->stride * sizeof *w->rewritten);
    for (size_t p = 0; p < w->structure->plan.n_ops; p++)
        for (size_t l = dp_rank; l < block->n_lanes; l += dp_size)
            w->rewritten[p * block->stride + l] = block->delay[p * block->stride + l];
    return HC_OK;
}

/* ---- from scenario to sweep ---- */

static struct hc_sweep new_sweep(const struct worker *w)
{
    const struct hc_lane_block *block = w->block;
    return (struct hc_sweep){
        .plan = &w->structure->plan,
        .duration = {block->duration, block->stride, w->structure->ideal, NULL},
        .n_lanes = block->n_lanes,
        .sync = HC_SYNC_STEP,
        .width = (size_t)w->sweeps->lanes->dp_size,
        .has_negative = w->sweeps->has_negative};
}

static enum hc_status prepare(struct worker *w, const struct hc_sweep_scenario *scenario,
                              struct hc_sweep *sweep)
{
    const struct hc_lane_block *block = w->block;
    *sweep = new_sweep(w);
    switch (scenario->kind) {
    case HC_SWEEP_REPLAYED:
        return HC_OK;
    case HC_SWEEP_DELAYED:
        sweep->delay = (struct hc_rows){block->delay, block->stride, w->zeros, NULL};
        return HC_OK;
    case HC_SWEEP_TYPE_TRACED:
        mask_type(w, scenario->arg);
        sweep->duration.use_matrix = w->mask;
        return HC_OK;
    case HC_SWEEP_STAGE_TRACED:
    case HC_SWEEP_STAGE_IDEAL:
        mask_stage(w, scenario->arg, scenario->kind == HC_SWEEP_STAGE_TRACED);
        sweep->duration.use_matrix = w->mask;
        return HC_OK;
    case HC_SWEEP_STAGES_TRACED:
    case HC_SWEEP_TYPES_TRACED:
        mask_set(w, scenario);
        sweep->duration.use_matrix = w->mask;
        return HC_OK;
    case HC_SWEEP_WORKER_TRACED:
    case HC_SWEEP_DP_TRACED:
        if (scenario->kind == HC_SWEEP_WORKER_TRACED) {
            mask_stage(w, scenario->arg, true);
            sweep->duration.use_matrix = w->mask;
        }
        if (sweep->width > 1) {
            sweep->sync = HC_SYNC_FOLD;
            sweep->n_lanes = 2 * block->n_lanes;
        }
        return HC_OK;
    case HC_SWEEP_FIRST_IDEAL:
    case HC_SWEEP_WORKERS_IDEAL:
        if (scenario->kind == HC_SWEEP_FIRST_IDEAL ? rewrite_nothing(w) : rewrite_ideal(w))
            return w->err->status;
        sweep->duration.matrix = w->rewritten;
        return HC_OK;
    case HC_SWEEP_WORKERS_TRACED:
        if (rewrite_traced(w, &sweep->width))
            return w->err->status;
        sweep->n_lanes = sweep->duration.stride = block->n_steps * sweep->width;
        sweep->duration.matrix = w->rewritten;
        return HC_OK;
    case HC_SWEEP_TYPE_DELAYED:
        mask_type(w, scenario->arg);
        sweep->delay = (struct hc_rows){block->delay, block->stride, w->zeros, w->mask};
        return HC_OK;
    case HC_SWEEP_STAGE_DELAYED:
        mask_stage(w, scenario->arg, true);
        sweep->delay = (struct hc_rows){block->delay, block->stride, w->zeros, w->mask};
        return HC_OK;
    case HC_SWEEP_DP_DELAYED:
        if (rewrite_delay(w, (size_t)scenario->arg))
            return w->err->status;
        sweep->delay = (struct hc_rows){w->rewritten, block->stride, w->zeros, NULL};
        return HC_OK;
    case HC_SWEEP_REWRITTEN:
        if (rewrite_nothing(w))
            return w->err->status;
        w->sweeps->rewrite(w->sweeps->rewrite_context, scenario->arg, w->structure, block,
                           w->rewritten);
        sweep->duration.matrix = w->rewritten;
        return HC_OK;
    }
    return HC_OK;
}

/* Times of the steps of a block: the latest (and earliest) over the lanes of each. */
static void reduce_steps(const struct worker *w, const struct hc_sweep *sweep,
                         const struct hc_sweep_scenario *scenario)
{
    for (size_t k = 0; k < w->block->n_steps; k++) {
        double end = -INFINITY, span_end = -INFINITY, span_start = INFINITY;
        for (size_t l = k * sweep->width; l < (k + 1) * sweep->width; l++) {
            end = fmax(end, w->times.end[l]);
            span_end = fmax(span_end, w->times.span_end[l]);
            span_start = fmin(span_start, w->times.span_start[l]);
        }
        size_t step = w->block->step[k];
        if (scenario->end_ns)
            scenario->end_ns[step] = (int64_t)end;
        if (scenario->span_ns)
            scenario->span_ns[step] = (int64_t)(span_end - span_start);
    }
}

/* A step with dp rank d (or one worker of it) traced ends with d's lane or with that of its ideal
 * stand-in. */
static void reduce_dp_ranks(const struct worker *w, const struct hc_sweep *sweep,
                            const struct hc_sweep_scenario *scenario)
{
    const struct hc_step_lanes *lanes = w->sweeps->lanes;
    size_t half = w->block->n_lanes, dp_size = (size_t)lanes->dp_size;
    size_t row = lanes->n_steps, first = 0;
    if (scenario->kind == HC_SWEEP_WORKER_TRACED) {
        row *= (size_t)lanes->n_stages;
        first = (size_t)scenario->arg * lanes->n_steps;
    }
    for (size_t l = 0; l < half; l++) {
        double end = w->times.end[l];
        if (sweep->sync == HC_SYNC_FOLD)
            end = fmax(end, w->times.end[l + half]);
        scenario->end_ns[first + l % dp_size * row + w->block->step[l / dp_size]] = (int64_t)end;
    }
}

/* One sweep after the other, with more workers ideal each time. */
static void sweep_fixes(struct worker *w, const struct hc_sweep *sweep,
                        const struct hc_sweep_scenario *scenario)
{
    size_t n_ideal = 0;
    for (size_t i = 0; i < scenario->fix->n_sizes; i++) {
        while (n_ideal < scenario->fix->size[i])
            idealise_worker(w, scenario->fix->worker[n_ideal++]);
        struct hc_sweep_scenario one = {
            .kind = scenario->kind, .span_ns = scenario->span_ns + i * w->sweeps->lanes->n_steps};
        hc_sweep_run(sweep, &w->space, &w->times);
        reduce_steps(w, sweep, &one);
    }
}

static enum hc_status sweep_block(const struct hc_scenario_sweeps *sweeps,
                                  const struct hc_sweep_scenario *scenario,
                                  const struct hc_step_structure *structure,
                                  const struct hc_lane_block *block, struct hc_error *err)
{
    struct worker w = {.sweeps = sweeps, .structure = structure, .block = block, .err = err};
    struct hc_sweep sweep;
    enum hc_status status = worker_init(&w, 2 * block->n_lanes);
    if (status == HC_OK)
        status = prepare(&w, scenario, &sweep);
    if (status == HC_OK && scenario->kind == HC_SWEEP_FIRST_IDEAL) {
        sweep_fixes(&w, &sweep, scenario);
    } else if (status == HC_OK) {
        hc_sweep_run(&sweep, &w.space, &w.times);
        if (scenario->kind == HC_SWEEP_DP_TRACED || scenario->kind == HC_SWEEP_WORKER_TRACED)
            reduce_dp_ranks(&w, &sweep, scenario);
        else
            reduce_steps(&w, &sweep, scenario);
    }
    worker_fini(&w);
    return status;
}

/* ---- all scenarios over all blocks ---- */

struct task {
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    const struct hc_sweep_scenario *scenario;
};

/* By block, so that one block's durations are swept by all scenarios while they are in cache. */
static struct task *new_tasks(const struct hc_step_lanes *lanes,
                              const struct hc_sweep_scenario *scenarios, size_t n, size_t *n_tasks,
                              struct hc_error *err)
{
    size_t n_blocks = 0;
    for (size_t i = 0; i < lanes->n_structures; i++)
        n_blocks += lanes->structures[i].n_blocks;
    struct task *tasks = hc_new_array(n_blocks * n, sizeof *tasks, err);
    *n_tasks = 0;
    for (size_t i = 0; tasks && i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t s = 0; s < n; s++)
                tasks[(*n_tasks)++] = (struct task){&lanes->structures[i],
                                                    &lanes->structures[i].blocks[k], &scenarios[s]};
    return tasks;
}

enum hc_status hc_scenario_sweeps_run(const struct hc_scenario_sweeps *sweeps,
                                      const struct hc_sweep_scenario *scenarios, size_t n,
                                      struct hc_error *err)
{
    size_t n_tasks = 0;
    struct task *tasks = new_tasks(sweeps->lanes, scenarios, n, &n_tasks, err);
    if (!tasks)
        return err->status;
    enum hc_status status = HC_OK;
#pragma omp parallel for schedule(dynamic)
    for (size_t t = 0; t < n_tasks; t++) {
        struct hc_error own;
        if (sweep_block(sweeps, tasks[t].scenario, tasks[t].structure, tasks[t].block, &own)) {
#pragma omp critical(hc_scenario_sweeps)
            {
                *err = own;
                status = own.status;
            }
        }
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
        struct hc_sweep sweep = {.plan = &structure->plan,
                                 .duration = {NULL, 0, structure->ideal, NULL},
                                 .n_lanes = 1,
                                 .width = 1,
                                 .has_negative = has_negative};
        if (hc_sweep_space_init(&space, &structure->plan, 1, err))
            return err->status;
        hc_sweep_run(&sweep, &space, &times);
        hc_sweep_space_fini(&space);
        structure->ideal_end = end;
        structure->ideal_span = span_end - span_start;
    }
    return HC_OK;
}
