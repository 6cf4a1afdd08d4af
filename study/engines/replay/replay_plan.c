/* Edits that give the job another plan: their keys, and why a plan cannot be. */
#include "study/binding/key_binding.h"
#include "study/engines/replay/replay_wing.h"

#include "core/text/number_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const schedules[] = {"measured", "1f1b", "interleaved", "gpipe", NULL};
static const char *const layers[] = {"keep", "move", NULL};
static const char *const orders[] = {"reversed", "ascending", NULL};

#define EDIT(member) HC_KEY_BOUND(hc_edit, member)

const struct hc_scenario_key hc_replay_rearrange_keys[] = {
    {"schedule", HC_KEY_CHOICE, .choices = schedules, .value = "\"measured\"",
     EDIT(rearrange.schedule),
     .help = "In which order the stages compute; `measured` is `interleaved` where the trace has "
             "several chunks a stage, else `1f1b`."},
    {"chunks", HC_KEY_COUNT, .low = 1, .high = 1000, .unset = "as many as the trace has",
     .needs = "schedule=interleaved", EDIT(rearrange.chunks),
     .help = "Model chunks of each stage, of an interleaved schedule."},
    {"layers", HC_KEY_CHOICE, .choices = layers, .value = "\"keep\"", EDIT(rearrange.layers),
     .help = "Each worker keeps its work, cut into equal chunks; or layers move to where an "
             "interleaved model has them."},
    {"order", HC_KEY_CHOICE, .choices = orders, .value = "\"reversed\"", .needs = "schedule=gpipe",
     EDIT(rearrange.order), .help = "Of the backward passes of GPipe."},
    {"microbatches", HC_KEY_COUNT, .low = 1, .high = 100000, .unset = "as many as the trace has",
     EDIT(rearrange.microbatches),
     .help = "Of a step and dp rank: the first ones of the trace, over and over again."},
    {"stages", HC_KEY_COUNT, .low = 1, .high = 10000, .unset = "as many as the trace has",
     EDIT(rearrange.stages),
     .help = "Pipeline stages: neighbours are joined, or each is cut into equal parts; one number "
             "divides the other."},
    {.name = NULL},
};

const struct hc_scenario_key hc_replay_extrapolate_keys[] = {
    {"dp", HC_KEY_COUNT, .is_required = true, .low = 1, .high = 100000, EDIT(extrapolate.dp),
     .help = "Data-parallel ranks: each drawn from those of the trace, and for each step one of "
             "the steps of that rank."},
    {.name = NULL},
};

bool hc_replay_has_plan(const struct hc_node *root)
{
    const struct hc_node *edits = hc_node_member(root, "edits");
    for (const struct hc_node *edit = edits ? edits->first : NULL; edit; edit = edit->next)
        if (hc_node_member(edit, "rearrange") || hc_node_member(edit, "extrapolate"))
            return true;
    return false;
}

/* ---- why not ---- */

enum hc_status hc_replay_check_plans(const struct hc_replay_config *config,
                                     struct hc_refusal *refusal, struct hc_error *err)
{
    const struct hc_edited_job job = {config->base, config->edits, config->n_edits};
    struct hc_job_refusal why = {.edit = 0};
    char pointer[HC_POINTER_SIZE];
    struct hc_error wrong = {.status = HC_OK};
    enum hc_status status = hc_edited_job_check(&job, &why, &wrong);
    if (status != HC_BAD_INPUT) {
        if (status)
            *err = wrong;
        return status;
    }
    const struct hc_edit *edit = &config->edits[why.edit];
    if (edit->rearrange.is_overlap)
        snprintf(pointer, sizeof pointer, "/edits/%s/overlap/when", edit->name);
    else
        snprintf(pointer, sizeof pointer, "/edits/%s/%s%s%s", edit->name,
                 edit->kind == HC_EDIT_REARRANGE ? "rearrange" : "extrapolate",
                 *why.plan.member ? "/" : "", why.plan.member);
    return hc_refuse(refusal, pointer, "%s", wrong.message);
}

/* ---- what is said of an extrapolation ---- */

/* From here on steps are said to take at least what was drawn. */
#define LARGE_SHORTAGE 0.01
/* And a tail beyond the data is said. */
#define LARGE_BEYOND 0.1

static enum hc_status note_split(struct hc_study_work *work, const char *name,
                                 const struct hc_extrapolation *e, struct hc_error *err)
{
    char from[HC_NUMBER_TEXT], to[HC_NUMBER_TEXT];
    hc_format_count(e->from, from);
    hc_format_count(e->to, to);
    if (isnan(e->of_rank))
        return hc_study_note(work, err,
                             "%s has %s dp ranks drawn from %s; one step does not tell what "
                             "persists by rank from what varies by step.",
                             name, to, from);
    double all = e->of_rank + e->of_step + e->of_rest;
    double share = all > 0 ? 1e2 / all : 0;
    return hc_study_note(work, err,
                         "%s has %s dp ranks drawn from %s. Of the variance of a rank's step "
                         "(standard deviation %.3g %%), %.3g %% persists by rank, %.3g %% is "
                         "common to all ranks of a step, %.3g %% varies by rank and step. "
                         "Transfers of collectives are those of %s ranks.",
                         name, to, from, 1e2 * sqrt(all), share * e->of_rank, share * e->of_step,
                         share * e->of_rest, from);
}

static enum hc_status note_extrapolation(struct hc_study_work *work, const char *name,
                                         const struct hc_extrapolation *e, struct hc_error *err)
{
    char columns[HC_NUMBER_TEXT];
    if (!e->to)
        return HC_OK;
    if (note_split(work, name, e, err))
        return err->status;
    if (e->short_by >= LARGE_SHORTAGE &&
        hc_study_note(work, err,
                      "The steps of %s take at least what is said: no drawn rank is slower "
                      "throughout than the slowest that was measured, and the slowest of so many "
                      "may be slower by some %.2g %% of a step if ranks are spread normally.",
                      name, 1e2 * e->short_by))
        return err->status;
    if (e->beyond >= LARGE_BEYOND &&
        hc_study_note(work, err,
                      "In %.2g %% of the steps of %s some rank would be slower than any of the %s "
                      "columns (rank and step) that were measured: that tail lies beyond the data.",
                      1e2 * e->beyond, name, hc_format_count(e->n_columns, columns)))
        return err->status;
    return HC_OK;
}

/* ---- what is said of another plan ---- */

enum hc_status hc_replay_note_plan(struct hc_study_work *work, const char *name,
                                   const struct hc_replay_config *config, struct hc_error *err)
{
    double does = config->answer->work;
    if (does != 1 &&
        hc_study_note(work, err,
                      "A step of %s does %.4g times the work of one of the untouched job "
                      "(microbatches of all dp ranks); GPU-hours gained are for the same work.",
                      name, does))
        return err->status;
    return note_extrapolation(work, name, &config->answer->extrapolation, err);
}

enum hc_status hc_replay_note_plans(struct hc_study_work *work, struct hc_error *err)
{
    bool has_any = false, moves = false;
    for (size_t i = 0; i < work->study->n_variants; i++) {
        const struct hc_replay_config *config = work->study->variant[i].point.config;
        for (size_t k = 0; k < config->n_edits; k++) {
            bool is_plan = config->edits[k].kind == HC_EDIT_REARRANGE;
            has_any |= is_plan;
            moves |= is_plan && config->edits[k].rearrange.layers == HC_LAYERS_MOVE;
        }
    }
    if (has_any &&
        hc_study_note(work, err,
                      "Other plans are made of the durations measured: transfers that were not "
                      "measured take the median of their type, and whether a plan fits into memory "
                      "is not known."))
        return err->status;
    return moves ? hc_study_note(work, err,
                                 "Layers move with what was measured of them: where a worker was "
                                 "slow, its slowness moves, too.")
                 : HC_OK;
}
