/* whatif.c - the analysis of one job, in order: lanes, ideals, replays, then its parts. */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- lanes and what they say ---- */

static enum hc_status copy_lanes(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    struct hc_step_lanes *lanes = &a->lanes;
    if (hc_job_copy(&r->job, &a->trace->job, a->err))
        return a->err->status;
    r->dp_size = lanes->dp_size;
    r->pp_size = lanes->n_stages;
    r->n_ops = lanes->n_rows;
    const struct hc_step_graph *graph = NULL; /* of the first structure that is analysed */
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
        if (structure->n_blocks && r->n_structures++ == 0)
            graph = &structure->graph;
    }
    r->vpp_size = hc_step_lanes_vpp_size(lanes);
    r->uses_dp = graph->uses_dp;
    r->overlaps_dp = graph->overlaps_dp;
    r->n_graph_ops = graph->n_ops;
    r->n_graph_edges = graph->n_edges;
    r->n_graph_groups = graph->n_groups;
    r->n_graph_roots = graph->n_roots;
    r->n_steps = lanes->n_steps;
    r->clamped_delays = lanes->clamped_delays;
    r->clamped_transfers = lanes->clamped_transfers;
    r->steps = lanes->steps; /* the result owns these three from here on */
    r->traced_ns = lanes->traced_ns;
    r->left_out = lanes->left_out;
    r->n_left_out = lanes->n_left_out;
    lanes->steps = NULL;
    lanes->traced_ns = NULL;
    lanes->left_out = NULL;
    r->hides_waiting = a->trace->hides_waiting;
    r->rows = a->trace->report;
    memset(&a->trace->report, 0, sizeof a->trace->report);
    return HC_OK;
}

static enum hc_status prepare(struct hc_whatif_analysis *a)
{
    if (hc_step_lanes_build(&a->lanes, a->trace, &a->options->replay, a->err) ||
        hc_ideals_find(&a->ideals, &a->lanes, a->err) || copy_lanes(a) ||
        hc_job_check_sizes(&a->result->job, a->result->dp_size, a->result->pp_size,
                           a->result->vpp_size, a->err))
        return a->err->status;
    struct hc_whatif_result *r = a->result;
    memcpy(r->ideal_duration_ns, a->ideals.duration_ns, sizeof r->ideal_duration_ns);
    memcpy(r->n_by_type, a->ideals.n, sizeof r->n_by_type);
    r->threshold = a->options->threshold;
    hc_type_groups_list(&a->type_groups, r->n_by_type, false);
    hc_type_groups_list(&a->launch_type_groups, r->n_by_type, true);
    a->sweeps = (struct hc_counterfactuals){.lanes = &a->lanes,
                                            .groups = &a->type_groups,
                                            .has_negative =
                                                a->lanes.has_negative || a->ideals.has_negative};
    return HC_OK;
}

/* ---- the replays that every job gets ---- */

static enum hc_status allocate_steps(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    size_t n = r->n_steps;
    r->replayed_ns = hc_new_array(n, sizeof *r->replayed_ns, a->err);
    r->replayed_end_ns = hc_new_array(n, sizeof *r->replayed_end_ns, a->err);
    r->ideal_ns = hc_new_array(n, sizeof *r->ideal_ns, a->err);
    r->ideal_end_ns = hc_new_array(n, sizeof *r->ideal_end_ns, a->err);
    r->step_slowdown = hc_new_array(n, sizeof *r->step_slowdown, a->err);
    r->step_launch_slowdown = hc_new_array(n, sizeof *r->step_launch_slowdown, a->err);
    a->stage_ideal_span_ns = hc_new_array(n, sizeof *a->stage_ideal_span_ns, a->err);
    a->stage_traced_span_ns = hc_new_array(n, sizeof *a->stage_traced_span_ns, a->err);
    bool ok = r->replayed_ns && r->replayed_end_ns && r->ideal_ns && r->ideal_end_ns &&
              r->step_slowdown && r->step_launch_slowdown && a->stage_ideal_span_ns &&
              a->stage_traced_span_ns;
    return ok ? HC_OK : a->err->status;
}

static void spread_ideal(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    for (size_t i = 0; i < a->lanes.n_structures; i++) {
        const struct hc_step_structure *structure = &a->lanes.structures[i];
        for (size_t k = 0; k < structure->n_blocks; k++)
            for (size_t s = 0; s < structure->blocks[k].n_steps; s++) {
                r->ideal_ns[structure->blocks[k].step[s]] = (int64_t)structure->ideal_span;
                r->ideal_end_ns[structure->blocks[k].step[s]] = (int64_t)structure->ideal_end;
            }
    }
}

static enum hc_status replay(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    int64_t *delayed_ns = hc_new_array(r->n_steps, sizeof *delayed_ns, a->err);
    if (!delayed_ns)
        return a->err->status;
    int32_t last = a->lanes.n_stages - 1;
    struct hc_counterfactual counterfactuals[] = {
        {.kind = HC_SWEEP_REPLAYED, .end_ns = r->replayed_end_ns, .span_ns = r->replayed_ns},
        {.kind = HC_SWEEP_DELAYED, .span_ns = delayed_ns},
        {.kind = HC_SWEEP_STAGE_IDEAL, .arg = last, .span_ns = a->stage_ideal_span_ns},
        {.kind = HC_SWEEP_STAGE_TRACED, .arg = last, .span_ns = a->stage_traced_span_ns}};
    enum hc_status status = hc_counterfactuals_run(&a->sweeps, counterfactuals, 4, a->err);
    if (status == HC_OK)
        status = hc_sweep_ideal(&a->lanes, a->sweeps.has_negative, a->err);
    if (status == HC_OK)
        spread_ideal(a);
    for (size_t s = 0; status == HC_OK && s < r->n_steps; s++) {
        int64_t error_ns = llabs(delayed_ns[s] - r->traced_ns[s]);
        if (error_ns > r->delayed_error_ns)
            r->delayed_error_ns = error_ns;
    }
    free(delayed_ns);
    return status;
}

/* Refuse steps that take no time: the figures are ratios of these sums. */
static enum hc_status check_times(const struct hc_whatif_result *r, struct hc_error *err)
{
    size_t n = r->n_steps;
    if (hc_sum_ns(r->traced_ns, n) > 0 && hc_sum_ns(r->replayed_end_ns, n) > 0 &&
        hc_sum_ns(r->ideal_end_ns, n) > 0)
        return HC_OK;
    return hc_fail(
        err, HC_BAD_INPUT,
        "the steps take no time: %g s as traced, %g s without launch delays, %g s ideal; "
        "are the durations all 0?",
        hc_mean_s(r->traced_ns, n), hc_mean_s(r->replayed_end_ns, n),
        hc_mean_s(r->ideal_end_ns, n));
}

static void find_ratios(struct hc_whatif_result *r)
{
    size_t n = r->n_steps;
    double traced = hc_sum_ns(r->traced_ns, n), replayed_end = hc_sum_ns(r->replayed_end_ns, n);
    r->traced_s = hc_mean_s(r->traced_ns, n);
    r->replayed_s = hc_mean_s(r->replayed_ns, n);
    r->ideal_s = hc_mean_s(r->ideal_ns, n);
    r->slowdown = hc_sum_ns(r->replayed_ns, n) / hc_sum_ns(r->ideal_end_ns, n);
    r->waste = 1 - 1 / r->slowdown;
    r->launch_slowdown = r->hides_waiting ? NAN : traced / replayed_end;
    r->discrepancy = fabs(replayed_end - traced) / traced;
    for (size_t s = 0; s < n; s++) {
        r->step_slowdown[s] = (double)r->replayed_ns[s] / (double)r->ideal_end_ns[s];
        r->step_launch_slowdown[s] =
            r->hides_waiting ? NAN : (double)r->traced_ns[s] / (double)r->replayed_end_ns[s];
    }
}

static void find_cost(struct hc_whatif_result *r)
{
    if (r->job.world_size != HC_MISSING_I32)
        r->n_gpus = r->job.world_size;
    else if (r->job.tp_size != HC_MISSING_I32 && r->job.dsp_size != HC_MISSING_I32)
        r->n_gpus = (int64_t)r->dp_size * r->pp_size * r->job.tp_size * r->job.dsp_size;
    double hours = (double)r->n_gpus / 3600 * (double)r->n_steps;
    r->gpu_hours_traced = r->n_gpus ? hours * r->traced_s : NAN;
    r->gpu_hours_lost = r->n_gpus ? hours * (r->replayed_s - r->ideal_s) : NAN;
}

/* ---- beyond the paper ---- */

static enum hc_status go_deeper(struct hc_whatif_analysis *a)
{
    static const struct {
        unsigned depth;
        enum hc_status (*find)(struct hc_whatif_analysis *analysis);
    } parts[] = {
        {HC_DEPTH_WORKERS, hc_worker_slowdowns_find}, {HC_DEPTH_FIXES, hc_fix_curves_find},
        {HC_DEPTH_SHAPLEY, hc_shapley_find},          {HC_DEPTH_INTERVALS, hc_intervals_find},
        {HC_DEPTH_CAUSE, hc_straggler_cause_find},    {HC_DEPTH_PICTURE, hc_step_picture_find},
        {HC_DEPTH_DURATIONS, hc_step_durations_find}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (a->options->depth & parts[i].depth && parts[i].find(a))
            return a->err->status;
    return HC_OK;
}

/* ---- all together ---- */

static enum hc_status analyse(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    if (prepare(a) || allocate_steps(a) || replay(a) || check_times(r, a->err))
        return a->err->status;
    find_ratios(r);
    find_cost(r);
    hc_explain(&r->m_s, r, a->stage_ideal_span_ns, a->stage_traced_span_ns);
    if (r->pp_size == 1) /* the only stage is the whole job */
        hc_explained_forget(&r->m_s);
    if (hc_splits_find(a) || hc_workers_find(a) || hc_machine_find(a) || hc_asked_fixes_choose(a))
        return a->err->status;
    return go_deeper(a);
}

enum hc_status hc_whatif_run(struct hc_whatif_result *result, struct hc_step_trace *trace,
                             const struct hc_whatif_options *options, struct hc_error *err)
{
    memset(result, 0, sizeof *result);
    struct hc_whatif_analysis a = {
        .result = result, .trace = trace, .options = options, .err = err};
#ifdef _OPENMP
    int threads_before = omp_get_max_threads();
    if (options->replay.threads > 0)
        omp_set_num_threads(options->replay.threads);
    else if (hc_census_n_rows(trace->census) < HC_LEAST_SHARED_ROWS)
        omp_set_num_threads(1);
#endif
    enum hc_status status = analyse(&a);
    if (status == HC_OK)
        status = hc_whatif_find(result, err);
#ifdef _OPENMP
    omp_set_num_threads(threads_before);
#endif
    hc_step_lanes_fini(&a.lanes);
    free(a.stage_ideal_span_ns);
    free(a.stage_traced_span_ns);
    free(a.slowest_ideal_span_ns);
    free(a.slowest_traced_span_ns);
    free(a.slowest_chosen);
    if (status)
        hc_whatif_result_fini(result);
    return status;
}
