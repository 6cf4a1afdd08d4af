/* What each edit of a run did, its steps one by one, and what it gains. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/missing.h"
#include "core/base/select.h"

#include <math.h>

/* ---- edits ---- */

/* What an edit did between the lanes before it and after, which have one shape. */
static void compare_rows(struct hc_replay_effect *effect, const struct hc_edited_lanes *before,
                         const struct hc_edited_lanes *after, size_t i, size_t k)
{
    const struct hc_step_structure *of = &after->base->lanes.structures[i];
    const struct hc_lane_block *block = &of->blocks[k];
    const double *x = before->rows.duration[i][k], *y = after->rows.duration[i][k];
    const double *early = before->delays.duration ? before->delays.duration[i][k] : NULL,
                 *late = after->delays.duration ? after->delays.duration[i][k] : NULL;
    for (size_t p = 0; p < of->order.n_ops; p++)
        for (size_t l = 0; l < block->n_lanes; l++) {
            size_t at = p * block->stride + l;
            if (x[at] != y[at]) {
                effect->n_changed++;
                effect->before_s += x[at];
                effect->after_s += y[at];
            }
            effect->delay_s += (late ? late[at] : 0) - (early ? early[at] : 0);
        }
}

/* The time of all ops. */
static double sum_rows(const struct hc_edited_lanes *lanes)
{
    double sum = 0;
    for (size_t i = 0; i < lanes->base->lanes.n_structures; i++) {
        const struct hc_step_structure *of = &lanes->base->lanes.structures[i];
        for (size_t k = 0; k < of->n_blocks; k++)
            for (size_t p = 0; p < of->order.n_ops; p++)
                for (size_t l = 0; l < of->blocks[k].n_lanes; l++)
                    sum += lanes->rows.duration[i][k][p * of->blocks[k].stride + l];
    }
    return sum;
}

static double sum_extra(const struct hc_edited_lanes *lanes)
{
    double sum = 0;
    for (size_t s = 0; s < lanes->base->lanes.n_steps && lanes->extra_ns; s++)
        sum += lanes->extra_ns[s];
    return sum;
}

/* Sums in ns, then into s a step. */
static void compare_lanes(struct hc_replay_effect *effect, const struct hc_edited_lanes *before,
                          const struct hc_edited_lanes *after)
{
    const struct hc_step_lanes *of = &after->base->lanes;
    double a_step = 1e-9 / (double)of->n_steps;
    if (effect->is_plan) {
        effect->n_changed = effect->n_selected;
        effect->before_s = sum_rows(before);
        effect->after_s = sum_rows(after);
    }
    for (size_t i = 0; i < of->n_structures && !effect->is_plan; i++)
        for (size_t k = 0; k < of->structures[i].n_blocks; k++)
            compare_rows(effect, before, after, i, k);
    effect->extra_s = (sum_extra(after) - sum_extra(before)) * a_step;
    effect->before_s *= a_step;
    effect->after_s *= a_step;
    effect->delay_s *= a_step;
}

static const char *ideal_of(const struct hc_edit *edit)
{
    if (edit->kind != HC_EDIT_PAUSE)
        return NULL;
    return edit->pause_as == HC_PAUSE_DURATION ? "has it" : "has it not";
}

/* The lanes without an edit, while those with it are looked at. */
struct comparing {
    const struct hc_replay_config *config;
    size_t which;
    struct hc_replay_effect *effect;
    const struct hc_edited_lanes *before;
};

static enum hc_status look_after(void *context, const struct hc_edited_lanes *lanes,
                                 struct hc_error *err)
{
    const struct comparing *c = context;
    (void)err;
    compare_lanes(c->effect, c->before, lanes);
    return HC_OK;
}

static enum hc_status look_before(void *context, const struct hc_edited_lanes *lanes,
                                  struct hc_error *err)
{
    struct comparing *c = context;
    c->before = lanes;
    return hc_replay_look(c->config, c->which + 1, 0, look_after, c, err);
}

static enum hc_status find_effects(struct hc_replay_findings *found,
                                   const struct hc_replay_config *config, struct hc_arena *arena,
                                   struct hc_error *err)
{
    enum hc_status status = HC_OK;
    found->effect = hc_arena_new(arena, (config->n_edits + 1) * sizeof *found->effect, err);
    if (!found->effect)
        return err->status;
    found->n_effects = config->n_edits;
    for (size_t i = 0; i < config->n_edits && !status; i++) {
        struct comparing c = {.config = config, .which = i, .effect = &found->effect[i]};
        found->effect[i] = (struct hc_replay_effect){.name = config->edits[i].name,
                                                     .n_selected = config->answer->n_selected[i],
                                                     .is_plan = hc_edit_is_plan(&config->edits[i]),
                                                     .ideal = ideal_of(&config->edits[i])};
        status = hc_replay_look(config, i, 0, look_before, &c, err);
    }
    return status;
}

/* ---- steps ---- */

/* The least value that this percent of the steps are at or below, as quantiles over replicas are
 * (study/run/study_spread.h). values are in order. */
static double quantile(const double *values, size_t n, size_t percent)
{
    size_t at = (percent * n + 99) / 100;
    return values[at ? at - 1 : 0];
}

static enum hc_status rank(const double *values, size_t n, double ranks[HC_N_STEP_RANKS],
                           struct hc_arena *arena, struct hc_error *err)
{
    static const size_t percents[HC_N_STEP_RANKS] = {0, 50, 95, 100};
    struct hc_arena_mark mark = hc_arena_mark(arena);
    double *sorted = hc_arena_new(arena, n * sizeof *sorted, err);
    if (!sorted)
        return err->status;
    memcpy(sorted, values, n * sizeof *sorted);
    hc_sort(sorted, n);
    for (int r = 0; r < HC_N_STEP_RANKS; r++)
        ranks[r] = quantile(sorted, n, percents[r]);
    hc_arena_release(arena, mark);
    return HC_OK;
}

static enum hc_status find_steps(struct hc_replay_step_times *steps,
                                 const struct hc_replay_config *config, struct hc_arena *arena,
                                 struct hc_error *err)
{
    const struct hc_replay_untouched *untouched = &config->untouched;
    const struct hc_edited_times *times = &config->answer->times;
    size_t n = untouched->n;
    int32_t *number = hc_arena_new(arena, n * sizeof *number, err);
    *steps =
        (struct hc_replay_step_times){.n = n,
                                      .number = number,
                                      .untouched_s = hc_arena_new(arena, n * sizeof(double), err),
                                      .run_s = hc_arena_new(arena, n * sizeof(double), err),
                                      .ideal_s = hc_arena_new(arena, n * sizeof(double), err)};
    if (!number || !steps->untouched_s || !steps->run_s || !steps->ideal_s)
        return err->status;
    for (size_t s = 0; s < n; s++) {
        number[s] = untouched->number[s];
        steps->untouched_s[s] = (double)untouched->span_ns[s] * 1e-9;
        steps->run_s[s] = times->span[s] * 1e-9;
        steps->ideal_s[s] = times->ideal_span[s] * 1e-9;
    }
    if (rank(steps->untouched_s, n, steps->untouched_rank_s, arena, err) ||
        rank(steps->run_s, n, steps->run_rank_s, arena, err))
        return err->status;
    return HC_OK;
}

/* ---- gain ---- */

/* Of the same work, as the figure gained_gpu_h has it. */
static void find_gain(struct hc_replay_gain *gain, const struct hc_replay_config *config,
                      const struct hc_replay_step_times *steps)
{
    double n_gpus = config->n_gpus > 0 ? config->n_gpus : NAN;
    double then = config->n_gpus > 0 ? hc_replay_gpus_then(config) : NAN;
    gain->replayed_gpu_h = 0;
    for (size_t s = 0; s < steps->n; s++)
        gain->replayed_gpu_h += (n_gpus * steps->untouched_s[s] - then * steps->run_s[s]) / 3600;
    gain->n_period_steps = config->untouched.n_period;
    gain->period_gpu_h =
        gain->replayed_gpu_h * (double)gain->n_period_steps / (double)config->untouched.n_numbered;
}

enum hc_status hc_replay_note_all(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_replay_config *config = work->study->variant[0].point.config;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < config->n_named && !status; i++)
        if (config->named[i].kind == HC_EDIT_PAUSE)
            status = hc_study_note(
                work, err,
                config->named[i].pause_as == HC_PAUSE_DURATION
                    ? "The pauses of '%s' are part of the op (pause_as: duration): the edited "
                      "job's own ideal has them, and S by it (own_slowdown) shows only how "
                      "unevenly they fall."
                    : "The pauses of '%s' are launch delays (pause_as: delay): no ideal has them, "
                      "and S by the edited job's own ideal (own_slowdown) shows them, too.",
                config->named[i].name);
    return status ? status : hc_replay_note_plans(work, err);
}

/* ---- all of it ---- */

static double find_slowdown(const struct hc_replay_untouched *untouched)
{
    double span = 0, ideal = 0;
    for (size_t s = 0; s < untouched->n; s++) {
        span += (double)untouched->span_ns[s];
        ideal += (double)untouched->ideal_end_ns[s];
    }
    return span / ideal;
}

enum hc_status hc_replay_describe_steps(struct hc_study_work *work, size_t which,
                                        struct hc_error *err)
{
    struct hc_study_run *run = &work->result->run[which];
    struct hc_replay_detail *detail = run->detail;
    struct hc_replay_findings *found = &detail->findings;
    const struct hc_replay_config *config = detail->config;
    found->discrepancy = config->untouched.discrepancy;
    found->untouched_slowdown = find_slowdown(&config->untouched);
    found->max_discrepancy = config->max_discrepancy;
    found->draws = hc_replay_n_draws(config) > 1;
    if (find_steps(&found->steps, config, work->arena, err))
        return err->status;
    find_gain(&found->gain, config, &found->steps);
    size_t n_blocks = 0;
    const struct hc_replay_block *blocks = hc_replay_blocks(config, &n_blocks, work->arena, err);
    if (!blocks || hc_replay_find_bootstrap(found, config, blocks, n_blocks, work->arena, err))
        return err->status;
    if (config->block_steps > 1 &&
        !(work->result->many =
              hc_arena_format(work->arena, err, "blocks of %d steps", (int)config->block_steps)))
        return err->status;
    return hc_replay_put_sections(work, run, err);
}

enum hc_status hc_replay_describe(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    struct hc_replay_detail *detail = work->result->run[which].detail;
    struct hc_replay_findings *found = &detail->findings;
    const struct hc_replay_config *config = detail->config;
    if (find_effects(found, config, work->arena, err) ||
        hc_replay_find_paths(found, config, work->arena, err) ||
        hc_replay_find_stops(found, config, work->arena, err))
        return err->status;
    return hc_replay_describe_steps(work, which, err);
}
