/* whatif.c - the analysis of one job, in order: lanes, ideals, replays, decompositions, workers. */
#include "sim/whatif_analysis.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define NS_PER_S 1e9
/* Of fewer rows than this the sweeps take some 20 ms: threads that wait for the next one spin, and
 * would use more time than they save. */
#define LEAST_SHARED_ROWS (1 << 20)

const char *hc_whatif_type_group(int op_type)
{
    if (op_type == HC_FORWARD_SEND || op_type == HC_FORWARD_RECV)
        return "forward-pp-comm";
    if (op_type == HC_BACKWARD_SEND || op_type == HC_BACKWARD_RECV)
        return "backward-pp-comm";
    return hc_op_type_name(op_type);
}

static void split_fini(struct hc_split *split)
{
    for (size_t g = 0; g < split->n_groups; g++)
        free(split->groups[g].end_ns);
    free(split->groups);
}

void hc_whatif_depth_fini(struct hc_whatif_depth *depth)
{
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++) {
        free(depth->fixes[kind].order);
        free(depth->fixes[kind].points);
    }
    free(depth->shapley.groups);
    free(depth->verdict.pass_correlation);
    free(depth->verdict.n_pass_pairs);
    free(depth->picture.ops);
    memset(depth, 0, sizeof *depth);
}

void hc_whatif_result_fini(struct hc_whatif_result *result)
{
    for (int p = 0; p < HC_N_PARTITIONS; p++) {
        split_fini(&result->blocking[p]);
        split_fini(&result->launch[p]);
    }
    free(result->steps);
    free(result->traced_ns);
    free(result->replayed_ns);
    free(result->ideal_ns);
    free(result->replayed_end_ns);
    free(result->ideal_end_ns);
    free(result->step_slowdown);
    free(result->step_launch_slowdown);
    free(result->left_out);
    free(result->workers);
    free(result->slowest);
    free(result->worker_end_ns);
    hc_whatif_depth_fini(&result->depth);
    hc_row_report_fini(&result->rows);
    hc_job_fini(&result->job);
    memset(result, 0, sizeof *result);
}

double hc_sum_ns(const int64_t *values, size_t n)
{
    double sum =
        0; /* exact up to 2^53 ns, 104 days of steps; beyond, in a fixed order all the same */
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return sum;
}

double hc_mean_s(const int64_t *values, size_t n)
{
    return hc_sum_ns(values, n) / (double)n / NS_PER_S;
}

/* ---- groups of the partitions ---- */

/* Op type groups that are there, in alphabetical order of their names. */
static void list_type_groups(struct hc_type_groups *groups, const int64_t *n_by_type,
                             bool with_first_op)
{
    memset(groups, 0, sizeof *groups);
    groups->first_op = -1;
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        groups->of_type[t] = -1;
    const char *names[HC_N_OP_TYPES + 1];
    size_t n = 0;
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        if (n_by_type[t])
            names[n++] = hc_whatif_type_group(t);
    if (with_first_op)
        names[n++] = "first-op";
    for (size_t k = 0; k < n; k++) { /* insertion sort, dropping repeats */
        size_t at = 0;
        while (at < groups->n && strcmp(groups->name[at], names[k]) < 0)
            at++;
        if (at < groups->n && strcmp(groups->name[at], names[k]) == 0)
            continue;
        memmove(groups->name + at + 1, groups->name + at, (groups->n - at) * sizeof *names);
        groups->name[at] = names[k];
        groups->n++;
    }
    for (size_t g = 0; g < groups->n; g++) {
        if (with_first_op && strcmp(groups->name[g], "first-op") == 0)
            groups->first_op = (int32_t)g;
        for (int t = 0; t < HC_N_OP_TYPES; t++)
            if (n_by_type[t] && strcmp(groups->name[g], hc_whatif_type_group(t)) == 0)
                groups->of_type[t] = (int32_t)g;
    }
}

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
        for (size_t k = 0; k < structure->graph.n_ops; k++) {
            int32_t chunk = structure->graph.ops[k].model_chunk;
            if (chunk != HC_MISSING_I32 && chunk >= r->vpp_size)
                r->vpp_size = chunk + 1;
        }
    }
    r->uses_dp = graph->uses_dp;
    r->overlaps_dp = graph->overlaps_dp;
    r->n_graph_ops = graph->n_ops;
    r->n_graph_edges = graph->n_edges;
    r->n_graph_groups = graph->n_groups;
    r->n_graph_roots = graph->n_roots;
    r->n_steps = lanes->n_steps;
    r->clamped_delays = lanes->clamped_delays;
    r->clamped_transfers = lanes->clamped_transfers;
    r->steps = lanes->steps; /* handed over */
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
    if (hc_step_lanes_build(&a->lanes, a->trace, a->options, a->err) ||
        hc_ideals_find(&a->ideals, &a->lanes, a->err) || copy_lanes(a) ||
        hc_job_check_sizes(&a->result->job, a->result->dp_size, a->result->pp_size,
                           a->result->vpp_size, a->err))
        return a->err->status;
    struct hc_whatif_result *r = a->result;
    memcpy(r->ideal_duration_ns, a->ideals.duration_ns, sizeof r->ideal_duration_ns);
    memcpy(r->n_by_type, a->ideals.n, sizeof r->n_by_type);
    r->threshold = a->options->threshold;
    list_type_groups(&a->type_groups, r->n_by_type, false);
    list_type_groups(&a->launch_type_groups, r->n_by_type, true);
    a->sweeps = (struct hc_scenario_sweeps){.lanes = &a->lanes,
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
    struct hc_sweep_scenario scenarios[] = {
        {.kind = HC_SWEEP_REPLAYED, .end_ns = r->replayed_end_ns, .span_ns = r->replayed_ns},
        {.kind = HC_SWEEP_DELAYED, .span_ns = delayed_ns},
        {.kind = HC_SWEEP_STAGE_IDEAL, .arg = last, .span_ns = a->stage_ideal_span_ns},
        {.kind = HC_SWEEP_STAGE_TRACED, .arg = last, .span_ns = a->stage_traced_span_ns}};
    enum hc_status status = hc_scenario_sweeps_run(&a->sweeps, scenarios, 4, a->err);
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

/* Ratios need steps that take time. */
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

static void explain(struct hc_explained *e, const struct hc_whatif_result *r,
                    const int64_t *removed_ns, const int64_t *added_ns)
{
    e->done = true;
    e->removed_s = hc_mean_s(removed_ns, r->n_steps);
    e->added_s = hc_mean_s(added_ns, r->n_steps);
    e->replayed_s = r->replayed_s;
    e->ideal_s = r->ideal_s;
    double excess_s = e->replayed_s - e->ideal_s;
    e->rem = excess_s == 0 ? NAN : (e->replayed_s - e->removed_s) / excess_s;
    e->add = excess_s == 0 ? NAN : (e->added_s - e->ideal_s) / excess_s;
}

/* ---- decompositions ---- */

static enum hc_status new_split(struct hc_split *split, size_t n_groups, size_t n_steps,
                                const char *const *names, struct hc_error *err)
{
    split->groups = hc_new_array(n_groups, sizeof *split->groups, err);
    if (!split->groups)
        return err->status;
    for (size_t g = 0; g < n_groups; g++) {
        split->groups[g] =
            (struct hc_split_group){.id = (int32_t)g,
                                    .name = names ? names[g] : NULL,
                                    .end_ns = hc_new_array(n_steps, sizeof(int64_t), err)};
        split->n_groups = g + 1;
        if (!split->groups[g].end_ns)
            return err->status;
    }
    return HC_OK;
}

static enum hc_status new_splits(struct hc_whatif_analysis *a, struct hc_split *splits,
                                 const struct hc_type_groups *types)
{
    size_t n = a->result->n_steps;
    if (new_split(&splits[HC_BY_DP_RANK], (size_t)a->lanes.dp_size, n, NULL, a->err) ||
        new_split(&splits[HC_BY_STAGE], (size_t)a->lanes.n_stages, n, NULL, a->err) ||
        new_split(&splits[HC_BY_OP_TYPE], types->n, n, types->name, a->err))
        return a->err->status;
    return HC_OK;
}

static void rate_splits(struct hc_split *splits, const int64_t *base_ns, size_t n_steps)
{
    double base = hc_sum_ns(base_ns, n_steps);
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        for (size_t g = 0; g < splits[p].n_groups; g++)
            splits[p].groups[g].slowdown = hc_sum_ns(splits[p].groups[g].end_ns, n_steps) / base;
}

/* One scenario a group. The dp ranks of the blocking split come from one sweep (dp_ends not NULL).
 */
static enum hc_status sweep_splits(struct hc_whatif_analysis *a, struct hc_split *splits,
                                   const enum hc_sweep_kind kinds[HC_N_PARTITIONS],
                                   int64_t *dp_ends)
{
    size_t n = 0, n_max = 1;
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        n_max += splits[p].n_groups;
    struct hc_sweep_scenario *scenarios = hc_new_array(n_max, sizeof *scenarios, a->err);
    if (!scenarios)
        return a->err->status;
    if (dp_ends)
        scenarios[n++] = (struct hc_sweep_scenario){.kind = HC_SWEEP_DP_TRACED, .end_ns = dp_ends};
    for (int p = dp_ends ? HC_BY_STAGE : HC_BY_DP_RANK; p < HC_N_PARTITIONS; p++)
        for (size_t g = 0; g < splits[p].n_groups; g++)
            scenarios[n++] = (struct hc_sweep_scenario){
                .kind = kinds[p], .arg = (int32_t)g, .end_ns = splits[p].groups[g].end_ns};
    enum hc_status status = hc_scenario_sweeps_run(&a->sweeps, scenarios, n, a->err);
    free(scenarios);
    return status;
}

static enum hc_status decompose_blocking(struct hc_whatif_analysis *a)
{
    static const enum hc_sweep_kind kinds[] = {HC_SWEEP_DP_TRACED, HC_SWEEP_STAGE_TRACED,
                                               HC_SWEEP_TYPE_TRACED};
    struct hc_whatif_result *r = a->result;
    size_t dp_size = (size_t)a->lanes.dp_size;
    if (new_splits(a, r->blocking, &a->type_groups))
        return a->err->status;
    int64_t *dp_ends = hc_new_array(dp_size * r->n_steps, sizeof *dp_ends, a->err);
    if (!dp_ends)
        return a->err->status;
    a->sweeps.groups = &a->type_groups;
    enum hc_status status = sweep_splits(a, r->blocking, kinds, dp_ends);
    for (size_t d = 0; status == HC_OK && d < dp_size; d++)
        memcpy(r->blocking[HC_BY_DP_RANK].groups[d].end_ns, dp_ends + d * r->n_steps,
               r->n_steps * sizeof *dp_ends);
    free(dp_ends);
    rate_splits(r->blocking, r->ideal_end_ns, r->n_steps);
    return status;
}

static enum hc_status decompose_launch(struct hc_whatif_analysis *a)
{
    static const enum hc_sweep_kind kinds[] = {HC_SWEEP_DP_DELAYED, HC_SWEEP_STAGE_DELAYED,
                                               HC_SWEEP_TYPE_DELAYED};
    struct hc_whatif_result *r = a->result;
    if (new_splits(a, r->launch, &a->launch_type_groups))
        return a->err->status;
    a->sweeps.groups = &a->launch_type_groups;
    enum hc_status status = sweep_splits(a, r->launch, kinds, NULL);
    rate_splits(r->launch, r->replayed_end_ns, r->n_steps);
    return status;
}

/* ---- workers ---- */

static enum hc_status list_workers(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    r->n_workers = (size_t)r->dp_size * (size_t)r->pp_size;
    r->workers = hc_new_array(r->n_workers, sizeof *r->workers, a->err);
    if (!r->workers)
        return a->err->status;
    bool rated = r->blocking[HC_BY_STAGE].n_groups > 0;
    for (int32_t d = 0; d < r->dp_size; d++)
        for (int32_t s = 0; s < r->pp_size; s++) {
            struct hc_worker *worker = &r->workers[d * r->pp_size + s];
            *worker = (struct hc_worker){hc_census_rank(a->trace->census, d, s), d, s, NAN, NAN};
            if (rated)
                worker->slowdown = fmin(r->blocking[HC_BY_DP_RANK].groups[d].slowdown,
                                        r->blocking[HC_BY_STAGE].groups[s].slowdown);
        }
    return HC_OK;
}

/* Slower first; ties to the smaller rank, then (ranks can be missing) to the smaller number. */
static int compare_workers(const void *x, const void *y, void *workers)
{
    const struct hc_worker *a = (const struct hc_worker *)workers + *(const int32_t *)x;
    const struct hc_worker *b = (const struct hc_worker *)workers + *(const int32_t *)y;
    if (a->slowdown != b->slowdown)
        return a->slowdown > b->slowdown ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? 1 : -1;
    return (a > b) - (a < b);
}

static enum hc_status choose_slowest(struct hc_whatif_analysis *a, uint8_t *chosen)
{
    struct hc_whatif_result *r = a->result;
    r->slowest = hc_new_array(r->n_workers, sizeof *r->slowest, a->err);
    if (!r->slowest)
        return a->err->status;
    for (size_t i = 0; i < r->n_workers; i++)
        r->slowest[i] = (int32_t)i;
    qsort_r(r->slowest, r->n_workers, sizeof *r->slowest, compare_workers, r->workers);
    r->n_slowest = (3 * r->n_workers + 99) / 100;
    for (size_t i = 0; i < r->n_slowest; i++)
        chosen[r->slowest[i]] = 1;
    return HC_OK;
}

static enum hc_status explain_workers(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    size_t n = r->n_steps;
    a->slowest_chosen = hc_new_array(r->n_workers, 1, a->err);
    a->slowest_ideal_span_ns = hc_new_array(n, sizeof *a->slowest_ideal_span_ns, a->err);
    a->slowest_traced_span_ns = hc_new_array(n, sizeof *a->slowest_traced_span_ns, a->err);
    if (!a->slowest_chosen || !a->slowest_ideal_span_ns || !a->slowest_traced_span_ns ||
        choose_slowest(a, a->slowest_chosen))
        return a->err->status;
    struct hc_sweep_scenario scenarios[] = {
        {.kind = HC_SWEEP_WORKERS_IDEAL, .span_ns = a->slowest_ideal_span_ns},
        {.kind = HC_SWEEP_WORKERS_TRACED, .span_ns = a->slowest_traced_span_ns}};
    a->sweeps.chosen = a->slowest_chosen;
    if (hc_scenario_sweeps_run(&a->sweeps, scenarios, 2, a->err))
        return a->err->status;
    explain(&r->m_w, r, a->slowest_ideal_span_ns, a->slowest_traced_span_ns);
    return HC_OK;
}

/* ---- beyond the paper ---- */

static enum hc_status go_deeper(struct hc_whatif_analysis *a)
{
    static const struct {
        unsigned depth;
        enum hc_status (*find)(struct hc_whatif_analysis *analysis);
    } parts[] = {{HC_DEPTH_WORKERS, hc_worker_slowdowns_find},
                 {HC_DEPTH_FIXES, hc_fix_curves_find},
                 {HC_DEPTH_SHAPLEY, hc_shapley_find},
                 {HC_DEPTH_INTERVALS, hc_intervals_find},
                 {HC_DEPTH_CAUSE, hc_cause_find},
                 {HC_DEPTH_PICTURE, hc_step_picture_find}};
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
    explain(&r->m_s, r, a->stage_ideal_span_ns, a->stage_traced_span_ns);
    if (r->slowdown >= r->threshold && decompose_blocking(a))
        return a->err->status;
    if (r->launch_slowdown >= r->threshold && decompose_launch(a))
        return a->err->status;
    if (list_workers(a) || (r->blocking[HC_BY_STAGE].n_groups && explain_workers(a)))
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
    if (options->threads > 0)
        omp_set_num_threads(options->threads);
    else if (hc_census_n_rows(trace->census) < LEAST_SHARED_ROWS)
        omp_set_num_threads(1);
#endif
    enum hc_status status = analyse(&a);
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
