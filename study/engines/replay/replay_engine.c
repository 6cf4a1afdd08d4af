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
    if (!(fabs(config->base->discrepancy) <= config->max_discrepancy))
        return hc_refuse(refusal, "/input/max_discrepancy",
                         "the replay of the untouched job is %+.3g %% off its trace, %.3g %% at "
                         "most: what is changed of it says little of the job",
                         1e2 * config->base->discrepancy, 1e2 * config->max_discrepancy);
    enum hc_status status = hc_replay_check_plans(config, refusal, err);
    return status ? status : hc_replay_check_stops(config, refusal, err);
}

static void settle(void *config, const struct hc_run_settings *settings)
{
    ((struct hc_replay_config *)config)->settings = *settings;
}

static int32_t n_replicas(const void *config)
{
    return (int32_t)hc_replay_n_blocks(config);
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

/* ---- replicas ---- */

/* An edit that makes a duration negative is a mistake that only the replay finds. */
static enum hc_status name_edit(const struct hc_replay_config *config, size_t failed,
                                struct hc_error *err)
{
    return hc_context(err, "/edits/%s", config->edits[failed].name);
}

static enum hc_status replay_draw(const struct hc_replay_config *config, uint32_t draw,
                                  int64_t *n_selected, struct hc_error *err)
{
    struct hc_replay_answer *answer = config->answer;
    const struct hc_edited_job job = {config->base, config->edits, config->n_edits};
    const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, draw};
    struct hc_edited_outcome outcome = {.times = &answer->times,
                                        .n_selected = n_selected,
                                        .take = answer->paths ? hc_replay_add_paths : NULL,
                                        .context = answer->paths};
    size_t failed = 0;
    enum hc_status status = hc_edited_job_replay(&outcome, &job, &draws, &failed, err);
    if (status == HC_BAD_INPUT)
        status = name_edit(config, failed, err);
    if (!status && !draw) {
        memcpy(answer->n_selected, n_selected, config->n_edits * sizeof *n_selected);
        answer->dp_size = outcome.dp_size;
        answer->n_stages = outcome.n_stages;
        answer->work = outcome.work;
        answer->extrapolation = outcome.extrapolation;
        answer->dealt = outcome.dealt;
    }
    return status;
}

static enum hc_status find_answer(const struct hc_replay_config *config, struct hc_error *err)
{
    struct hc_replay_answer *answer = config->answer;
    size_t n = config->base->lanes.n_steps;
    uint32_t n_draws = hc_replay_n_draws(config);
    int64_t *n_selected = hc_new_array(config->n_edits, sizeof *n_selected, err);
    enum hc_status status = n_selected ? HC_OK : err->status;
    for (uint32_t draw = 0; draw < n_draws && !status; draw++)
        status = replay_draw(config, draw, n_selected, err);
    free(n_selected);
    if (status)
        return status;
    double *const all[] = {answer->times.span, answer->times.end, answer->times.ideal_span,
                           answer->times.ideal_end};
    for (size_t i = 0; i < 4; i++)
        for (size_t s = 0; s < n; s++)
            all[i][s] /= n_draws;
    answer->is_there = true;
    return HC_OK;
}

enum hc_status hc_replay_steps(struct hc_replay_steps *steps, const void *bound,
                               struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    if (!config->answer->is_there && find_answer(config, err))
        return err->status;
    *steps = (struct hc_replay_steps){.n_steps = config->base->lanes.n_steps,
                                      .traced_ns = config->base->lanes.traced_ns,
                                      .untouched_ns = config->base->span_ns,
                                      .edited_ns = config->answer->times.span};
    return HC_OK;
}

static enum hc_status run(const void *bound, uint64_t first, size_t n, void *replicas,
                          struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    struct hc_replay_block *to = replicas;
    if (!config->answer->is_there && find_answer(config, err))
        return err->status;
    for (size_t i = 0; i < n; i++)
        to[i] = hc_replay_block_of(config, first + i);
    return HC_OK;
}

/* ---- reports ---- */

static void start_detail(void *detail, const void *config)
{
    *(struct hc_replay_detail *)detail = (struct hc_replay_detail){.config = config};
}

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
    for (size_t i = 0; i < config->n_edits; i++)
        if (!config->answer->n_selected[i] &&
            hc_study_note(work, err, "Of %s, the edit '%s' (/edits/%s) selects nothing.",
                          work->result->run[which].name, config->edits[i].name,
                          config->edits[i].name))
            return err->status;
    return note_deal(work, which, config, err)
               ? err->status
               : hc_replay_note_plan(work, work->result->run[which].name, config, err);
}

/* As reports/study/replay shows them. */
static const char *const tables[] = {"edits", "steps", "critical_path", "gain", NULL};

const struct hc_engine hc_replay_engine = {
    .name = "replay",
    .title = "The steps of a job, changed",
    .one = "step",
    .many = "steps",
    .events = "draws",
    .keys = hc_replay_keys,
    .figures = hc_replay_figures,
    .tables = tables,
    .config_size = sizeof(struct hc_replay_config),
    .replica_size = sizeof(struct hc_replay_block),
    .detail_size = sizeof(struct hc_replay_detail),
    .rules = rules,
    .bind = hc_replay_bind,
    .check = check,
    .settle = settle,
    .n_replicas = n_replicas,
    .run = run,
    .subject = subject,
    .start_detail = start_detail,
    .describe = hc_replay_describe,
    .note_run = note_run,
    .note_all = hc_replay_note_all,
    .draw = hc_replay_draw,
};
