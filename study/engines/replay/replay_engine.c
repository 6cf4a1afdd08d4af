/* The row of the engine of step timelines (study/grammar/engine.h). */
#include "study/engines/replay/replay_engine.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "study/engines/replay/replay_wing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- before a run ---- */

static enum hc_status check(const void *bound, const struct hc_node *root,
                            struct hc_refusal *refusal, struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    (void)root;
    if (hc_replay_check_discrepancy(config, refusal))
        return HC_BAD_INPUT;
    enum hc_status status = hc_replay_check_plans(config, refusal, err);
    return status ? status : hc_replay_check_stops(config, refusal, err);
}

static const char *subject(const void *bound, struct hc_arena *arena, struct hc_error *err)
{
    const struct hc_replay_base *base = ((const struct hc_replay_config *)bound)->base;
    char steps[HC_NUMBER_TEXT];
    return hc_arena_format(arena, err, "job %s: %s steps, %d dp ranks of %d stages", base->job.id,
                           hc_format_count((int64_t)base->lanes.n_steps, steps),
                           (int)base->lanes.dp_size, (int)base->lanes.n_stages);
}

static void rules(struct hc_scenario *scenario, const struct hc_node *root)
{
    static const char *const not_asked[] = {"replicas", "first_replica"};
    const struct hc_node *drawn = hc_node_member(hc_node_member(root, "report"), "replica");
    hc_replay_refuse_of_jobs(scenario, root);
    if (drawn)
        hc_scenario_complain(&scenario->errors, &drawn->key_place, "/report/replica",
                             "is for simulations; the step that is drawn is that of "
                             "'/report/perfetto/step'");
    for (size_t i = 0; i < sizeof not_asked / sizeof *not_asked; i++) {
        const struct hc_node *node = hc_node_member(root, not_asked[i]);
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/%s", not_asked[i]);
        if (node)
            hc_scenario_complain(&scenario->errors, &node->key_place, pointer,
                                 "the steps of the trace are what is replayed; how often edits "
                                 "draw is said by 'draws'");
    }
}

static const struct hc_engine *of_data(const struct hc_node *root)
{
    const struct hc_replay_input *input = hc_replay_input_of(root);
    return input && input->profile ? &hc_profile_replay_engine : &hc_replay_engine;
}

/* ---- reports ---- */

static enum hc_status note_deal(struct hc_study_work *work, size_t which,
                                const struct hc_replay_config *config, struct hc_error *err)
{
    const struct hc_dealt *dealt = &config->answer->dealt;
    double n = (double)dealt->n_steps;
    return !dealt->n_steps
               ? HC_OK
               : hc_study_note(work, err,
                               "In %s the fullest dp rank of a step has %.4g of the mean work, "
                               "before %.4g; no deal of its microbatches has less than %.4g.",
                               work->result->run[which].name, dealt->after / n, dealt->before / n,
                               dealt->bound / n);
}

static enum hc_status note_run(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    const struct hc_replay_config *config = work->study->variant[which].point.config;
    return hc_replay_note_empty(work, which, err) || note_deal(work, which, config, err)
               ? err->status
               : hc_replay_note_plan(work, work->result->run[which].name, config, err);
}

const struct hc_engine hc_replay_engine = {
    HC_REPLAY_SHARED_ROW,           .rules = rules,       .of_data = of_data,
    .bind = hc_replay_bind,         .check = check,       .subject = subject,
    .describe = hc_replay_describe, .note_run = note_run, .note_all = hc_replay_note_all,
    .draw = hc_replay_draw,
};
