/* What the steps of a run are made of: its critical path beside that of the untouched job. */
#include "study/engines/replay/replay_wing.h"

#include "sim/edits/critical_path.h"

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

static enum hc_status add_block(struct hc_critical_sums *sums, struct hc_critical_step *step,
                                const struct hc_edited_lanes *lanes, size_t i, size_t k,
                                struct hc_error *err)
{
    const struct hc_step_structure *structure = &lanes->base->lanes.structures[i];
    bool has_delays = lanes->delays.duration;
    struct hc_lane_block block = structure->blocks[k];
    block.duration = lanes->rows.duration[i][k];
    block.delay = has_delays ? lanes->delays.duration[i][k] : NULL;
    for (size_t s = 0; s < block.n_steps; s++) {
        const struct hc_step_place place = {structure, &block, s};
        if (hc_critical_step_find(step, &place, lanes->base->lanes.dp_size, has_delays, err))
            return err->status;
        hc_critical_sums_add(sums, step, structure);
    }
    return HC_OK;
}

enum hc_status hc_replay_add_paths(struct hc_critical_sums *sums,
                                   const struct hc_edited_lanes *lanes, struct hc_error *err)
{
    struct hc_critical_step step = {.parts = NULL};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < lanes->base->lanes.n_structures && !status; i++)
        for (size_t k = 0; k < lanes->base->lanes.structures[i].n_blocks && !status; k++)
            status = add_block(sums, &step, lanes, i, k, err);
    for (size_t s = 0; s < lanes->base->lanes.n_steps && lanes->extra_ns; s++)
        sums->extra_ns += lanes->extra_ns[s];
    hc_critical_step_fini(&step);
    return status;
}

enum hc_status hc_replay_new_paths(struct hc_replay_config *config, struct hc_arena *arena,
                                   struct hc_error *err)
{
    size_t n = config->base->n_workers;
    struct hc_critical_sums *sums = hc_arena_new(arena, sizeof *sums, err);
    if (!sums)
        return err->status;
    *sums = (struct hc_critical_sums){.n_stages = (size_t)config->base->lanes.n_stages,
                                      .n_workers = n,
                                      .of_worker_ns = hc_arena_new(arena, n * sizeof(int64_t), err),
                                      .slack_ns = hc_arena_new(arena, n * sizeof(int64_t), err),
                                      .n_tight = hc_arena_new(arena, n * sizeof(int64_t), err),
                                      .least_ns = hc_arena_new(arena, n * sizeof(int64_t), err)};
    config->answer->paths = sums;
    return sums->of_worker_ns && sums->slack_ns && sums->n_tight && sums->least_ns ? HC_OK
                                                                                   : err->status;
}

/* The paths with the first n_edits of a run that draws nothing. */
static enum hc_status sum_paths(struct hc_critical_sums *sums,
                                const struct hc_replay_config *config, size_t n_edits,
                                struct hc_error *err)
{
    const struct hc_step_lanes *of = &config->base->lanes;
    const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, 0};
    struct hc_edited_lanes lanes = {.base = config->base};
    size_t failed = 0;
    enum hc_status status = hc_critical_sums_init(sums, of->dp_size, of->n_stages, err);
    if (!status)
        status = hc_edited_lanes_make(&lanes, config->base, config->edits, n_edits, &draws, &failed,
                                      err);
    if (!status)
        status = hc_replay_add_paths(sums, &lanes, err);
    hc_edited_lanes_fini(&lanes);
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

static enum hc_status put_workers(struct hc_replay_findings *found,
                                  const struct hc_replay_base *base,
                                  const struct hc_critical_sums *untouched,
                                  const struct hc_critical_sums *run, struct hc_arena *arena,
                                  struct hc_error *err)
{
    size_t n = base->n_workers;
    found->worker = hc_arena_new(arena, n * sizeof *found->worker, err);
    found->by_slack = hc_arena_new(arena, n * sizeof *found->by_slack, err);
    if (!found->worker || !found->by_slack)
        return err->status;
    found->n_workers = n;
    for (size_t w = 0; w < n; w++) {
        found->worker[w] = (struct hc_replay_worker){
            .dp_rank = (int32_t)(w / run->n_stages),
            .stage = (int32_t)(w % run->n_stages),
            .rank = base->rank[w],
            .untouched_s = a_step(untouched, (double)untouched->of_worker_ns[w]),
            .run_s = a_step(run, (double)run->of_worker_ns[w]),
            .slack_s = a_step(run, (double)run->slack_ns[w]),
            .untouched_slack_s = a_step(untouched, (double)untouched->slack_ns[w]),
            .tight = (double)run->n_tight[w] / (double)run->n_steps};
        found->by_slack[w] = w;
    }
    qsort_r(found->by_slack, n, sizeof *found->by_slack, compare_slack, found->worker);
    return HC_OK;
}

/* Of another plan only the step time is told. */
static void forget_run(struct hc_replay_findings *found, const struct hc_replay_config *config)
{
    size_t n = config->base->lanes.n_steps;
    found->run_s = 0;
    for (size_t s = 0; s < n; s++)
        found->run_s += config->answer->times.span[s] * 1e-9 / (double)n;
    for (int part = 0; part < HC_REPLAY_N_PARTS; part++)
        found->part_s[part] = NAN;
    for (int group = 0; group < HC_REPLAY_N_GROUPS; group++)
        found->group_s[group] = NAN;
    for (size_t w = 0; w < found->n_workers; w++)
        found->worker[w].run_s = found->worker[w].slack_s = found->worker[w].tight = NAN;
}

enum hc_status hc_replay_find_paths(struct hc_replay_findings *found,
                                    const struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err)
{
    struct hc_critical_sums untouched = {.n_workers = 0}, run = {.n_workers = 0};
    const struct hc_critical_sums *paths = config->answer->paths ? config->answer->paths : &run;
    bool is_planned = hc_replay_is_planned(config);
    enum hc_status status = sum_paths(&untouched, config, 0, err);
    if (!status && paths == &run)
        status = sum_paths(&run, config, is_planned ? 0 : config->n_edits, err);
    if (!status) {
        found->untouched_s = a_step(&untouched, (double)untouched.span_ns);
        found->run_s = a_step(paths, (double)paths->span_ns + paths->extra_ns);
        put_parts(&untouched, found->untouched_part_s, found->untouched_group_s);
        put_parts(paths, found->part_s, found->group_s);
        status = put_workers(found, config->base, &untouched, paths, arena, err);
        if (is_planned)
            forget_run(found, config);
    }
    hc_critical_sums_fini(&untouched);
    hc_critical_sums_fini(&run);
    return status;
}
