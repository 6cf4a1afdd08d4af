/* step_passes.c - the compute streams, and the sends and receives that belong to them. */
#include "models/steps/step_builder.h"

#include "core/tables/op_type.h"
#include "core/tables/table.h"

#include <stdlib.h>
#include <string.h>

/* Tolerance of "before the last start" and "after the first end". */
#define LIVE_EPSILON_NS 50000

/* ---- 3.1 to 3.4: passes and point-to-point ---- */

struct p2p {
    int32_t stage;
    int type, pass; /* forward-send, forward-compute */
    bool is_recv;
    int32_t delta; /* to the peer's chunk, and to the peer's stage */
};

static struct p2p describe_p2p(int32_t stage, int type)
{
    bool is_forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
    bool is_recv = type == HC_FORWARD_RECV || type == HC_BACKWARD_RECV;
    return (struct p2p){stage, type, is_forward ? HC_FORWARD_COMPUTE : HC_BACKWARD_COMPUTE, is_recv,
                        is_forward == is_recv ? -1 : 1};
}

/* The time that tells live ops of a direction: for receives the latest start of its passes, for
 * sends their earliest end. */
static int64_t live_limit_ns(const struct hc_step_builder *b, const struct p2p *p)
{
    struct hc_op_list passes = hc_builder_list(b, p->stage, p->pass);
    if (p->is_recv)
        return passes.n ? b->ops[passes.op[passes.n - 1]].start_ns + LIVE_EPSILON_NS : INT64_MIN;
    int64_t first_end_ns = INT64_MAX;
    for (size_t i = 0; i < passes.n; i++)
        if (b->ops[passes.op[i]].end_ns < first_end_ns)
            first_end_ns = b->ops[passes.op[i]].end_ns;
    return passes.n ? first_end_ns - LIVE_EPSILON_NS : INT64_MAX;
}

/* Tell the live ops from those that were recorded but never launched: receives posted after the
 * last pass of their direction has started, sends done before the first has ended. */
static size_t mark_live(struct hc_step_builder *b, const struct p2p *p)
{
    struct hc_op_list ops = hc_builder_list(b, p->stage, p->type);
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

static enum hc_status check_live_count(struct hc_step_builder *b, const struct p2p *p,
                                       size_t n_live)
{
    size_t n_passes = hc_builder_list(b, p->stage, p->pass).n;
    bool at_an_end = p->stage == 0 || p->stage == b->n_stages - 1;
    if (n_live == n_passes || (at_an_end && (n_live == 0 || n_live + 1 == n_passes)))
        return HC_OK;
    return hc_fail(
        b->err, HC_BAD_INPUT,
        "stage %d has %zu live %s for %zu %s: each pass needs one (none, or one less, only "
        "on the first and last stage); rows are missing or doubled",
        p->stage, n_live, hc_op_type_name(p->type), n_passes, hc_op_type_name(p->pass));
}

static int64_t n_model_chunks(const struct hc_step_builder *b)
{
    return (int64_t)b->n_chunks * b->n_stages;
}

/* The chunk of a pass decides whether a transfer leaves the model; a wrong one would make a no-op
 * of it in silence. */
static enum hc_status check_chunk(struct hc_step_builder *b, uint32_t pass)
{
    const struct hc_graph_op *op = &b->ops[pass];
    const char *type = hc_op_type_name(op->op_type);
    if (op->global_chunk == HC_MISSING_I32)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "%s seq %d, stage %d has no gmc: sends and receives cannot be matched "
                       "without the model chunk of each pass",
                       type, op->seq_id, op->stage);
    if (op->global_chunk < 0 || op->global_chunk >= n_model_chunks(b))
        return hc_fail(b->err, HC_BAD_INPUT,
                       "%s seq %d, stage %d has gmc %d, but the model has %lld chunks (%d a "
                       "stage, on %d stages): mc and gmc contradict each other",
                       type, op->seq_id, op->stage, op->global_chunk, (long long)n_model_chunks(b),
                       b->n_chunks, b->n_stages);
    return HC_OK;
}

static enum hc_status match_op(struct hc_step_builder *b, const struct p2p *p, uint32_t op,
                               int32_t c)
{
    uint32_t pass = hc_builder_find(b, p->pass, c, p->stage);
    if (pass == HC_NO_OP)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has no %s seq %d to match %s seq %d: sequence ids count from 0 "
                       "without gaps",
                       p->stage, hc_op_type_name(p->pass), c, hc_op_type_name(p->type),
                       b->ops[op].seq_id);
    if (check_chunk(b, pass))
        return b->err->status;
    int64_t peer = (int64_t)b->ops[pass].global_chunk + p->delta;
    if (peer < 0 || peer >= n_model_chunks(b))
        b->is_no_op[op] = 1;
    if (!p->is_recv)
        return hc_builder_edge(b, pass, op);
    uint32_t previous = c >= 1 ? hc_builder_find(b, p->pass, c - 1, p->stage) : HC_NO_OP;
    if (previous != HC_NO_OP && hc_builder_edge(b, previous, op))
        return b->err->status;
    return hc_builder_edge(b, op, pass);
}

static enum hc_status match_p2p(struct hc_step_builder *b, int32_t stage, int type)
{
    struct p2p p = describe_p2p(stage, type);
    struct hc_op_list ops = hc_builder_list(b, stage, type);
    size_t n_live = mark_live(b, &p);
    if (check_live_count(b, &p, n_live) || hc_builder_chain(b, ops.op, ops.n))
        return b->err->status;
    /* The profiler may have missed the first receive of a step: then there is one less than passes.
     */
    size_t n_passes = hc_builder_list(b, stage, p.pass).n;
    int32_t c = p.is_recv && n_live + 1 == n_passes ? 1 : 0;
    for (size_t i = 0; i < ops.n; i++) {
        if (b->is_no_op[ops.op[i]])
            continue;
        if (match_op(b, &p, ops.op[i], c++))
            return b->err->status;
    }
    return HC_OK;
}

/* The first backward transfer of a step waits for the second last forward of the warm-up: it is not
 * posted before. */
static enum hc_status add_first_backward(struct hc_step_builder *b, int32_t stage)
{
    size_t first = 0;
    while (first < b->n_passes && b->ops[b->passes[first]].op_type != HC_BACKWARD_COMPUTE)
        first++;
    if (first == b->n_passes || first < 2)
        return HC_OK;
    static const int types[] = {HC_BACKWARD_RECV, HC_BACKWARD_SEND};
    for (int i = 0; i < 2; i++) {
        uint32_t op = hc_builder_find(b, types[i], 0, stage);
        if (op != HC_NO_OP && hc_builder_edge(b, b->passes[first - 2], op))
            return b->err->status;
    }
    return HC_OK;
}

enum hc_status hc_rules_passes(struct hc_step_builder *b, int32_t stage)
{
    static const int types[] = {HC_FORWARD_SEND, HC_FORWARD_RECV, HC_BACKWARD_SEND,
                                HC_BACKWARD_RECV};
    if (b->n_passes == 0)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "stage %d has neither forward-compute nor backward-compute: its rows are "
                       "missing",
                       stage);
    if (hc_builder_chain(b, b->passes, b->n_passes))
        return b->err->status;
    for (int i = 0; i < 4; i++)
        if (match_p2p(b, stage, types[i]))
            return b->err->status;
    return add_first_backward(b, stage);
}
