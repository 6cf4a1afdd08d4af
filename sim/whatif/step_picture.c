#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"
#include "sim/replay/op_times.h"

#include <stdlib.h>

/* ---- which step ---- */

static enum hc_status choose_step(const struct hc_whatif_analysis *a, size_t *index)
{
    const struct hc_whatif_result *r = a->result;
    int32_t step = a->options->picture_step;
    if (step == HC_MISSING_I32)
        return hc_median_step(index, r, a->err);
    for (*index = 0; *index < r->n_steps; ++*index)
        if (r->steps[*index] == step)
            return HC_OK;
    for (size_t i = 0; i < r->n_left_out; i++)
        if (r->left_out[i].step == step)
            return hc_fail(
                a->err, HC_USAGE, "step %d, which a picture was asked of, is left out%s%s", step,
                r->left_out[i].detail[0] ? ": " : " of the steps asked for", r->left_out[i].detail);
    return hc_fail(a->err, HC_USAGE,
                   "there is no step %d, which a picture was asked of, among the %zu analysed "
                   "(%d to %d)",
                   step, r->n_steps, r->steps[0], r->steps[r->n_steps - 1]);
}

/* ---- the picture ---- */

static int compare_ops(const void *x, const void *y)
{
    const struct hc_picture_op *a = x, *b = y;
    if (a->dp_rank != b->dp_rank)
        return a->dp_rank > b->dp_rank ? 1 : -1;
    if (a->stage != b->stage)
        return a->stage > b->stage ? 1 : -1;
    if (a->traced_start_ns != b->traced_start_ns)
        return a->traced_start_ns > b->traced_start_ns ? 1 : -1;
    if (a->op_type != b->op_type)
        return a->op_type > b->op_type ? 1 : -1;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

static void draw(struct hc_picture_op *to, const struct hc_graph_op *op, double traced[2],
                 double ideal[2])
{
    *to = (struct hc_picture_op){
        .op_type = op->op_type,
        .seq_id = op->seq_id,
        .stage = op->stage,
        .model_chunk = op->model_chunk,
        .microbatch = op->microbatch,
        .traced_start_ns = (int64_t)traced[0],
        .traced_ns = (int64_t)(traced[1] - traced[0]),
        .ideal_start_ns = (int64_t)ideal[0],
        .ideal_ns = (int64_t)(ideal[1] - ideal[0]),
    };
}

static enum hc_status draw_all(const struct hc_whatif_analysis *a,
                               const struct hc_step_structure *of, const struct hc_op_times *traced,
                               const struct hc_op_times *ideal)
{
    struct hc_step_picture *picture = &a->result->depth.picture;
    size_t dp_size = (size_t)a->lanes.dp_size;
    picture->ops = hc_new_array(traced->n_ops * dp_size, sizeof *picture->ops, a->err);
    if (!picture->ops)
        return a->err->status;
    for (size_t d = 0; d < dp_size; d++)
        for (size_t p = 0; p < traced->n_ops; p++) {
            struct hc_picture_op *op = &picture->ops[picture->n_ops++];
            size_t t = hc_op_times_index(traced, p, d), i = hc_op_times_index(ideal, p, d);
            draw(op, &of->graph.ops[of->order.op_at[p]],
                 (double[]){traced->transfer[t], traced->end[t]},
                 (double[]){ideal->transfer[i], ideal->end[i]});
            op->dp_rank = (int32_t)d;
            op->rank = hc_census_rank(a->trace->census, op->dp_rank, op->stage);
        }
    qsort(picture->ops, picture->n_ops, sizeof *picture->ops, compare_ops);
    return HC_OK;
}

static enum hc_status find_times(const struct hc_whatif_analysis *a, size_t index,
                                 const struct hc_step_place *place)
{
    struct hc_step_picture *picture = &a->result->depth.picture;
    struct hc_op_times traced = {0}, ideal = {0};
    enum hc_status status =
        hc_op_times_find(&traced, place, a->lanes.dp_size, HC_TIMELINE_TRACED, a->err);
    if (status == HC_OK)
        status = hc_op_times_find(&ideal, place, a->lanes.dp_size, HC_TIMELINE_IDEAL, a->err);
    if (status == HC_OK)
        status = draw_all(a, place->structure, &traced, &ideal);
    hc_op_times_fini(&traced);
    hc_op_times_fini(&ideal);
    picture->step = a->result->steps[index];
    picture->traced_span_ns = a->result->traced_ns[index];
    picture->ideal_span_ns = a->result->ideal_ns[index];
    picture->done = status == HC_OK;
    return status;
}

enum hc_status hc_step_picture_find(struct hc_whatif_analysis *analysis)
{
    size_t index = 0;
    if (choose_step(analysis, &index))
        return analysis->err->status;
    struct hc_step_place *places = hc_step_places(&analysis->lanes, analysis->err);
    if (!places)
        return analysis->err->status;
    enum hc_status status = find_times(analysis, index, &places[index]);
    free(places);
    return status;
}
