/* step_rules.c - from the ops of a template step to edges and groups: the rules of spec
 * straggler-whatif 3 (edges) and 4 (groups), in its order. */
#include "core/int_map.h"
#include "core/memory.h"
#include "core/op_type.h"
#include "core/table.h"
#include "models/step_graph.h"

#include <stdlib.h>
#include <string.h>

/* Tolerance of "before the last start" and "after the first end" (spec 3.3). */
#define LIVE_EPSILON_NS 50000

#define NO_OP UINT32_MAX

/* The ops of one stage and type, in order of start. */
struct op_list {
    const uint32_t *op;
    size_t n;
};

struct builder {
    const struct hc_graph_op *ops;
    size_t n_ops;
    int32_t n_stages, n_chunks; /* P; V = largest model chunk + 1 */
    bool uses_dp, overlaps_dp;

    uint32_t *order;      /* ops by (stage, type, start, seq) */
    uint32_t *list_begin; /* [n_stages * HC_N_OP_TYPES + 1] into order */
    uint32_t *passes;     /* forward- and backward-compute of the stage at hand, in order */
    size_t n_passes;
    struct hc_int_map by_key; /* (type, seq, stage) -> op */

    size_t n_edges, edges_capacity;
    uint32_t (*edges)[2];
    size_t n_groups, groups_capacity;
    uint8_t *group_is_synced;
    int32_t *group_of;
    uint8_t *is_no_op; /* P2P ops that transfer nothing (spec 3.3) */
    struct hc_error *err;
};

/* ---- lists ---- */

/* Ascending by stage, start, seq, type (spec 2.3). */
static int compare_start(const struct hc_graph_op *a, const struct hc_graph_op *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->seq_id != b->seq_id)
        return a->seq_id < b->seq_id ? -1 : 1;
    return (a->op_type > b->op_type) - (a->op_type < b->op_type);
}

static int compare_listed(const void *x, const void *y, void *ops)
{
    const struct hc_graph_op *a = (const struct hc_graph_op *)ops + *(const uint32_t *)x;
    const struct hc_graph_op *b = (const struct hc_graph_op *)ops + *(const uint32_t *)y;
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type ? -1 : 1;
    return compare_start(a, b);
}

static int compare_passes(const void *x, const void *y, void *ops)
{
    return compare_start((const struct hc_graph_op *)ops + *(const uint32_t *)x,
                         (const struct hc_graph_op *)ops + *(const uint32_t *)y);
}

static struct op_list list_of(const struct builder *b, int32_t stage, int type)
{
    size_t at = (size_t)stage * HC_N_OP_TYPES + (size_t)type;
    return (struct op_list){b->order + b->list_begin[at],
                            b->list_begin[at + 1] - b->list_begin[at]};
}

static uint64_t op_key(int type, int32_t seq, int32_t stage)
{
    return ((uint64_t)stage * HC_N_OP_TYPES + (uint64_t)type) << 32 | (uint32_t)seq;
}

static uint32_t find_op(const struct builder *b, int type, int32_t seq, int32_t stage)
{
    int64_t entry = hc_int_map_find(&b->by_key, op_key(type, seq, stage));
    return entry < 0 ? NO_OP : (uint32_t)b->by_key.values[entry];
}

static enum hc_status index_ops(struct builder *b)
{
    for (size_t i = 0; i < b->n_ops; i++) {
        const struct hc_graph_op *op = &b->ops[i];
        size_t entry = 0;
        if (hc_int_map_insert(&b->by_key, op_key(op->op_type, op->seq_id, op->stage), (int32_t)i,
                              &entry, b->err))
            return b->err->status;
        if ((size_t)b->by_key.values[entry] != i) {
            char text[96];
            hc_graph_op_describe(op, text, sizeof text);
            return hc_fail(b->err, HC_BAD_INPUT, "%s is there twice", text);
        }
        if (op->model_chunk != HC_MISSING_I32 && op->model_chunk >= b->n_chunks)
            b->n_chunks = op->model_chunk + 1;
        b->overlaps_dp |= op->op_type == HC_SEPARATE_GRADS_ALL_REDUCE;
        b->order[i] = (uint32_t)i;
        b->list_begin[(size_t)op->stage * HC_N_OP_TYPES + (size_t)op->op_type + 1]++;
    }
    for (size_t i = 0; i < (size_t)b->n_stages * HC_N_OP_TYPES; i++)
        b->list_begin[i + 1] += b->list_begin[i];
    qsort_r(b->order, b->n_ops, sizeof *b->order, compare_listed, (void *)b->ops);
    return HC_OK;
}

/* The compute stream of a stage: both passes by start. */
static void list_passes(struct builder *b, int32_t stage)
{
    struct op_list forward = list_of(b, stage, HC_FORWARD_COMPUTE);
    struct op_list backward = list_of(b, stage, HC_BACKWARD_COMPUTE);
    memcpy(b->passes, forward.op, forward.n * sizeof *b->passes);
    memcpy(b->passes + forward.n, backward.op, backward.n * sizeof *b->passes);
    b->n_passes = forward.n + backward.n;
    qsort_r(b->passes, b->n_passes, sizeof *b->passes, compare_passes, (void *)b->ops);
}

/* ---- edges and groups ---- */

static enum hc_status add_edge(struct builder *b, uint32_t before, uint32_t after)
{
    if (hc_reserve(&b->edges, &b->edges_capacity, b->n_edges + 1, sizeof *b->edges, b->err))
        return b->err->status;
    b->edges[b->n_edges][0] = before;
    b->edges[b->n_edges][1] = after;
    b->n_edges++;
    return HC_OK;
}

static enum hc_status add_chain(struct builder *b, const uint32_t *op, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (add_edge(b, op[i - 1], op[i]))
            return b->err->status;
    return HC_OK;
}

static enum hc_status add_group(struct builder *b, const uint32_t *op, size_t n, bool is_synced)
{
    if (hc_reserve(&b->group_is_synced, &b->groups_capacity, b->n_groups + 1, 1, b->err))
        return b->err->status;
    for (size_t i = 0; i < n; i++)
        b->group_of[op[i]] = (int32_t)b->n_groups;
    b->group_is_synced[b->n_groups++] = is_synced;
    return HC_OK;
}

/* ---- 3.1 to 3.4: passes and point-to-point ---- */

struct p2p {
    int32_t stage;
    int type, pass;    /* forward-send, forward-compute */
    bool is_recv;
    int32_t delta;     /* to the peer's chunk, and to the peer's stage */
};

static struct p2p describe_p2p(int32_t stage, int type)
{
    bool is_forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
    bool is_recv = type == HC_FORWARD_RECV || type == HC_BACKWARD_RECV;
    return (struct p2p){stage, type, is_forward ? HC_FORWARD_COMPUTE : HC_BACKWARD_COMPUTE, is_recv,
                        is_forward == is_recv ? -1 : 1};
}

/* Latest start of the passes for receives, earliest end for sends. */
static int64_t live_limit_ns(const struct builder *b, const struct p2p *p)
{
    struct op_list passes = list_of(b, p->stage, p->pass);
    if (p->is_recv)
        return passes.n ? b->ops[passes.op[passes.n - 1]].start_ns + LIVE_EPSILON_NS : INT64_MIN;
    int64_t first_end_ns = INT64_MAX;
    for (size_t i = 0; i < passes.n; i++)
        if (b->ops[passes.op[i]].end_ns < first_end_ns)
            first_end_ns = b->ops[passes.op[i]].end_ns;
    return passes.n ? first_end_ns - LIVE_EPSILON_NS : INT64_MAX;
}

/* Tell the live ops from those that were recorded but never launched: receives posted after the last
 * pass of their direction has started, sends done before the first has ended. */
static size_t mark_live(struct builder *b, const struct p2p *p)
{
    struct op_list ops = list_of(b, p->stage, p->type);
    int64_t limit_ns = live_limit_ns(b, p);
    size_t n_live = 0;
    for (size_t i = 0; i < ops.n; i++) {
        const struct hc_graph_op *op = &b->ops[ops.op[i]];
        bool live = p->is_recv ? op->start_ns <= limit_ns : op->end_ns >= limit_ns;
        b->is_no_op[ops.op[i]] = !live;
        n_live += live;
    }
    return n_live;
}

static enum hc_status check_live_count(struct builder *b, const struct p2p *p, size_t n_live)
{
    size_t n_passes = list_of(b, p->stage, p->pass).n;
    bool at_an_end = p->stage == 0 || p->stage == b->n_stages - 1;
    if (n_live == n_passes || (at_an_end && (n_live == 0 || n_live + 1 == n_passes)))
        return HC_OK;
    return hc_fail(b->err, HC_BAD_INPUT,
                   "stage %d has %zu live %s for %zu %s: each pass needs one (none, or one less, only "
                   "on the first and last stage); rows are missing or were recorded twice",
                   p->stage, n_live, hc_op_type_name(p->type), n_passes, hc_op_type_name(p->pass));
}

static enum hc_status match_op(struct builder *b, const struct p2p *p, uint32_t op, int32_t c)
{
    uint32_t pass = find_op(b, p->pass, c, p->stage);
    if (pass == NO_OP)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has no %s seq %d to match %s seq %d: sequence ids count from 0 "
                       "without gaps",
                       p->stage, hc_op_type_name(p->pass), c, hc_op_type_name(p->type),
                       b->ops[op].seq_id);
    int32_t chunk = b->ops[pass].global_chunk;
    if (chunk == HC_MISSING_I32)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "%s seq %d, stage %d has no gmc: sends and receives cannot be matched without "
                       "the model chunk of each pass",
                       hc_op_type_name(p->pass), c, p->stage);
    int64_t peer = (int64_t)chunk + p->delta;
    if (peer < 0 || peer >= (int64_t)b->n_chunks * b->n_stages)
        b->is_no_op[op] = 1;
    if (!p->is_recv)
        return add_edge(b, pass, op);
    uint32_t previous = c >= 1 ? find_op(b, p->pass, c - 1, p->stage) : NO_OP;
    if (previous != NO_OP && add_edge(b, previous, op))
        return b->err->status;
    return add_edge(b, op, pass);
}

static enum hc_status match_p2p(struct builder *b, int32_t stage, int type)
{
    struct p2p p = describe_p2p(stage, type);
    struct op_list ops = list_of(b, stage, type);
    size_t n_live = mark_live(b, &p);
    if (check_live_count(b, &p, n_live) || add_chain(b, ops.op, ops.n))
        return b->err->status;
    /* The first receive of a step may have been missed by the profiler. */
    size_t n_passes = list_of(b, stage, p.pass).n;
    int32_t c = p.is_recv && n_live + 1 == n_passes ? 1 : 0;
    for (size_t i = 0; i < ops.n; i++) {
        if (b->is_no_op[ops.op[i]])
            continue;
        if (match_op(b, &p, ops.op[i], c++))
            return b->err->status;
    }
    return HC_OK;
}

/* Backward transfers are not posted before the second last forward of the warm-up (spec 3.4). */
static enum hc_status add_first_backward(struct builder *b, int32_t stage)
{
    size_t first = 0;
    while (first < b->n_passes && b->ops[b->passes[first]].op_type != HC_BACKWARD_COMPUTE)
        first++;
    if (first == b->n_passes || first < 2)
        return HC_OK;
    static const int types[] = {HC_BACKWARD_RECV, HC_BACKWARD_SEND};
    for (int i = 0; i < 2; i++) {
        uint32_t op = find_op(b, types[i], 0, stage);
        if (op != NO_OP && add_edge(b, b->passes[first - 2], op))
            return b->err->status;
    }
    return HC_OK;
}

static enum hc_status add_passes(struct builder *b, int32_t stage)
{
    static const int types[] = {HC_FORWARD_SEND, HC_FORWARD_RECV, HC_BACKWARD_SEND,
                                HC_BACKWARD_RECV};
    if (b->n_passes == 0)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has neither forward-compute nor backward-compute: its rows are "
                       "missing",
                       stage);
    if (add_chain(b, b->passes, b->n_passes))
        return b->err->status;
    for (int i = 0; i < 4; i++)
        if (match_p2p(b, stage, types[i]))
            return b->err->status;
    return add_first_backward(b, stage);
}

/* ---- 3.5 to 3.7: data-parallel collectives ---- */

static int compare_seq(const void *x, const void *y, void *ops)
{
    const struct hc_graph_op *a = (const struct hc_graph_op *)ops + *(const uint32_t *)x;
    const struct hc_graph_op *b = (const struct hc_graph_op *)ops + *(const uint32_t *)y;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

/* A list of the stage and type by seq id, the caller's to free. */
static uint32_t *new_list_by_seq(struct builder *b, struct op_list list)
{
    uint32_t *sorted = hc_new_array(list.n, sizeof *sorted, b->err);
    if (!sorted)
        return NULL;
    memcpy(sorted, list.op, list.n * sizeof *sorted);
    qsort_r(sorted, list.n, sizeof *sorted, compare_seq, (void *)b->ops);
    return sorted;
}

/* The forward of the chunk that starts first, or its backward that ends last; first in order on ties.
 */
static uint32_t edge_pass(const struct builder *b, int32_t stage, int pass, int32_t chunk)
{
    struct op_list passes = list_of(b, stage, pass);
    uint32_t best = NO_OP;
    for (size_t i = 0; i < passes.n; i++) {
        uint32_t op = passes.op[i];
        if (b->ops[op].model_chunk != chunk)
            continue;
        if (best == NO_OP ||
            (pass == HC_BACKWARD_COMPUTE && b->ops[op].end_ns > b->ops[best].end_ns))
            best = op;
    }
    return best;
}

static bool seen_chunk(const struct builder *b, const uint32_t *op, size_t n, int32_t chunk)
{
    for (size_t i = 0; i < n; i++)
        if (b->ops[op[i]].model_chunk == chunk)
            return true;
    return false;
}

static enum hc_status fail_chunk(struct builder *b, uint32_t op, int pass)
{
    char text[96];
    hc_graph_op_describe(&b->ops[op], text, sizeof text);
    return hc_fail(b->err, HC_BAD_INPUT, "%s is for model chunk %d, of which the stage has no %s",
                   text, b->ops[op].model_chunk == HC_MISSING_I32 ? -1 : b->ops[op].model_chunk,
                   hc_op_type_name(pass));
}

/* The last gather of each chunk is what its first forward waits for. */
static enum hc_status add_gathers(struct builder *b, int32_t stage)
{
    struct op_list list = list_of(b, stage, HC_PARAMS_ALL_GATHER);
    uint32_t *gathers = new_list_by_seq(b, list);
    if (!gathers)
        return b->err->status;
    enum hc_status status = HC_OK;
    for (size_t i = list.n; status == HC_OK && i-- > 0;) {
        int32_t chunk = b->ops[gathers[i]].model_chunk;
        if (seen_chunk(b, gathers + i + 1, list.n - i - 1, chunk))
            continue;
        uint32_t pass = edge_pass(b, stage, HC_FORWARD_COMPUTE, chunk);
        status = pass == NO_OP ? fail_chunk(b, gathers[i], HC_FORWARD_COMPUTE)
                               : add_edge(b, gathers[i], pass);
    }
    free(gathers);
    return status;
}

/* With overlap, the first reduction of each chunk waits for the chunk's last backward. */
static enum hc_status add_overlapped_reductions(struct builder *b, int32_t stage)
{
    struct op_list list = list_of(b, stage, HC_GRADS_REDUCE_SCATTER);
    uint32_t *reductions = new_list_by_seq(b, list);
    if (!reductions)
        return b->err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < list.n; i++) {
        int32_t chunk = b->ops[reductions[i]].model_chunk;
        if (seen_chunk(b, reductions, i, chunk))
            continue;
        uint32_t pass = edge_pass(b, stage, HC_BACKWARD_COMPUTE, chunk);
        status = pass == NO_OP ? fail_chunk(b, reductions[i], HC_BACKWARD_COMPUTE)
                               : add_edge(b, pass, reductions[i]);
    }
    free(reductions);
    return status;
}

/* Gathers and reductions of a stage share one stream. */
static enum hc_status add_dp_stream(struct builder *b, int32_t stage)
{
    struct op_list gathers = list_of(b, stage, HC_PARAMS_ALL_GATHER);
    struct op_list reductions = list_of(b, stage, HC_GRADS_REDUCE_SCATTER);
    size_t n = gathers.n + reductions.n;
    uint32_t *stream = hc_new_array(n, sizeof *stream, b->err);
    if (!stream)
        return b->err->status;
    memcpy(stream, gathers.op, gathers.n * sizeof *stream);
    memcpy(stream + gathers.n, reductions.op, reductions.n * sizeof *stream);
    qsort_r(stream, n, sizeof *stream, compare_passes, (void *)b->ops);
    enum hc_status status = add_chain(b, stream, n);
    free(stream);
    return status;
}

static enum hc_status add_dp(struct builder *b, int32_t stage)
{
    if (!b->uses_dp)
        return HC_OK;
    if (add_dp_stream(b, stage) || add_gathers(b, stage))
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

/* Continue the chain at *last with op seq 0 of a type, which the stage must have. */
static enum hc_status chain_on(struct builder *b, int32_t stage, int type, uint32_t *last)
{
    uint32_t op = find_op(b, type, 0, stage);
    if (op == NO_OP)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has no %s: %s; the profiler did not record it, or rows are missing",
                       stage, hc_op_type_name(type), meaning_of(type));
    uint32_t before = *last;
    *last = op;
    return add_edge(b, before, op);
}

static uint32_t last_pass(const struct builder *b)
{
    uint32_t last = b->passes[0];
    for (size_t i = 1; i < b->n_passes; i++)
        if (b->ops[b->passes[i]].end_ns > b->ops[last].end_ns)
            last = b->passes[i];
    return last;
}

static enum hc_status chain_reductions(struct builder *b, int32_t stage, uint32_t *last)
{
    struct op_list list = list_of(b, stage, HC_GRADS_REDUCE_SCATTER);
    if (!list.n)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has no grads-reduce-scatter though the job has several data-parallel "
                       "ranks: %s; the profiler did not record it, or rows are missing",
                       stage, meaning_of(HC_GRADS_REDUCE_SCATTER));
    uint32_t *reductions = new_list_by_seq(b, list);
    if (!reductions)
        return b->err->status;
    enum hc_status status = HC_OK;
    if (b->overlaps_dp) { /* only the last one is waited for */
        reductions[0] = reductions[list.n - 1];
        list.n = 1;
    } else {
        status = add_edge(b, *last, reductions[0]);
    }
    if (status == HC_OK)
        status = add_chain(b, reductions, list.n);
    *last = reductions[list.n - 1];
    free(reductions);
    return status;
}

static enum hc_status add_tail(struct builder *b, int32_t stage)
{
    uint32_t last = last_pass(b);
    uint32_t reduction = NO_OP;
    bool overlapped = b->uses_dp && b->overlaps_dp;
    if (chain_on(b, stage, HC_GC, &last))
        return b->err->status;
    if (overlapped && chain_reductions(b, stage, &reduction))
        return b->err->status;
    if (chain_on(b, stage, HC_LAYERNORM_GRADS_ALL_REDUCE, &last))
        return b->err->status;
    if (overlapped && add_edge(b, reduction, last))
        return b->err->status;
    if ((stage == 0 || stage == b->n_stages - 1) &&
        chain_on(b, stage, HC_EMBEDDING_GRADS_ALL_REDUCE, &last))
        return b->err->status;
    if (overlapped && chain_on(b, stage, HC_SEPARATE_GRADS_ALL_REDUCE, &last))
        return b->err->status;
    if (b->uses_dp && !b->overlaps_dp && chain_reductions(b, stage, &last))
        return b->err->status;
    if (chain_on(b, stage, HC_OPTIMIZER_CLIP_MAIN_GRAD, &last))
        return b->err->status;
    return chain_on(b, stage, HC_OPTIMIZER, &last);
}

/* ---- 4: groups ---- */

/* The k-th transferring op of a send type pairs with the k-th of the receive type of the peer stage. */
static enum hc_status pair_sends(struct builder *b, int32_t stage, int send, int recv)
{
    struct p2p p = describe_p2p(stage, send);
    int32_t peer = (stage + p.delta + b->n_stages) % b->n_stages;
    struct op_list sends = list_of(b, stage, send), recvs = list_of(b, peer, recv);
    size_t s = 0, r = 0;
    for (;; s++, r++) {
        while (s < sends.n && b->is_no_op[sends.op[s]])
            s++;
        while (r < recvs.n && b->is_no_op[recvs.op[r]])
            r++;
        if (s == sends.n || r == recvs.n)
            break;
        uint32_t pair[2] = {sends.op[s], recvs.op[r]};
        if (add_group(b, pair, 2, false))
            return b->err->status;
    }
    if (s == sends.n && r == recvs.n)
        return HC_OK;
    const struct hc_graph_op *alone = &b->ops[s < sends.n ? sends.op[s] : recvs.op[r]];
    return hc_fail(b->err, HC_BAD_INPUT,
                   "%s seq %d, stage %d has no partner on stage %d: sends and receives between the "
                   "two do not match in number",
                   hc_op_type_name(alone->op_type), alone->seq_id, alone->stage,
                   s < sends.n ? peer : stage);
}

static enum hc_status group_no_ops(struct builder *b)
{
    for (size_t i = 0; i < b->n_ops; i++) {
        uint32_t op = (uint32_t)i;
        if (b->is_no_op[i] && add_group(b, &op, 1, false))
            return b->err->status;
    }
    return HC_OK;
}

static enum hc_status group_dp(struct builder *b)
{
    for (size_t i = 0; b->uses_dp && i < b->n_ops; i++) {
        uint32_t op = (uint32_t)i;
        int type = b->ops[i].op_type;
        bool is_dp = type == HC_PARAMS_ALL_GATHER || type == HC_GRADS_REDUCE_SCATTER ||
                     type == HC_SEPARATE_GRADS_ALL_REDUCE;
        if (is_dp && add_group(b, &op, 1, true))
            return b->err->status;
    }
    return HC_OK;
}

static enum hc_status group_tail(struct builder *b)
{
    uint32_t ends[2] = {find_op(b, HC_EMBEDDING_GRADS_ALL_REDUCE, 0, 0),
                        find_op(b, HC_EMBEDDING_GRADS_ALL_REDUCE, 0, b->n_stages - 1)};
    if (add_group(b, ends, b->n_stages == 1 ? 1 : 2, false))
        return b->err->status;
    uint32_t *clips = hc_new_array((size_t)b->n_stages, sizeof *clips, b->err);
    if (!clips)
        return b->err->status;
    for (int32_t s = 0; s < b->n_stages; s++)
        clips[s] = find_op(b, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0, s);
    enum hc_status status = add_group(b, clips, (size_t)b->n_stages, true);
    free(clips);
    return status;
}

static enum hc_status add_groups(struct builder *b)
{
    for (int32_t s = 0; s < b->n_stages; s++)
        if (pair_sends(b, s, HC_FORWARD_SEND, HC_FORWARD_RECV) ||
            pair_sends(b, s, HC_BACKWARD_SEND, HC_BACKWARD_RECV))
            return b->err->status;
    if (group_no_ops(b) || group_dp(b))
        return b->err->status;
    return group_tail(b);
}

/* ---- all together ---- */

/* Every op must have come into the graph by some rule (spec 3.9). */
static enum hc_status check_all_placed(struct builder *b)
{
    uint8_t *placed = hc_new_array(b->n_ops, 1, b->err);
    if (!placed)
        return b->err->status;
    for (size_t e = 0; e < b->n_edges; e++)
        placed[b->edges[e][0]] = placed[b->edges[e][1]] = 1;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < b->n_ops; i++) {
        if (placed[i] || b->group_of[i] >= 0)
            continue;
        char text[96];
        hc_graph_op_describe(&b->ops[i], text, sizeof text);
        status = hc_fail(b->err, HC_BAD_INPUT,
                         "%s has no place in the dependency graph of the step%s", text,
                         b->uses_dp ? "" : ": the job has one data-parallel rank and dsp_size 1");
    }
    free(placed);
    return status;
}

/* A stage without rows is found before anything is sized by the number of stages. */
static enum hc_status check_stages(struct builder *b)
{
    if ((size_t)b->n_stages <= b->n_ops)
        return HC_OK;
    return hc_fail(b->err, HC_BAD_INPUT,
                   "there are %d stages but only %zu ops in the step: stages without rows", b->n_stages,
                   b->n_ops);
}

static enum hc_status allocate(struct builder *b)
{
    size_t n_lists = (size_t)b->n_stages * HC_N_OP_TYPES;
    b->order = hc_new_array(b->n_ops, sizeof *b->order, b->err);
    b->list_begin = hc_new_array(n_lists + 1, sizeof *b->list_begin, b->err);
    b->passes = hc_new_array(b->n_ops, sizeof *b->passes, b->err);
    b->is_no_op = hc_new_array(b->n_ops, 1, b->err);
    b->group_of = hc_new_array(b->n_ops, sizeof *b->group_of, b->err);
    if (!b->order || !b->list_begin || !b->passes || !b->is_no_op || !b->group_of)
        return b->err->status;
    for (size_t i = 0; i < b->n_ops; i++)
        b->group_of[i] = -1;
    return HC_OK;
}

static void release(struct builder *b)
{
    hc_int_map_fini(&b->by_key);
    free(b->order);
    free(b->list_begin);
    free(b->passes);
    free(b->is_no_op);
    free(b->group_of);
    free(b->edges);
    free(b->group_is_synced);
}

static enum hc_status apply_rules(struct builder *b)
{
    for (int32_t stage = 0; stage < b->n_stages; stage++) {
        list_passes(b, stage);
        if (add_passes(b, stage) || add_dp(b, stage) || add_tail(b, stage))
            return b->err->status;
    }
    if (add_groups(b))
        return b->err->status;
    return check_all_placed(b);
}

enum hc_status hc_step_graph_derive(struct hc_step_graph *graph, const struct hc_graph_op *ops,
                                    size_t n_ops, const struct hc_graph_options *options,
                                    struct hc_error *err)
{
    struct builder b = {.ops = ops,
                        .n_ops = n_ops,
                        .n_stages = options->n_stages,
                        .uses_dp = options->uses_dp,
                        .err = err};
    memset(graph, 0, sizeof *graph);
    enum hc_status status = check_stages(&b);
    if (status == HC_OK)
        status = allocate(&b);
    if (status == HC_OK)
        status = index_ops(&b);
    if (status == HC_OK)
        status = apply_rules(&b);
    if (status == HC_OK) {
        struct hc_graph_parts parts = {.ops = ops,
                                       .n_ops = n_ops,
                                       .edges = (const uint32_t(*)[2])b.edges,
                                       .n_edges = b.n_edges,
                                       .group_of = b.group_of,
                                       .n_groups = b.n_groups,
                                       .group_is_synced = b.group_is_synced};
        status = hc_step_graph_build(graph, &parts, err);
        graph->n_stages = b.n_stages;
        graph->uses_dp = b.uses_dp;
        graph->overlaps_dp = b.overlaps_dp;
    }
    release(&b);
    return status;
}
