#include "sim/edits/replay_base.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/select.h"
#include "sim/edits/replay_shared.h"

#include <stdlib.h>
#include <string.h>

static double sum_of(const int64_t *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return sum;
}

static int64_t *new_row(size_t n, struct hc_error *err)
{
    return hc_new_array(n, sizeof(int64_t), err);
}

/* ---- as it is, and ideal ---- */

static void spread_ideal(struct hc_replay_base *base)
{
    for (size_t i = 0; i < base->lanes.n_structures; i++) {
        const struct hc_step_structure *structure = &base->lanes.structures[i];
        for (size_t k = 0; k < structure->n_blocks; k++)
            for (size_t s = 0; s < structure->blocks[k].n_steps; s++) {
                size_t step = structure->blocks[k].step[s];
                base->ideal_span_ns[step] = (int64_t)structure->ideal_span;
                base->ideal_end_ns[step] = (int64_t)structure->ideal_end;
            }
    }
}

static enum hc_status replay(struct hc_replay_base *base, struct hc_error *err)
{
    size_t n = base->lanes.n_steps;
    const struct hc_counterfactuals sweeps = {.lanes = &base->lanes,
                                              .has_negative = base->lanes.has_negative};
    base->span_ns = new_row(n, err);
    base->end_ns = new_row(n, err);
    base->ideal_span_ns = new_row(n, err);
    base->ideal_end_ns = new_row(n, err);
    base->start_ns = new_row(n + 1, err);
    if (!base->span_ns || !base->end_ns || !base->ideal_span_ns || !base->ideal_end_ns ||
        !base->start_ns)
        return err->status;
    const struct hc_counterfactual as_it_is = {
        .kind = HC_SWEEP_REPLAYED, .end_ns = base->end_ns, .span_ns = base->span_ns};
    if (hc_counterfactuals_run(&sweeps, &as_it_is, 1, err) ||
        hc_sweep_ideal(&base->lanes, base->lanes.has_negative || base->ideals.has_negative, err))
        return err->status;
    spread_ideal(base);
    for (size_t s = 0; s < n; s++)
        base->start_ns[s + 1] = base->start_ns[s] + base->span_ns[s];
    double traced = sum_of(base->lanes.traced_ns, n), replayed = sum_of(base->end_ns, n);
    if (!(traced > 0 && replayed > 0 && sum_of(base->ideal_end_ns, n) > 0))
        return hc_fail(err, HC_BAD_INPUT, "the steps take no time: are the durations all 0?");
    base->discrepancy = replayed / traced - 1;
    return HC_OK;
}

/* ---- how slow each worker, dp rank and stage is ---- */

/* slow[i] = the ends of row i over the ideal ones. */
static void rate_rows(const struct hc_replay_base *base, const int64_t *end_ns, size_t n_rows,
                      double *slow)
{
    size_t n = base->lanes.n_steps;
    double ideal = sum_of(base->ideal_end_ns, n);
    for (size_t i = 0; i < n_rows; i++)
        slow[i] = sum_of(end_ns + i * n, n) / ideal;
}

static enum hc_status rate(struct hc_replay_base *base, struct hc_error *err)
{
    size_t n_stages = (size_t)base->lanes.n_stages, n_ranks = (size_t)base->lanes.dp_size;
    size_t n = base->lanes.n_steps, n_sweeps = 2 * n_stages + 1;
    int64_t *worker_ns = new_row(base->n_workers * n, err), *rank_ns = new_row(n_ranks * n, err),
            *stage_ns = new_row(n_stages * n, err);
    struct hc_counterfactual *sweep = hc_new_array(n_sweeps, sizeof *sweep, err);
    base->slow_worker = hc_new_array(base->n_workers, sizeof(double), err);
    base->slow_rank = hc_new_array(n_ranks, sizeof(double), err);
    base->slow_stage = hc_new_array(n_stages, sizeof(double), err);
    const struct hc_counterfactuals sweeps = {.lanes = &base->lanes,
                                              .has_negative = base->lanes.has_negative ||
                                                              base->ideals.has_negative};
    enum hc_status status = HC_INTERNAL;
    if (worker_ns && rank_ns && stage_ns && sweep && base->slow_worker && base->slow_rank &&
        base->slow_stage) {
        for (size_t s = 0; s < n_stages; s++) {
            sweep[s] = (struct hc_counterfactual){
                .kind = HC_SWEEP_WORKER_TRACED, .arg = (int32_t)s, .end_ns = worker_ns};
            sweep[n_stages + s] = (struct hc_counterfactual){
                .kind = HC_SWEEP_STAGE_TRACED, .arg = (int32_t)s, .end_ns = stage_ns + s * n};
        }
        sweep[2 * n_stages] =
            (struct hc_counterfactual){.kind = HC_SWEEP_DP_TRACED, .end_ns = rank_ns};
        status = hc_counterfactuals_run(&sweeps, sweep, n_sweeps, err);
    }
    if (!status) {
        rate_rows(base, worker_ns, base->n_workers, base->slow_worker);
        rate_rows(base, rank_ns, n_ranks, base->slow_rank);
        rate_rows(base, stage_ns, n_stages, base->slow_stage);
    }
    free(worker_ns);
    free(rank_ns);
    free(stage_ns);
    free(sweep);
    return status;
}

/* ---- sums, and what medians are found from ---- */

static void take_row(struct hc_replay_base *base, int op_type, const double *values, size_t n,
                     size_t *n_taken)
{
    for (size_t l = 0; l < n; l++)
        base->sum_ns[op_type] += (int64_t)values[l];
    if (base->sorted_ns[op_type])
        memcpy(base->sorted_ns[op_type] + n_taken[op_type], values, n * sizeof *values);
    n_taken[op_type] += n;
}

static enum hc_status sum_durations(struct hc_replay_base *base, struct hc_error *err)
{
    size_t n_taken[HC_N_OP_TYPES] = {0};
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        size_t n = hc_ideal_is_mean(type) ? 0 : (size_t)base->ideals.n[type];
        if (n && !(base->sorted_ns[type] = hc_new_array(n, sizeof(double), err)))
            return err->status;
    }
    for (size_t i = 0; i < base->lanes.n_structures; i++) {
        const struct hc_step_structure *of = &base->lanes.structures[i];
        for (size_t k = 0; k < of->n_blocks; k++)
            for (size_t p = 0; p < of->order.n_ops; p++)
                take_row(base, of->op_type[p], of->blocks[k].duration + p * of->blocks[k].stride,
                         of->blocks[k].n_lanes, n_taken);
    }
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (base->sorted_ns[type])
            hc_sort(base->sorted_ns[type], n_taken[type]);
    return HC_OK;
}

/* ---- who it is ---- */

static void count_gpus(struct hc_replay_base *base)
{
    const struct hc_job *job = &base->job;
    if (job->world_size != HC_MISSING_I32)
        base->n_gpus = job->world_size;
    else if (job->tp_size != HC_MISSING_I32 && job->dsp_size != HC_MISSING_I32)
        base->n_gpus = (int64_t)base->n_workers * job->tp_size * job->dsp_size;
}

static enum hc_status describe(struct hc_replay_base *base, const struct hc_step_trace *trace,
                               struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    base->hides_waiting = trace->hides_waiting;
    base->n_workers = (size_t)lanes->dp_size * (size_t)lanes->n_stages;
    base->rank = hc_new_array(base->n_workers, sizeof *base->rank, err);
    if (!base->rank || hc_job_copy(&base->job, &trace->job, err) ||
        hc_job_check_sizes(&base->job, lanes->dp_size, lanes->n_stages,
                           hc_step_lanes_vpp_size(lanes), err))
        return err->status;
    for (int32_t d = 0; d < lanes->dp_size; d++)
        for (int32_t s = 0; s < lanes->n_stages; s++)
            base->rank[hc_replay_worker(base, (size_t)d, s)] = hc_census_rank(trace->census, d, s);
    count_gpus(base);
    return hc_job_places_find(&base->places, &base->job, base->rank, base->n_workers, err);
}

/* ---- microbatches ---- */

/* Passes have one; without ids in the trace, and where a stage is one chunk, the n-th forward and
 * the n-th backward pass of a stage are of one microbatch. */
static int32_t microbatch_of_pass(const struct hc_graph_op *op)
{
    if (!hc_op_is_pass(op->op_type))
        return HC_MISSING_I32;
    bool is_one_chunk = op->model_chunk == HC_MISSING_I32 || op->model_chunk == 0;
    return op->microbatch != HC_MISSING_I32 ? op->microbatch
           : is_one_chunk                   ? op->seq_id
                                            : HC_MISSING_I32;
}

/* A send carries what the pass before it has computed, a receive what the pass after it takes. */
static void name_microbatches(const struct hc_step_structure *structure, int32_t *microbatch)
{
    const struct hc_step_graph *graph = &structure->graph;
    const uint32_t *position = structure->order.position;
    for (size_t i = 0; i < graph->n_ops; i++)
        microbatch[position[i]] = microbatch_of_pass(&graph->ops[i]);
    for (size_t i = 0; i < graph->n_ops; i++)
        for (uint32_t k = graph->dep_begin[i]; k < graph->dep_begin[i + 1]; k++) {
            const struct hc_graph_op *after = &graph->ops[i], *before = &graph->ops[graph->dep[k]];
            bool sends = after->op_type == HC_FORWARD_SEND || after->op_type == HC_BACKWARD_SEND;
            bool receives =
                before->op_type == HC_FORWARD_RECV || before->op_type == HC_BACKWARD_RECV;
            if (sends && hc_op_is_pass(before->op_type))
                microbatch[position[i]] = microbatch[position[graph->dep[k]]];
            if (receives && hc_op_is_pass(after->op_type))
                microbatch[position[graph->dep[k]]] = microbatch[position[i]];
        }
}

static enum hc_status find_microbatches(struct hc_replay_base *base, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    base->microbatch = hc_new_array(lanes->n_structures, sizeof *base->microbatch, err);
    for (size_t i = 0; i < lanes->n_structures && base->microbatch; i++) {
        base->microbatch[i] = hc_new_array(lanes->structures[i].order.n_ops, sizeof(int32_t), err);
        if (!base->microbatch[i])
            return err->status;
        name_microbatches(&lanes->structures[i], base->microbatch[i]);
    }
    return base->microbatch ? HC_OK : err->status;
}

enum hc_status hc_replay_base_finish(struct hc_replay_base *base, struct hc_error *err)
{
    base->n_workers = (size_t)base->lanes.dp_size * (size_t)base->lanes.n_stages;
    base->shared = hc_replay_shared_new(err);
    if (!base->shared || find_microbatches(base, err) || replay(base, err) || rate(base, err))
        return err->status;
    return sum_durations(base, err);
}

enum hc_status hc_replay_base_new(struct hc_replay_base **made, struct hc_step_trace *trace,
                                  const struct hc_replay_options *options, struct hc_error *err)
{
    struct hc_replay_base *base = hc_new_array(1, sizeof *base, err);
    *made = NULL;
    if (!base)
        return err->status;
    if (hc_step_lanes_build(&base->lanes, trace, options, err) ||
        hc_ideals_find(&base->ideals, &base->lanes, err) || describe(base, trace, err) ||
        hc_replay_base_finish(base, err)) {
        hc_replay_base_free(base);
        return err->status;
    }
    *made = base;
    return HC_OK;
}

void hc_replay_base_free(struct hc_replay_base *base)
{
    if (!base)
        return;
    hc_replay_shared_free(base->shared, base);
    for (size_t i = 0; base->microbatch && i < base->lanes.n_structures; i++)
        free(base->microbatch[i]);
    free(base->microbatch);
    hc_job_places_fini(&base->places);
    hc_step_lanes_fini(&base->lanes);
    hc_job_fini(&base->job);
    free(base->rank);
    free(base->span_ns);
    free(base->end_ns);
    free(base->ideal_span_ns);
    free(base->ideal_end_ns);
    free(base->start_ns);
    free(base->slow_worker);
    free(base->slow_rank);
    free(base->slow_stage);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        free(base->sorted_ns[type]);
    free(base);
}
