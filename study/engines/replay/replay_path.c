/* What the steps of a run are made of: its critical path beside that of the untouched job. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>

static enum hc_replay_group group_of(int part)
{
    switch (part) {
    case HC_FORWARD_COMPUTE:
        return HC_GROUP_FORWARD;
    case HC_BACKWARD_COMPUTE:
        return HC_GROUP_BACKWARD;
    case HC_PARAMS_ALL_GATHER:
        return HC_GROUP_ALL_GATHER;
    case HC_GRADS_REDUCE_SCATTER:
        return HC_GROUP_REDUCE_SCATTER;
    case HC_OPTIMIZER:
    case HC_OPTIMIZER_CLIP_MAIN_GRAD:
        return HC_GROUP_OPTIMIZER;
    case HC_GC:
        return HC_GROUP_GC;
    case HC_REPLAY_DELAY:
        return HC_GROUP_DELAY;
    case HC_REPLAY_EXTRA:
        return HC_GROUP_EXTRA;
    default:
        return hc_op_is_p2p(part) ? HC_GROUP_BETWEEN_STAGES : HC_GROUP_REDUCTIONS;
    }
}

/* ---- paths ---- */

static enum hc_status add_block(struct hc_critical_sums *sums, struct hc_critical_steps *steps,
                                const struct hc_edited_lanes *lanes, size_t i, size_t k,
                                struct hc_error *err)
{
    const struct hc_step_structure *structure = &lanes->base->lanes.structures[i];
    struct hc_lane_block block = structure->blocks[k];
    struct hc_step_run of = {.structure = structure,
                             .block = &block,
                             .dp_size = (size_t)lanes->base->lanes.dp_size,
                             .has_delays = lanes->delays.duration};
    block.duration = lanes->rows.duration[i][k];
    block.delay = of.has_delays ? lanes->delays.duration[i][k] : NULL;
    size_t at_once = of.dp_size < HC_CRITICAL_LANES ? HC_CRITICAL_LANES / of.dp_size : 1;
    for (; of.first < block.n_steps; of.first += of.n) {
        size_t left = block.n_steps - of.first;
        of.n = left < at_once ? left : at_once;
        if (hc_critical_steps_find(steps, &of, err))
            return err->status;
        hc_critical_sums_add(sums, steps);
    }
    return HC_OK;
}

enum hc_status hc_replay_add_paths(void *paths, const struct hc_edited_lanes *lanes,
                                   struct hc_error *err)
{
    struct hc_critical_sums *sums = paths;
    struct hc_critical_steps steps = {.parts = NULL};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < lanes->base->lanes.n_structures && !status; i++)
        for (size_t k = 0; k < lanes->base->lanes.structures[i].n_blocks && !status; k++)
            status = add_block(sums, &steps, lanes, i, k, err);
    for (size_t s = 0; s < lanes->base->lanes.n_steps && lanes->extra_ns; s++)
        sums->extra_ns += lanes->extra_ns[s];
    hc_critical_steps_fini(&steps);
    return status;
}

static bool draws_numbers(const struct hc_replay_config *config)
{
    for (size_t i = 0; i < config->n_edits; i++)
        if (hc_edit_draws_numbers(&config->edits[i]))
            return true;
    return false;
}

uint32_t hc_replay_n_draws(const struct hc_replay_config *config)
{
    return draws_numbers(config) ? (uint32_t)config->draws : 1;
}

static bool is_planned(const struct hc_replay_config *config)
{
    for (size_t i = 0; i < config->n_edits; i++)
        if (hc_edit_is_plan(&config->edits[i]))
            return true;
    return false;
}

enum hc_status hc_replay_new_paths(struct hc_replay_config *config, struct hc_arena *arena,
                                   struct hc_error *err)
{
    size_t n = config->base->n_workers;
    if (!draws_numbers(config) || is_planned(config))
        return HC_OK;
    struct hc_critical_sums *sums = hc_arena_new(arena, sizeof *sums, err);
    if (!sums)
        return err->status;
    *sums = (struct hc_critical_sums){.n_stages = (size_t)config->base->lanes.n_stages,
                                      .n_workers = n,
                                      .of_worker_ns = hc_arena_new(arena, n * sizeof(int64_t), err),
                                      .slack_ns = hc_arena_new(arena, n * sizeof(int64_t), err),
                                      .n_tight = hc_arena_new(arena, n * sizeof(int64_t), err)};
    config->answer->paths = sums;
    return sums->of_worker_ns && sums->slack_ns && sums->n_tight ? HC_OK : err->status;
}

enum hc_status hc_replay_look(const struct hc_replay_config *config, size_t n_edits, uint32_t draw,
                              hc_lanes_look *look, void *context, struct hc_error *err)
{
    const struct hc_edited_job job = {config->base, config->edits, n_edits};
    const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, draw};
    int64_t *n_selected = hc_new_array(n_edits, sizeof *n_selected, err);
    struct hc_edited_outcome outcome = {.n_selected = n_selected, .take = look, .context = context};
    size_t failed = 0;
    enum hc_status status =
        n_selected ? hc_edited_job_replay(&outcome, &job, &draws, &failed, err) : err->status;
    free(n_selected);
    return status;
}

/* The paths with the first n_edits of a run, over its draws. */
static enum hc_status sum_paths(struct hc_critical_sums *sums,
                                const struct hc_replay_config *config, size_t n_edits,
                                struct hc_error *err)
{
    const struct hc_step_lanes *of = &config->base->lanes;
    int32_t dp_size = n_edits ? config->answer->dp_size : of->dp_size,
            n_stages = n_edits ? config->answer->n_stages : of->n_stages;
    uint32_t n_draws = n_edits ? hc_replay_n_draws(config) : 1;
    enum hc_status status = hc_critical_sums_init(sums, dp_size, n_stages, err);
    for (uint32_t draw = 0; draw < n_draws && !status; draw++)
        status = hc_replay_look(config, n_edits, draw, hc_replay_add_paths, sums, err);
    return status;
}

/* ---- into seconds a step ---- */

static double a_step(const struct hc_critical_sums *sums, double ns)
{
    return ns * 1e-9 / (double)sums->n_steps;
}

static void put_parts(const struct hc_critical_sums *sums, double part_s[HC_REPLAY_N_PARTS],
                      double group_s[HC_REPLAY_N_GROUPS])
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        part_s[type] = a_step(sums, (double)sums->of_type_ns[type]);
    part_s[HC_REPLAY_DELAY] = a_step(sums, (double)sums->delay_ns);
    part_s[HC_REPLAY_EXTRA] = a_step(sums, sums->extra_ns);
    for (int part = 0; part < HC_REPLAY_N_PARTS; part++)
        group_s[group_of(part)] += part_s[part];
}

static int compare_slack(const void *x, const void *y, void *workers)
{
    const struct hc_replay_worker *worker = workers;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    if (worker[a].slack_s != worker[b].slack_s)
        return worker[a].slack_s < worker[b].slack_s ? -1 : 1;
    return (a > b) - (a < b);
}

/* The sum of a worker, or NaN where the plan has no such worker. */
static double of_worker(const struct hc_critical_sums *sums, const int64_t *values,
                        const struct hc_replay_worker *worker)
{
    size_t at = (size_t)worker->dp_rank * sums->n_stages + (size_t)worker->stage;
    bool is_there = (size_t)worker->stage < sums->n_stages && at < sums->n_workers;
    return is_there ? a_step(sums, (double)values[at]) : NAN;
}

static int32_t rank_of(const struct hc_replay_base *base, const struct hc_replay_worker *worker)
{
    bool is_there = worker->dp_rank < base->lanes.dp_size && worker->stage < base->lanes.n_stages;
    return is_there ? base->rank[hc_replay_worker(base, (size_t)worker->dp_rank, worker->stage)]
                    : HC_MISSING_I32;
}

/* The workers of both plans. */
static enum hc_status put_workers(struct hc_replay_findings *found,
                                  const struct hc_replay_config *config,
                                  const struct hc_critical_sums *untouched,
                                  const struct hc_critical_sums *run, struct hc_arena *arena,
                                  struct hc_error *err)
{
    const struct hc_step_lanes *of = &config->base->lanes;
    const struct hc_replay_answer *answer = config->answer;
    bool is_same = answer->dp_size == of->dp_size && answer->n_stages == of->n_stages;
    size_t n_ranks = (size_t)(answer->dp_size > of->dp_size ? answer->dp_size : of->dp_size);
    found->n_stages = (size_t)(answer->n_stages > of->n_stages ? answer->n_stages : of->n_stages);
    size_t n = found->n_workers = n_ranks * found->n_stages;
    found->worker = hc_arena_new(arena, n * sizeof *found->worker, err);
    found->by_slack = hc_arena_new(arena, n * sizeof *found->by_slack, err);
    if (!found->worker || !found->by_slack)
        return err->status;
    for (size_t w = 0; w < n; w++) {
        struct hc_replay_worker *worker = &found->worker[w];
        worker->dp_rank = (int32_t)(w / found->n_stages);
        worker->stage = (int32_t)(w % found->n_stages);
        worker->rank = is_same ? rank_of(config->base, worker) : HC_MISSING_I32;
        worker->untouched_s = of_worker(untouched, untouched->of_worker_ns, worker);
        worker->run_s = of_worker(run, run->of_worker_ns, worker);
        worker->slack_s = of_worker(run, run->slack_ns, worker);
        worker->untouched_slack_s = of_worker(untouched, untouched->slack_ns, worker);
        worker->tight = 1e9 * of_worker(run, run->n_tight, worker);
        if (isfinite(worker->slack_s))
            found->by_slack[found->n_by_slack++] = w;
    }
    qsort_r(found->by_slack, found->n_by_slack, sizeof *found->by_slack, compare_slack,
            found->worker);
    return HC_OK;
}

enum hc_status hc_replay_find_paths(struct hc_replay_findings *found,
                                    const struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err)
{
    struct hc_critical_sums untouched = {.n_workers = 0}, run = {.n_workers = 0};
    const struct hc_critical_sums *paths = config->answer->paths ? config->answer->paths : &run;
    enum hc_status status = sum_paths(&untouched, config, 0, err);
    if (!status && paths == &run)
        status = sum_paths(&run, config, config->n_edits, err);
    if (!status) {
        found->untouched_s = a_step(&untouched, (double)untouched.span_ns);
        found->run_s = a_step(paths, (double)paths->span_ns + paths->extra_ns);
        put_parts(&untouched, found->untouched_part_s, found->untouched_group_s);
        put_parts(paths, found->part_s, found->group_s);
        status = put_workers(found, config, &untouched, paths, arena, err);
    }
    hc_critical_sums_fini(&untouched);
    hc_critical_sums_fini(&run);
    return status;
}
