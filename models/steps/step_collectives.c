/* step_collectives.c - data-parallel gathers and reductions, and the chain after the last pass. */
#include "models/steps/step_builder.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- 3.5 to 3.7: data-parallel collectives ---- */

static int compare_seq(const void *x, const void *y, void *ops)
{
    const struct hc_graph_op *a = (const struct hc_graph_op *)ops + *(const uint32_t *)x;
    const struct hc_graph_op *b = (const struct hc_graph_op *)ops + *(const uint32_t *)y;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

/* A copy of a list of ops, ordered by seq id; the caller's to free. */
static uint32_t *new_list_by_seq(struct hc_step_builder *b, struct hc_op_list list)
{
    uint32_t *sorted = hc_new_array(list.n, sizeof *sorted, b->err);
    if (!sorted)
        return NULL;
    memcpy(sorted, list.op, list.n * sizeof *sorted);
    qsort_r(sorted, list.n, sizeof *sorted, compare_seq, (void *)b->ops);
    return sorted;
}

/* Of the passes of a chunk: the forward that starts first, or the backward that ends last; the
 * first in the list when times are equal. HC_NO_OP when the chunk has none. */
static uint32_t edge_pass(const struct hc_step_builder *b, int32_t stage, int pass, int32_t chunk)
{
    struct hc_op_list passes = hc_builder_list(b, stage, pass);
    uint32_t best = HC_NO_OP;
    for (size_t i = 0; i < passes.n; i++) {
        uint32_t op = passes.op[i];
        if (b->ops[op].model_chunk != chunk)
            continue;
        if (best == HC_NO_OP ||
            (pass == HC_BACKWARD_COMPUTE && b->ops[op].end_ns > b->ops[best].end_ns))
            best = op;
    }
    return best;
}

static bool seen_chunk(const struct hc_step_builder *b, const uint32_t *op, size_t n, int32_t chunk)
{
    for (size_t i = 0; i < n; i++)
        if (b->ops[op[i]].model_chunk == chunk)
            return true;
    return false;
}

static enum hc_status fail_chunk(struct hc_step_builder *b, uint32_t op, int pass)
{
    char text[96];
    hc_graph_op_describe(&b->ops[op], text, sizeof text);
    return hc_fail(b->err, HC_BAD_INPUT, "%s is for model chunk %d, of which the stage has no %s",
                   text, b->ops[op].model_chunk == HC_MISSING_I32 ? -1 : b->ops[op].model_chunk,
                   hc_op_type_name(pass));
}

/* The first forward of each chunk waits for the chunk's last gather. */
static enum hc_status add_gathers(struct hc_step_builder *b, int32_t stage)
{
    struct hc_op_list list = hc_builder_list(b, stage, HC_PARAMS_ALL_GATHER);
    uint32_t *gathers = new_list_by_seq(b, list);
    if (!gathers)
        return b->err->status;
    enum hc_status status = HC_OK;
    for (size_t i = list.n; status == HC_OK && i-- > 0;) {
        int32_t chunk = b->ops[gathers[i]].model_chunk;
        if (seen_chunk(b, gathers + i + 1, list.n - i - 1, chunk))
            continue;
        uint32_t pass = edge_pass(b, stage, HC_FORWARD_COMPUTE, chunk);
        status = pass == HC_NO_OP ? fail_chunk(b, gathers[i], HC_FORWARD_COMPUTE)
                                  : hc_builder_edge(b, gathers[i], pass);
    }
    free(gathers);
    return status;
}

/* Tolerance of "after the end of", as the recorder of a trace notes one end later than another. */
#define IN_LINE_EPSILON_NS 50000

/* Of the passes [of b->passes] of a chunk, the first that starts when the gather has; n_passes when
 * there is none. */
static size_t pass_behind(const struct hc_step_builder *b, uint32_t gather)
{
    const struct hc_graph_op *op = &b->ops[gather];
    for (size_t i = 0; i < b->n_passes; i++) {
        const struct hc_graph_op *pass = &b->ops[b->passes[i]];
        if (pass->model_chunk == op->model_chunk && pass->start_ns >= op->start_ns)
            return i;
    }
    return b->n_passes;
}

/* Sharded parameters without a pipeline (FSDP): each gather, in the backward pass too, comes before
 * the piece of a pass that it is for, and behind the piece before where that had ended: then it was
 * not fetched ahead. */
static enum hc_status add_gathers_in_line(struct hc_step_builder *b, int32_t stage)
{
    struct hc_op_list list = hc_builder_list(b, stage, HC_PARAMS_ALL_GATHER);
    for (size_t i = 0; i < list.n; i++) {
        uint32_t gather = list.op[i];
        size_t behind = pass_behind(b, gather);
        if (behind == b->n_passes)
            return fail_chunk(b, gather, HC_FORWARD_COMPUTE);
        if (hc_builder_edge(b, gather, b->passes[behind]))
            return b->err->status;
        uint32_t before = behind ? b->passes[behind - 1] : HC_NO_OP;
        if (before != HC_NO_OP &&
            b->ops[before].end_ns <= b->ops[gather].start_ns + IN_LINE_EPSILON_NS &&
            hc_builder_edge(b, before, gather))
            return b->err->status;
    }
    return HC_OK;
}

/* With overlap, the first reduction of each chunk waits for the chunk's last backward. */
static enum hc_status add_overlapped_reductions(struct hc_step_builder *b, int32_t stage)
{
    struct hc_op_list list = hc_builder_list(b, stage, HC_GRADS_REDUCE_SCATTER);
    uint32_t *reductions = new_list_by_seq(b, list);
    if (!reductions)
        return b->err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < list.n; i++) {
        int32_t chunk = b->ops[reductions[i]].model_chunk;
        if (seen_chunk(b, reductions, i, chunk))
            continue;
        uint32_t pass = edge_pass(b, stage, HC_BACKWARD_COMPUTE, chunk);
        status = pass == HC_NO_OP ? fail_chunk(b, reductions[i], HC_BACKWARD_COMPUTE)
                                  : hc_builder_edge(b, pass, reductions[i]);
    }
    free(reductions);
    return status;
}

/* Gathers and reductions of a stage share one stream. */
static enum hc_status add_dp_stream(struct hc_step_builder *b, int32_t stage)
{
    struct hc_op_list gathers = hc_builder_list(b, stage, HC_PARAMS_ALL_GATHER);
    struct hc_op_list reductions = hc_builder_list(b, stage, HC_GRADS_REDUCE_SCATTER);
    size_t n = gathers.n + reductions.n;
    uint32_t *stream = hc_new_array(n, sizeof *stream, b->err);
    if (!stream)
        return b->err->status;
    memcpy(stream, gathers.op, gathers.n * sizeof *stream);
    memcpy(stream + gathers.n, reductions.op, reductions.n * sizeof *stream);
    qsort_r(stream, n, sizeof *stream, hc_builder_compare_start, (void *)b->ops);
    enum hc_status status = hc_builder_chain(b, stream, n);
    free(stream);
    return status;
}

enum hc_status hc_rules_dp(struct hc_step_builder *b, int32_t stage)
{
    if (!b->uses_dp)
        return HC_OK;
    bool is_in_line = b->overlaps_dp && b->n_stages == 1;
    if (add_dp_stream(b, stage) ||
        (is_in_line ? add_gathers_in_line(b, stage) : add_gathers(b, stage)))
        return b->err->status;
    return b->overlaps_dp ? add_overlapped_reductions(b, stage) : HC_OK;
}

/* ---- 3.8: after the last pass ---- */

static const char *meaning_of(int type)
{
    switch (type) {
    case HC_GC:
        return "the step has no point between its last pass and the gradient synchronisation";
    case HC_OPTIMIZER:
        return "the end of the step is not known";
    case HC_OPTIMIZER_CLIP_MAIN_GRAD:
        return "the barrier over all workers before the optimizer is not known";
    default:
        return "the gradient synchronisation after the last pass is not known";
    }
}

static bool has_any(const struct hc_step_builder *b, int type)
{
    for (int32_t stage = 0; stage < b->n_stages; stage++)
        if (hc_builder_list(b, stage, type).n)
            return true;
    return false;
}

/* What to do about ops of a type that a stage lacks: those that no stage has may be said to be
 * absent, all of them in one line of the metadata, with those that it says already. */
static void advise(const struct hc_step_builder *b, int type, char *text, size_t size)
{
    static const int needed[] = {
        HC_EMBEDDING_GRADS_ALL_REDUCE, HC_GC,        HC_GRADS_REDUCE_SCATTER,
        HC_LAYERNORM_GRADS_ALL_REDUCE, HC_OPTIMIZER, HC_OPTIMIZER_CLIP_MAIN_GRAD,
        HC_SEPARATE_GRADS_ALL_REDUCE};
    if (has_any(b, type)) {
        snprintf(text, size, "the profiler did not record it, or rows are missing");
        return;
    }
    int n = snprintf(text, size,
                     "the profiler did not record it, or the job has none: then its metadata needs "
                     "the line absent_ops: [");
    const char *before = "";
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        bool is_needed = needed[i] == HC_GRADS_REDUCE_SCATTER ? b->uses_dp
                         : needed[i] == HC_SEPARATE_GRADS_ALL_REDUCE
                             ? hc_builder_lacks(b, needed[i])
                             : true;
        if (!is_needed || has_any(b, needed[i]))
            continue;
        n += snprintf(text + n, size - (size_t)n, "%s%s", before, hc_op_type_name(needed[i]));
        before = ", ";
    }
    snprintf(text + n, size - (size_t)n, "]");
}

/* The op that the next op of a stage's chain waits for, and another one where there are two. */
struct chain_end {
    uint32_t last, also;
};

static enum hc_status wait_for(struct hc_step_builder *b, struct chain_end *end, uint32_t op)
{
    if (hc_builder_edge(b, end->last, op) ||
        (end->also != HC_NO_OP && hc_builder_edge(b, end->also, op)))
        return b->err->status;
    *end = (struct chain_end){op, HC_NO_OP};
    return HC_OK;
}

/* Continue the chain with op seq 0 of a type, which the stage must have where the job has any. */
static enum hc_status chain_on(struct hc_step_builder *b, int32_t stage, int type,
                               struct chain_end *end)
{
    if (hc_builder_lacks(b, type))
        return HC_OK;
    uint32_t op = hc_builder_find(b, type, 0, stage);
    if (op != HC_NO_OP)
        return wait_for(b, end, op);
    char advice[400];
    advise(b, type, advice, sizeof advice);
    return hc_fail(b->err, HC_BAD_INPUT, "stage %d has no %s: %s; %s", stage, hc_op_type_name(type),
                   meaning_of(type), advice);
}

static uint32_t last_pass(const struct hc_step_builder *b)
{
    uint32_t last = b->passes[0];
    for (size_t i = 1; i < b->n_passes; i++)
        if (b->ops[b->passes[i]].end_ns > b->ops[last].end_ns)
            last = b->passes[i];
    return last;
}

/* The reductions of a stage, by seq id: with overlap only the last is waited for, else all follow
 * the chain. */
static enum hc_status chain_reductions(struct hc_step_builder *b, int32_t stage,
                                       struct chain_end *end)
{
    if (hc_builder_lacks(b, HC_GRADS_REDUCE_SCATTER))
        return HC_OK;
    struct hc_op_list list = hc_builder_list(b, stage, HC_GRADS_REDUCE_SCATTER);
    if (!list.n) {
        char advice[400];
        advise(b, HC_GRADS_REDUCE_SCATTER, advice, sizeof advice);
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has no grads-reduce-scatter though the job has several "
                       "data-parallel ranks: %s; %s",
                       stage, meaning_of(HC_GRADS_REDUCE_SCATTER), advice);
    }
    uint32_t *reductions = new_list_by_seq(b, list);
    if (!reductions)
        return b->err->status;
    enum hc_status status = HC_OK;
    uint32_t last = reductions[list.n - 1];
    if (b->overlaps_dp)
        end->also = last;
    else if (wait_for(b, end, reductions[0]) || hc_builder_chain(b, reductions, list.n))
        status = b->err->status;
    else
        end->last = last;
    free(reductions);
    return status;
}

enum hc_status hc_rules_tail(struct hc_step_builder *b, int32_t stage)
{
    struct chain_end end = {last_pass(b), HC_NO_OP};
    bool overlapped = b->uses_dp && b->overlaps_dp;
    bool has_embedding = stage == 0 || stage == b->n_stages - 1;
    if (chain_on(b, stage, HC_GC, &end) || (overlapped && chain_reductions(b, stage, &end)) ||
        chain_on(b, stage, HC_LAYERNORM_GRADS_ALL_REDUCE, &end) ||
        (has_embedding && chain_on(b, stage, HC_EMBEDDING_GRADS_ALL_REDUCE, &end)) ||
        (overlapped && chain_on(b, stage, HC_SEPARATE_GRADS_ALL_REDUCE, &end)) ||
        (b->uses_dp && !b->overlaps_dp && chain_reductions(b, stage, &end)) ||
        chain_on(b, stage, HC_OPTIMIZER_CLIP_MAIN_GRAD, &end) ||
        chain_on(b, stage, HC_OPTIMIZER, &end))
        return b->err->status;
    if (hc_builder_lacks(b, HC_OPTIMIZER)) {
        b->ends_step[end.last] = 1;
        if (end.also != HC_NO_OP)
            b->ends_step[end.also] = 1;
    }
    return HC_OK;
}
