/* What pictures need: a step op by op, untouched and as a run has it. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/missing.h"
#include "sim/replay/op_times.h"
#include "study/run/study_run.h"

#include <stdlib.h>

/* ---- what is asked ---- */

static bool is_variant(const struct hc_node *root, const char *name)
{
    return strcmp(name, "base") == 0 || strcmp(name, "both") == 0 ||
           hc_node_member(hc_node_member(root, "variants"), name);
}

static bool is_replayed(const struct hc_replay_untouched *untouched, double step)
{
    for (size_t s = 0; s < untouched->n; s++)
        if (untouched->number[s] == step)
            return true;
    return false;
}

enum hc_status hc_replay_bind_picture(struct hc_replay_config *config, const struct hc_node *root,
                                      struct hc_refusal *refusal)
{
    const struct hc_replay_untouched *untouched = &config->untouched;
    const struct hc_node *perfetto = hc_node_member(hc_node_member(root, "report"), "perfetto"),
                         *variant = hc_node_member(perfetto, "variant"),
                         *step = hc_node_member(perfetto, "step");
    config->picture.step = HC_MISSING_I32;
    if (variant && !is_variant(root, variant->text))
        return hc_refuse(refusal, "/report/perfetto/variant", "there is no variant '%s'",
                         variant->text);
    if (variant && strcmp(variant->text, "both") != 0)
        config->picture.variant = variant->text;
    if (step && !is_replayed(untouched, step->number))
        return hc_refuse(refusal, "/report/perfetto/step",
                         "step %s is not among the %zu that are replayed, from %d to %d",
                         step->text, untouched->n, (int)untouched->number[0],
                         (int)untouched->number[untouched->n - 1]);
    if (step)
        config->picture.step = (int32_t)step->number;
    return HC_OK;
}

/* ---- one step ---- */

struct drawing {
    const struct hc_replay_config *config;
    size_t step; /* index */
    int32_t number;
    struct hc_timeline_source *source;
    struct hc_timeline_step *to;
    struct hc_op_times times;
    struct hc_arena *arena;
};

static int compare_ops(const void *x, const void *y)
{
    const struct hc_timeline_op *a = x, *b = y;
    if (a->dp_rank != b->dp_rank)
        return a->dp_rank < b->dp_rank ? -1 : 1;
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type ? -1 : 1;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

/* Ranks are those of the trace where the plan has its workers. */
static int32_t rank_of(const struct drawing *d, const struct hc_step_lanes *lanes, size_t dp_rank,
                       int32_t stage)
{
    const struct hc_replay_base *base = d->config->base;
    bool is_same = lanes->dp_size == base->lanes.dp_size && lanes->n_stages == base->lanes.n_stages;
    return is_same ? base->rank[hc_replay_worker(base, dp_rank, stage)] : HC_MISSING_I32;
}

/* All ops of the step, by worker, type and seq, with the step's length. */
static enum hc_status list_ops(struct drawing *d, const struct hc_step_lanes *lanes,
                               const struct hc_step_structure *of, struct hc_error *err)
{
    size_t width = d->times.width, n = d->times.n_ops * width;
    struct hc_timeline_op *ops = hc_arena_new(d->arena, n * sizeof *ops, err);
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    if (!ops)
        return err->status;
    for (size_t p = 0; p < d->times.n_ops; p++)
        for (size_t l = 0; l < width; l++) {
            struct hc_timeline_op *op = &ops[p * width + l];
            const struct hc_graph_op *what = &of->graph.ops[of->order.op_at[p]];
            *op = hc_op_times_op(&d->times, p, of, (int32_t)l, rank_of(d, lanes, l, what->stage));
            first_ns = op->start_ns < first_ns ? op->start_ns : first_ns;
            last_ns = op->end_ns > last_ns ? op->end_ns : last_ns;
        }
    qsort(ops, n, sizeof *ops, compare_ops);
    *d->to = (struct hc_timeline_step){.step = d->number,
                                       .timeline = HC_TIMELINE_REPLAYED,
                                       .span_ns = last_ns - first_ns,
                                       .recorded_ns = d->config->base->lanes.traced_ns[d->step],
                                       .n_ops = n,
                                       .n_pairs = of->graph.n_groups,
                                       .ops = ops,
                                       .source = d->source};
    return HC_OK;
}

static void describe_source(struct hc_timeline_source *source, const struct hc_replay_base *base,
                            const struct hc_step_lanes *lanes)
{
    *source = (struct hc_timeline_source){.job = &base->job,
                                          .dp_size = lanes->dp_size,
                                          .n_stages = lanes->n_stages,
                                          .n_steps = base->lanes.n_steps,
                                          .n_left_out = base->lanes.n_left_out,
                                          .steps = base->lanes.steps,
                                          .left_out = base->lanes.left_out,
                                          .n_ops = base->lanes.n_rows,
                                          .clamped_transfers = base->lanes.clamped_transfers,
                                          .clamped_delays = base->lanes.clamped_delays,
                                          .hides_waiting = base->hides_waiting};
}

static enum hc_status look(void *context, const struct hc_edited_lanes *lanes, struct hc_error *err)
{
    struct drawing *d = context;
    const struct hc_step_lanes *of = &lanes->base->lanes;
    struct hc_step_place *places = hc_step_places(of, err);
    if (!places)
        return err->status;
    struct hc_step_place place = places[d->step];
    struct hc_lane_block block = *place.block;
    size_t i = (size_t)(place.structure - of->structures),
           k = (size_t)(place.block - place.structure->blocks);
    bool has_delays = lanes->delays.duration;
    free(places);
    block.duration = lanes->rows.duration[i][k];
    block.delay = has_delays ? lanes->delays.duration[i][k] : NULL;
    place.block = &block;
    describe_source(d->source, d->config->base, of);
    if (hc_op_times_find(&d->times, &place, of->dp_size,
                         has_delays ? HC_TIMELINE_TRACED : HC_TIMELINE_REPLAYED, err))
        return err->status;
    return list_ops(d, of, place.structure, err);
}

/* ---- the picture ---- */

size_t hc_replay_choose_run(const struct hc_study_result *result, const char *name)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (name ? strcmp(result->run[r].name, name) == 0
                 : hc_replay_run_findings(&result->run[r])->n_effects > 0)
            return r;
    return 0;
}

static size_t find_step(const struct hc_replay_base *base, int32_t step)
{
    size_t s = 0;
    while (step != HC_MISSING_I32 && s + 1 < base->lanes.n_steps && base->lanes.steps[s] != step)
        s++;
    return s;
}

enum hc_status hc_replay_draw(struct hc_study_answer *answer, struct hc_error *err)
{
    struct hc_study_result *result = &answer->result;
    struct hc_replay_detail *base = result->run[0].detail;
    size_t r = hc_replay_choose_run(result, base->config->picture.variant);
    const struct hc_replay_config *config =
        ((const struct hc_replay_detail *)result->run[r].detail)->config;
    struct hc_replay_picture *picture = hc_arena_new(&answer->arena, sizeof *picture, err);
    if (!picture)
        return err->status;
    struct drawing d = {.config = config,
                        .step = find_step(config->base, base->config->picture.step),
                        .source = &picture->source,
                        .to = &picture->untouched,
                        .arena = &answer->arena};
    picture->run = result->n_runs == 1 ? "edited" : result->run[r].name;
    d.number = picture->step = config->base->lanes.steps[d.step];
    enum hc_status status = hc_replay_look(config, 0, 0, look, &d, err);
    d.source = &picture->edited_source;
    d.to = &picture->edited;
    if (!status && config->n_edits)
        status = hc_replay_look(config, config->n_edits, 0, look, &d, err);
    hc_op_times_fini(&d.times);
    if (!status)
        base->findings.picture = picture;
    return status;
}
