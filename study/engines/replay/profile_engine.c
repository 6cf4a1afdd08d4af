/* The row of scenarios on profiler traces: the same keys and figures as of step timelines, of which
 * what has no meaning for profiler traces is refused. */
#include "study/engines/replay/replay_wing.h"

#include "core/text/number_format.h"
#include "sim/profiles/edits/edited_profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what has a meaning ---- */

/* The key by which an edit says what it does. */
static const char *key_of(const struct hc_node *edit)
{
    static const char *const others[] = {"select", "per", "pause_as"};
    for (const struct hc_node *child = edit->first; child; child = child->next) {
        bool is_other = false;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            is_other |= strcmp(child->key, others[i]) == 0;
        if (!is_other)
            return child->key;
    }
    return "";
}

static enum hc_status check_edit(const struct hc_edit *edit, const struct hc_node *node,
                                 struct hc_refusal *refusal)
{
    char pointer[HC_POINTER_SIZE];
    const char *why = hc_profile_edit_refusal(edit);
    snprintf(pointer, sizeof pointer, "/edits/%s/%s", edit->name, key_of(node));
    return why ? hc_refuse(refusal, pointer, "%s", why) : HC_OK;
}

static enum hc_status check_edits(const struct hc_replay_config *config, const struct hc_node *root,
                                  struct hc_refusal *refusal)
{
    const struct hc_node *edits = hc_node_member(root, "edits");
    for (size_t i = 0; i < config->n_named; i++) {
        const struct hc_node *node = hc_node_member(edits, config->named[i].name);
        if (node && check_edit(&config->named[i], node, refusal))
            return HC_BAD_INPUT;
    }
    return HC_OK;
}

/* ---- binding ---- */

static void take_profile(struct hc_replay_config *config, const struct hc_replay_input *input)
{
    const struct hc_profile_base *base = input->profile;
    config->profile = base;
    config->job = input->job;
    config->replay_draws = hc_profile_replay_draws;
    config->n_gpus = base->profile->world_size;
    config->n_workers = (double)base->profile->n_ranks;
    config->untouched = (struct hc_replay_untouched){.n = base->n_steps,
                                                     .number = base->number,
                                                     .n_numbered = base->n_numbered,
                                                     .n_period = base->n_period,
                                                     .discrepancy = base->discrepancy,
                                                     .traced_ns = base->traced_ns,
                                                     .span_ns = base->span_ns,
                                                     .end_ns = base->structural_ns,
                                                     .ideal_span_ns = base->ideal_ns,
                                                     .ideal_end_ns = base->ideal_ns};
}

static enum hc_status new_answer(struct hc_replay_config *config, struct hc_arena *arena,
                                 struct hc_error *err)
{
    if (hc_replay_new_answer(config, arena, err))
        return err->status;
    struct hc_replay_answer *answer = config->answer;
    answer->profile_times = (struct hc_profile_times){
        .span = answer->times.span,
        .ideal = answer->times.ideal_span,
        .rank_path_ns =
            hc_arena_new(arena, config->profile->profile->n_ranks * sizeof(double), err)};
    answer->effect = hc_arena_new(arena, (config->n_edits + 1) * sizeof *answer->effect, err);
    answer->dp_size = (int32_t)config->n_workers;
    answer->n_stages = 1;
    answer->work = 1;
    return answer->profile_times.rank_path_ns && answer->effect ? HC_OK : err->status;
}

static enum hc_status bind(void *bound, struct hc_scenario *scenario, const struct hc_node *root,
                           struct hc_refusal *refusal, struct hc_error *err)
{
    struct hc_replay_config *config = bound;
    const struct hc_replay_input *input = hc_replay_input_of(root);
    *config = (struct hc_replay_config){.has_plan = true};
    if (!input || !input->profile)
        return hc_refuse(refusal, "/input",
                         "is a step timeline, and that of the scenario itself profiler traces: "
                         "take two scenarios");
    take_profile(config, input);
    enum hc_status status = hc_replay_bind_edits(config, scenario, root, refusal, err);
    if (!status)
        status = check_edits(config, root, refusal);
    if (!status)
        status = hc_replay_bind_picture(config, root, refusal);
    return status ? status : new_answer(config, &scenario->arena, err);
}

static enum hc_status check(const void *bound, const struct hc_node *root,
                            struct hc_refusal *refusal, struct hc_error *err)
{
    (void)root;
    (void)err;
    return hc_replay_check_discrepancy(bound, refusal);
}

/* ---- for reports ---- */

static const char *subject(const void *bound, struct hc_arena *arena, struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    const struct hc_profile *profile = config->profile->profile;
    char steps[HC_NUMBER_TEXT], ranks[HC_NUMBER_TEXT];
    return hc_arena_format(arena, err, "profiler traces of %s of %d ranks: %s steps",
                           hc_format_count((int64_t)profile->n_ranks, ranks),
                           (int)profile->world_size,
                           hc_format_count((int64_t)config->untouched.n, steps));
}

/* What is not known of profiler traces is said once. */
static enum hc_status note_all(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_replay_config *config = work->study->variant[0].point.config;
    size_t n_together = config->untouched.n_numbered - config->untouched.n;
    if (n_together &&
        hc_study_note(work, err,
                      "%zu steps hang together with those before them, as where a kernel runs on "
                      "into the next step: each such group counts as one step.",
                      n_together))
        return err->status;
    return hc_study_note(work, err,
                         "Profiler traces are replayed by the dependencies that they show, with "
                         "what these do not explain kept; the discrepancy is that of a replay "
                         "without it.");
}

const struct hc_engine hc_profile_replay_engine = {
    HC_REPLAY_SHARED_ROW,
    .bind = bind,
    .check = check,
    .subject = subject,
    .describe = hc_profile_replay_describe,
    .note_run = hc_replay_note_empty,
    .note_all = note_all,
    .draw = hc_profile_replay_draw,
};
