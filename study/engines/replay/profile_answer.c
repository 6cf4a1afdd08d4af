/* Profiler traces with the edits of a run, and what is found in them. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "study/run/study_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- replayed ---- */

enum hc_status hc_profile_replay_draws(const struct hc_replay_config *config, struct hc_error *err)
{
    struct hc_replay_answer *answer = config->answer;
    uint32_t n_draws = hc_replay_n_draws(config);
    struct hc_profile_effect *others = hc_new_array(config->n_edits + 1, sizeof *others, err);
    enum hc_status status = others ? HC_OK : err->status;
    for (uint32_t draw = 0; draw < n_draws && !status; draw++) {
        const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, draw};
        size_t failed = 0;
        status = hc_profile_edited_replay(&answer->profile_times, draw ? others : answer->effect,
                                          config->profile, config->edits, config->n_edits, &draws,
                                          &failed, err);
        if (status == HC_BAD_INPUT)
            status = hc_replay_name_edit(config, failed, err);
    }
    free(others);
    for (size_t i = 0; i < config->n_edits; i++)
        answer->n_selected[i] = answer->effect[i].n_selected;
    /* They have no end of an optimizer. */
    size_t size = config->untouched.n * sizeof(double);
    memcpy(answer->times.end, answer->times.span, size);
    memcpy(answer->times.ideal_end, answer->times.ideal_span, size);
    return status;
}

/* ---- effects ---- */

static enum hc_status find_effects(struct hc_replay_findings *found,
                                   const struct hc_replay_config *config, struct hc_arena *arena,
                                   struct hc_error *err)
{
    double a_step = 1e-9 / (double)config->untouched.n;
    found->effect = hc_arena_new(arena, (config->n_edits + 1) * sizeof *found->effect, err);
    if (!found->effect)
        return err->status;
    found->n_effects = config->n_edits;
    for (size_t i = 0; i < config->n_edits; i++) {
        const struct hc_profile_effect *effect = &config->answer->effect[i];
        found->effect[i] = (struct hc_replay_effect){.name = config->edits[i].name,
                                                     .n_selected = config->answer->n_selected[i],
                                                     .n_changed = effect->n_changed,
                                                     .before_s = effect->before_ns * a_step,
                                                     .after_s = effect->after_ns * a_step,
                                                     .delay_s = effect->delay_ns * a_step};
    }
    return HC_OK;
}

/* ---- the path ---- */

/* As path_groups of replay_result.c names them. */
static enum hc_replay_group group_of(int part)
{
    static const enum hc_replay_group groups[] = {
        [HC_PATH_CPU] = HC_GROUP_BACKWARD,        [HC_PATH_WAKE] = HC_GROUP_REDUCE_SCATTER,
        [HC_PATH_LAUNCH] = HC_GROUP_REDUCTIONS,   [HC_PATH_SYNC] = HC_GROUP_REDUCE_SCATTER,
        [HC_PATH_COMPUTE] = HC_GROUP_FORWARD,     [HC_PATH_MEMCPY] = HC_GROUP_ALL_GATHER,
        [HC_PATH_COMM] = HC_GROUP_BETWEEN_STAGES, [HC_PATH_STREAM] = HC_GROUP_OPTIMIZER,
        [HC_PATH_EVENT] = HC_GROUP_OPTIMIZER,     [HC_PATH_UNEXPLAINED] = HC_GROUP_DELAY,
        [HC_N_PATH_PARTS] = HC_GROUP_GC};
    return groups[part];
}

static void put_parts(const struct hc_profile_times *times, double a_step,
                      double part_s[HC_REPLAY_N_PARTS], double group_s[HC_REPLAY_N_GROUPS])
{
    memset(part_s, 0, HC_REPLAY_N_PARTS * sizeof *part_s);
    memset(group_s, 0, HC_REPLAY_N_GROUPS * sizeof *group_s);
    for (int part = 0; part <= HC_N_PATH_PARTS; part++) {
        part_s[part] = a_step * (part < HC_N_PATH_PARTS ? times->path_ns[part] : times->start_ns);
        group_s[group_of(part)] += part_s[part];
    }
}

static double mean_span(const double *span_ns, size_t n)
{
    double sum = 0;
    for (size_t s = 0; s < n; s++)
        sum += span_ns[s];
    return sum * 1e-9 / (double)n;
}

static enum hc_status find_paths(struct hc_replay_findings *found,
                                 const struct hc_replay_config *config, struct hc_arena *arena,
                                 struct hc_error *err)
{
    const struct hc_profile_base *base = config->profile;
    const struct hc_profile_times *run = &config->answer->profile_times;
    size_t n = config->untouched.n, n_ranks = base->profile->n_ranks;
    double a_step = 1e-9 / (double)n, of_draw = a_step / hc_replay_n_draws(config);
    found->untouched_s = mean_span(base->times.span, n);
    found->run_s = mean_span(run->span, n);
    put_parts(&base->times, a_step, found->untouched_part_s, found->untouched_group_s);
    put_parts(run, of_draw, found->part_s, found->group_s);
    found->n_workers = n_ranks;
    found->n_stages = 1;
    found->worker = hc_arena_new(arena, n_ranks * sizeof *found->worker, err);
    for (size_t r = 0; r < n_ranks && found->worker; r++)
        found->worker[r] =
            (struct hc_replay_worker){.dp_rank = (int32_t)r,
                                      .rank = base->profile->ranks[r].rank,
                                      .untouched_s = base->times.rank_path_ns[r] * a_step,
                                      .run_s = run->rank_path_ns[r] * of_draw,
                                      .slack_s = NAN,
                                      .untouched_slack_s = NAN,
                                      .tight = NAN};
    return found->worker ? HC_OK : err->status;
}

enum hc_status hc_profile_replay_describe(struct hc_study_work *work, size_t which,
                                          struct hc_error *err)
{
    struct hc_replay_detail *detail = work->result->run[which].detail;
    struct hc_replay_findings *found = &detail->findings;
    found->is_profile = true;
    if (find_effects(found, detail->config, work->arena, err) ||
        find_paths(found, detail->config, work->arena, err))
        return err->status;
    return hc_replay_describe_steps(work, which, err);
}

/* ---- the picture ---- */

enum hc_status hc_replay_picture_each(const struct hc_replay_profile_picture *picture,
                                      bool is_edited, hc_profile_slice_sink *sink, void *context,
                                      struct hc_error *err)
{
    const struct hc_replay_config *config = picture->config;
    const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, 0};
    return hc_profile_edited_timeline(config->profile, config->edits,
                                      is_edited ? config->n_edits : 0, &draws, picture->step, sink,
                                      context, err);
}

enum hc_status hc_profile_replay_draw(struct hc_study_answer *answer, struct hc_error *err)
{
    struct hc_study_result *result = &answer->result;
    struct hc_replay_detail *base = result->run[0].detail;
    size_t r = hc_replay_choose_run(result, base->config->picture.variant);
    const struct hc_replay_detail *detail = result->run[r].detail;
    struct hc_replay_profile_picture *picture = hc_arena_new(&answer->arena, sizeof *picture, err);
    if (!picture)
        return err->status;
    int32_t asked = base->config->picture.step, first = base->config->untouched.number[0];
    bool is_numbered = base->config->profile->profile->common_steps[0] != HC_MISSING_I64;
    *picture = (struct hc_replay_profile_picture){.run = result->n_runs == 1 ? "edited"
                                                                             : result->run[r].name,
                                                  .job = base->config->job,
                                                  .step = !is_numbered              ? HC_MISSING_I64
                                                          : asked != HC_MISSING_I32 ? asked
                                                                                    : first,
                                                  .has_edits = detail->config->n_edits > 0,
                                                  .config = detail->config};
    base->findings.profile_picture = picture;
    return HC_OK;
}
