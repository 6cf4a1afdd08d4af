/* A scenario of a step timeline into the config of the engine, beyond what the table says. */
#include "study/engines/replay/replay_wing.h"
#include "study/grammar/data_provider.h"

#include <stdio.h>
#include <string.h>

/* ---- which of them ---- */

static bool has_lists(const struct hc_node *variants)
{
    for (const struct hc_node *child = variants ? variants->first : NULL; child;
         child = child->next)
        if (child->type == HC_NODE_ARRAY)
            return true;
    return false;
}

static const struct hc_edit *find_edit(const struct hc_replay_config *config, const char *name)
{
    for (size_t i = 0; i < config->n_named; i++)
        if (strcmp(config->named[i].name, name) == 0)
            return &config->named[i];
    return NULL;
}

static enum hc_status refuse_name(const struct hc_replay_config *config, const char *name,
                                  size_t at, struct hc_refusal *refusal)
{
    const char *names[256];
    char pointer[64];
    size_t n = 0;
    for (; n < config->n_named && n < 256; n++)
        names[n] = config->named[n].name;
    snprintf(pointer, sizeof pointer, "/apply/%zu", at);
    return hc_refuse(refusal, pointer, "there is no edit '%s'%s", name,
                     hc_did_you_mean(name, names, n).text);
}

static enum hc_status choose_edits(struct hc_replay_config *config, const struct hc_node *root,
                                   struct hc_arena *arena, struct hc_refusal *refusal,
                                   struct hc_error *err)
{
    const struct hc_node *apply = hc_node_member(root, "apply");
    if (!apply) {
        config->n_edits = has_lists(hc_node_member(root, "variants")) ? 0 : config->n_named;
        config->edits = config->named;
        return HC_OK;
    }
    config->edits = hc_arena_new(arena, (apply->n + 1) * sizeof *config->edits, err);
    if (!config->edits)
        return err->status;
    for (const struct hc_node *child = apply->first; child; child = child->next) {
        const struct hc_edit *edit = find_edit(config, child->text);
        if (!edit)
            return refuse_name(config, child->text, config->n_edits, refusal);
        config->edits[config->n_edits++] = *edit;
    }
    return HC_OK;
}

/* ---- collectives where their inputs are ready ---- */

/* The plan that an edit asks for by its `when`: that of the trace, but for the reductions. */
static struct hc_edit ready_plan(const struct hc_edit *edit)
{
    return (struct hc_edit){.name = edit->name,
                            .kind = HC_EDIT_REARRANGE,
                            .stream = edit->stream,
                            .rearrange = {.dp_when_ready = true, .is_overlap = true}};
}

static bool asks_for_plan(const struct hc_replay_config *config, const struct hc_edit *edit)
{
    return edit->kind == HC_EDIT_OVERLAP && edit->overlap.when == HC_WHEN_INPUTS_READY &&
           hc_step_lanes_vpp_size(&config->base->lanes) > 1;
}

static struct hc_edit *find_plan(struct hc_edit *edits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (edits[i].kind == HC_EDIT_REARRANGE)
            return &edits[i];
    return NULL;
}

/* Before the first edit that asks for it, unless an edit before gives the job a plan: then that has
 * the reductions so. */
static enum hc_status add_ready_plan(struct hc_replay_config *config, struct hc_arena *arena,
                                     struct hc_error *err)
{
    size_t first = 0;
    while (first < config->n_edits && !asks_for_plan(config, &config->edits[first]))
        first++;
    if (first == config->n_edits)
        return HC_OK;
    struct hc_edit *all = hc_arena_new(arena, (config->n_edits + 1) * sizeof *all, err);
    if (!all)
        return err->status;
    memcpy(all, config->edits, first * sizeof *all);
    struct hc_edit *plan = find_plan(all, first);
    if (plan)
        plan->rearrange.dp_when_ready = true;
    else
        all[first] = ready_plan(&config->edits[first]);
    memcpy(all + first + !plan, config->edits + first, (config->n_edits - first) * sizeof *all);
    config->n_edits += !plan;
    config->edits = all;
    return HC_OK;
}

/* ---- all of it ---- */

enum hc_status hc_replay_new_answer(struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err)
{
    struct hc_replay_answer *answer = hc_arena_new(arena, sizeof *answer, err);
    size_t n = config->untouched.n;
    if (!answer)
        return err->status;
    config->answer = answer;
    answer->times =
        (struct hc_edited_times){.span = hc_arena_new(arena, n * sizeof(double), err),
                                 .end = hc_arena_new(arena, n * sizeof(double), err),
                                 .ideal_span = hc_arena_new(arena, n * sizeof(double), err),
                                 .ideal_end = hc_arena_new(arena, n * sizeof(double), err)};
    answer->n_selected =
        hc_arena_new(arena, (config->n_edits + 1) * sizeof *answer->n_selected, err);
    return answer->times.span && answer->times.end && answer->times.ideal_span &&
                   answer->times.ideal_end && answer->n_selected
               ? HC_OK
               : err->status;
}

const struct hc_replay_input *hc_replay_input_of(const struct hc_node *root)
{
    const struct hc_node *input = hc_node_member(root, "input");
    const struct hc_node *file = hc_node_member(input, "file"),
                         *name = file ? file : hc_node_member(input, "job");
    return name && name->source ? name->source->timeline : NULL;
}

/* From the first step of the trace to its last, those left out among them. */
static int64_t count_period(const struct hc_step_lanes *lanes)
{
    int64_t first = lanes->steps[0], last = lanes->steps[lanes->n_steps - 1];
    for (size_t i = 0; i < lanes->n_left_out; i++) {
        first = lanes->left_out[i].step < first ? lanes->left_out[i].step : first;
        last = lanes->left_out[i].step > last ? lanes->left_out[i].step : last;
    }
    return last - first + 1;
}

/* The job as figures know it, whatever its traces are. */
static void take_steps(struct hc_replay_config *config, const struct hc_replay_base *base)
{
    config->base = base;
    config->job = &base->job;
    config->replay_draws = hc_timeline_replay_draws;
    config->n_gpus = (double)base->n_gpus;
    config->n_workers = (double)base->n_workers;
    config->untouched = (struct hc_replay_untouched){.n = base->lanes.n_steps,
                                                     .number = base->lanes.steps,
                                                     .n_numbered = base->lanes.n_steps,
                                                     .n_period = count_period(&base->lanes),
                                                     .discrepancy = base->discrepancy,
                                                     .traced_ns = base->lanes.traced_ns,
                                                     .span_ns = base->span_ns,
                                                     .end_ns = base->end_ns,
                                                     .ideal_span_ns = base->ideal_span_ns,
                                                     .ideal_end_ns = base->ideal_end_ns};
}

enum hc_status hc_replay_bind_edits(struct hc_replay_config *config, struct hc_scenario *scenario,
                                    const struct hc_node *root, struct hc_refusal *refusal,
                                    struct hc_error *err)
{
    enum hc_status status =
        hc_bind_keys(config, hc_replay_keys, root, &scenario->arena, refusal, err);
    return status ? status : choose_edits(config, root, &scenario->arena, refusal, err);
}

enum hc_status hc_replay_bind(void *bound, struct hc_scenario *scenario, const struct hc_node *root,
                              struct hc_refusal *refusal, struct hc_error *err)
{
    struct hc_replay_config *config = bound;
    const struct hc_replay_input *input = hc_replay_input_of(root);
    *config = (struct hc_replay_config){.has_plan = hc_replay_has_plan(root)};
    if (!input)
        return hc_refuse(refusal, "/input", "the steps of the job were not read");
    if (!input->steps)
        return hc_refuse(refusal, "/input",
                         "is profiler traces, and that of the scenario itself a step timeline: "
                         "take two scenarios");
    take_steps(config, input->steps);
    enum hc_status status = hc_replay_bind_edits(config, scenario, root, refusal, err);
    if (status == HC_OK)
        status = add_ready_plan(config, &scenario->arena, err);
    if (status == HC_OK)
        status = hc_replay_bind_picture(config, root, refusal);
    if (status == HC_OK)
        status = hc_replay_new_answer(config, &scenario->arena, err);
    return status ? status : hc_replay_new_paths(config, &scenario->arena, err);
}
