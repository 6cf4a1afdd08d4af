#include "sim/synth/step_synth_plan.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"
#include "models/steps/pass_schedule.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct builder {
    struct hc_synth_plan *plan;
    struct hc_synth_shape shape;
    int32_t n_passes; /* forward passes of a stage: microbatches * vpp */
    uint32_t *first;  /* [pp][HC_N_OP_TYPES + 1] number of the first op of a type on a stage */
    size_t n_edges, edge_capacity;
    uint32_t (*edge)[2]; /* from, to */
    uint32_t *group_of;  /* [n_ops] */
    uint32_t *leader;    /* [n_ops] first op of the group of an op */
    struct hc_error *err;
};

static bool is_recv(int type)
{
    return type == HC_FORWARD_RECV || type == HC_BACKWARD_RECV;
}

/* Stages between the op and its peer: where it sends to, or receives from. */
static int32_t peer_step(int type)
{
    return type == HC_FORWARD_SEND || type == HC_BACKWARD_RECV ? 1 : -1;
}

/* Number of ops of a type on a stage. */
static int64_t count_of(const struct hc_synth_shape *shape, int32_t stage, int type)
{
    switch (type) {
    case HC_FORWARD_COMPUTE:
    case HC_BACKWARD_COMPUTE:
        return (int64_t)shape->microbatches * shape->vpp;
    case HC_FORWARD_SEND:
    case HC_FORWARD_RECV:
    case HC_BACKWARD_SEND:
    case HC_BACKWARD_RECV: {
        /* Interleaved, the profiler records them on the model's ends too. */
        int32_t peer = stage + peer_step(type);
        bool has = shape->vpp > 1 || (peer >= 0 && peer < shape->pp);
        return has ? (int64_t)shape->microbatches * shape->vpp : 0;
    }
    case HC_EMBEDDING_GRADS_ALL_REDUCE:
        return stage == 0 || stage == shape->pp - 1;
    case HC_PARAMS_ALL_GATHER:
    case HC_GRADS_REDUCE_SCATTER:
        return shape->uses_dp ? shape->vpp : 0;
    case HC_SEPARATE_GRADS_ALL_REDUCE:
        return shape->uses_dp && shape->overlaps_dp;
    default:
        return 1;
    }
}

int64_t hc_synth_shape_ops(const struct hc_synth_shape *shape)
{
    int64_t total = 0;
    for (int32_t stage = 0; stage < shape->pp; stage++)
        for (int type = 0; type < HC_N_OP_TYPES; type++)
            total += count_of(shape, stage, type);
    return total;
}

static uint32_t op_at(const struct builder *b, int32_t stage, int type, int32_t seq)
{
    const uint32_t *first = &b->first[(size_t)stage * (HC_N_OP_TYPES + 1) + (size_t)type];
    return (uint32_t)seq < first[1] - first[0] ? first[0] + (uint32_t)seq : NONE;
}

static struct hc_pass_schedule schedule_of(const struct builder *b)
{
    const struct hc_synth_shape *shape = &b->shape;
    return (struct hc_pass_schedule){shape->vpp > 1 ? HC_SCHEDULE_INTERLEAVED : HC_SCHEDULE_1F1B,
                                     shape->pp, shape->vpp, shape->microbatches, false};
}

static struct hc_pass pass_at(const struct builder *b, int type, int32_t k)
{
    const struct hc_pass_schedule schedule = schedule_of(b);
    bool is_backward = type != HC_FORWARD_COMPUTE;
    return hc_schedule_pass(&schedule, is_backward, k);
}

/* Forward passes of a stage before its first forward-backward pair. */
static int32_t warm_up(const struct builder *b, int32_t stage)
{
    const struct hc_pass_schedule schedule = schedule_of(b);
    return hc_schedule_warm_up(&schedule, stage);
}

/* "to starts after the end of from". An op that is not there orders nothing. */
static enum hc_status add_edge(struct builder *b, uint32_t from, uint32_t to)
{
    if (from == NONE || to == NONE)
        return HC_OK;
    if (hc_reserve(&b->edge, &b->edge_capacity, b->n_edges + 1, sizeof *b->edge, b->err))
        return b->err->status;
    b->edge[b->n_edges][0] = from;
    b->edge[b->n_edges][1] = to;
    b->n_edges++;
    return HC_OK;
}

static enum hc_status allocate_ops(struct builder *b)
{
    struct hc_synth_plan *plan = b->plan;
    int32_t **columns[] = {&plan->stage,       &plan->op_type,      &plan->seq_id,
                           &plan->model_chunk, &plan->global_chunk, &plan->microbatch,
                           &plan->carried};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!(*columns[i] = hc_new_array(plan->n_ops, sizeof(int32_t), b->err)))
            return b->err->status;
    plan->is_no_op = hc_new_array(plan->n_ops, sizeof(bool), b->err);
    plan->dep_first = plan->is_no_op ? hc_new_array(plan->n_ops + 1, sizeof(size_t), b->err) : NULL;
    plan->member = plan->dep_first ? hc_new_array(plan->n_ops, sizeof(uint32_t), b->err) : NULL;
    b->group_of = plan->member ? hc_new_array(plan->n_ops, sizeof(uint32_t), b->err) : NULL;
    b->leader = b->group_of ? hc_new_array(plan->n_ops, sizeof(uint32_t), b->err) : NULL;
    size_t n_first = (size_t)b->shape.pp * (HC_N_OP_TYPES + 1);
    b->first = b->leader ? hc_new_array(n_first, sizeof *b->first, b->err) : NULL;
    return b->first ? HC_OK : b->err->status;
}

static void describe_op(const struct builder *b, size_t op, int32_t stage, int type, int32_t seq)
{
    struct hc_synth_plan *plan = b->plan;
    int32_t pp = b->shape.pp, vpp = b->shape.vpp;
    plan->stage[op] = stage;
    plan->op_type[op] = type;
    plan->seq_id[op] = seq;
    plan->model_chunk[op] = plan->global_chunk[op] = plan->microbatch[op] = HC_MISSING_I32;
    plan->carried[op] = hc_op_is_pass(type) || hc_op_is_p2p(type) ? pass_at(b, type, seq).microbatch
                                                                  : HC_MISSING_I32;
    if (hc_op_is_pass(type)) {
        struct hc_pass pass = pass_at(b, type, seq);
        plan->model_chunk[op] = pass.chunk;
        plan->global_chunk[op] = pass.chunk * pp + stage;
        plan->microbatch[op] = pass.microbatch;
    } else if (hc_op_is_p2p(type)) {
        bool forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
        int32_t chunk = pass_at(b, forward ? HC_FORWARD_COMPUTE : HC_BACKWARD_COMPUTE, seq).chunk;
        int32_t peer = chunk * pp + stage + peer_step(type);
        plan->is_no_op[op] = peer < 0 || peer >= vpp * pp;
    } else if (type == HC_PARAMS_ALL_GATHER) {
        plan->model_chunk[op] = seq;
    } else if (type == HC_GRADS_REDUCE_SCATTER) {
        plan->model_chunk[op] =
            vpp - 1 - seq; /* in the order in which backward is done with them */
    } else if (type == HC_GC) {
        plan->microbatch[op] = 0; /* as the profiler writes it */
    }
}

static void list_ops(struct builder *b)
{
    uint32_t op = 0;
    for (int32_t stage = 0; stage < b->shape.pp; stage++) {
        uint32_t *first = &b->first[(size_t)stage * (HC_N_OP_TYPES + 1)];
        for (int type = 0; type < HC_N_OP_TYPES; type++) {
            first[type] = op;
            int32_t n = (int32_t)count_of(&b->shape, stage, type);
            for (int32_t seq = 0; seq < n; seq++)
                describe_op(b, op++, stage, type, seq);
        }
        first[HC_N_OP_TYPES] = op;
    }
}

/* The passes of a stage follow each other: warm-up, then pairs, then the backward passes left.
 * Returns the last one in *last. */
static enum hc_status order_passes(struct builder *b, int32_t stage, uint32_t *last)
{
    const struct hc_pass_schedule schedule = schedule_of(b);
    size_t n = 2 * (size_t)b->n_passes;
    struct hc_pass *passes = hc_new_array(n, sizeof *passes, b->err);
    *last = NONE;
    if (!passes)
        return b->err->status;
    int32_t n_of[2] = {0, 0};
    enum hc_status status = HC_OK;
    hc_schedule_list(&schedule, stage, passes);
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        int type = passes[i].is_backward ? HC_BACKWARD_COMPUTE : HC_FORWARD_COMPUTE;
        uint32_t op = op_at(b, stage, type, n_of[passes[i].is_backward]++);
        status = add_edge(b, *last, op);
        *last = op;
    }
    free(passes);
    return status;
}

/* Sends follow their pass; receives come before theirs, and are posted when the pass before it in
 * the same direction is over. */
static enum hc_status order_p2p(struct builder *b, int32_t stage, int type)
{
    bool forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
    int pass_type = forward ? HC_FORWARD_COMPUTE : HC_BACKWARD_COMPUTE;
    uint32_t before = NONE, pass_before = NONE;
    for (int32_t seq = 0; op_at(b, stage, type, seq) != NONE; seq++) {
        uint32_t op = op_at(b, stage, type, seq), pass = op_at(b, stage, pass_type, seq);
        bool recv = is_recv(type);
        if (add_edge(b, before, op) || add_edge(b, recv ? op : pass, recv ? pass : op) ||
            (recv && add_edge(b, pass_before, op)))
            return b->err->status;
        before = op;
        pass_before = pass;
    }
    return HC_OK;
}

/* The first backward receive is posted when the last forward pass but one before the first backward
 * pass is over. */
static enum hc_status order_first_backward(struct builder *b, int32_t stage)
{
    int32_t warm = warm_up(b, stage);
    int32_t n_before = warm < b->n_passes ? warm + 1 : warm;
    if (n_before < 2)
        return HC_OK;
    return add_edge(b, op_at(b, stage, HC_FORWARD_COMPUTE, n_before - 2),
                    op_at(b, stage, HC_BACKWARD_RECV, 0));
}

/* All gathers and reduce-scatters of a stage form one stream; a chunk's gather comes before its
 * first forward pass, and with overlap its reduce-scatter follows its last backward pass. */
static enum hc_status order_dp_stream(struct builder *b, int32_t stage)
{
    uint32_t before = NONE;
    int32_t vpp = b->shape.vpp, pp = b->shape.pp;
    for (int32_t chunk = 0; chunk < vpp; chunk++) {
        uint32_t gather = op_at(b, stage, HC_PARAMS_ALL_GATHER, chunk);
        uint32_t pass = op_at(b, stage, HC_FORWARD_COMPUTE, chunk * pp);
        if (add_edge(b, before, gather) || (gather != NONE && add_edge(b, gather, pass)))
            return b->err->status;
        before = gather;
    }
    for (int32_t seq = 0; seq < vpp; seq++) {
        uint32_t scatter = op_at(b, stage, HC_GRADS_REDUCE_SCATTER, seq);
        int32_t after_last = vpp == 1 ? b->n_passes : b->n_passes - (vpp - 1 - seq) * pp;
        uint32_t pass = op_at(b, stage, HC_BACKWARD_COMPUTE, after_last - 1);
        if (add_edge(b, before, scatter) || (b->shape.overlaps_dp && add_edge(b, pass, scatter)))
            return b->err->status;
        before = scatter;
    }
    return HC_OK;
}

/* What comes after the last pass, one after the other. */
static enum hc_status order_end(struct builder *b, int32_t stage, uint32_t last_pass)
{
    uint32_t chain[6] = {last_pass, op_at(b, stage, HC_GC, 0),
                         op_at(b, stage, HC_LAYERNORM_GRADS_ALL_REDUCE, 0),
                         op_at(b, stage, HC_EMBEDDING_GRADS_ALL_REDUCE, 0)};
    uint32_t before = NONE;
    for (size_t i = 0; i < 4; i++) {
        if (add_edge(b, before, chain[i]))
            return b->err->status;
        before = chain[i] != NONE ? chain[i] : before;
    }
    uint32_t scatter = op_at(b, stage, HC_GRADS_REDUCE_SCATTER, 0);
    uint32_t last_scatter = op_at(b, stage, HC_GRADS_REDUCE_SCATTER, b->shape.vpp - 1);
    uint32_t separate = op_at(b, stage, HC_SEPARATE_GRADS_ALL_REDUCE, 0);
    uint32_t clip = op_at(b, stage, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0);
    if (separate != NONE) {
        if (add_edge(b, last_scatter, chain[2]) || add_edge(b, before, separate))
            return b->err->status;
        before = separate;
    } else if (scatter != NONE) {
        if (add_edge(b, before, scatter))
            return b->err->status;
        before = last_scatter;
    }
    return add_edge(b, before, clip) ? b->err->status
                                     : add_edge(b, clip, op_at(b, stage, HC_OPTIMIZER, 0));
}

static enum hc_status order_ops(struct builder *b)
{
    static const int p2p[] = {HC_FORWARD_SEND, HC_FORWARD_RECV, HC_BACKWARD_SEND, HC_BACKWARD_RECV};
    for (int32_t stage = 0; stage < b->shape.pp; stage++) {
        uint32_t last_pass;
        if (order_passes(b, stage, &last_pass))
            return b->err->status;
        for (size_t i = 0; i < 4; i++)
            if (order_p2p(b, stage, p2p[i]))
                return b->err->status;
        if (order_first_backward(b, stage) || order_dp_stream(b, stage) ||
            order_end(b, stage, last_pass))
            return b->err->status;
    }
    return HC_OK;
}

/* Sends and receives that move something pair up in order: the n-th with the n-th. */
static void pair_sends(struct builder *b, int32_t stage, int send, int recv)
{
    int32_t pp = b->shape.pp, peer = (stage + peer_step(send) + pp) % pp, other = 0;
    for (int32_t seq = 0; op_at(b, stage, send, seq) != NONE; seq++) {
        uint32_t op = op_at(b, stage, send, seq);
        if (b->plan->is_no_op[op])
            continue;
        while (op_at(b, peer, recv, other) != NONE &&
               b->plan->is_no_op[op_at(b, peer, recv, other)])
            other++;
        b->leader[op_at(b, peer, recv, other++)] = op;
    }
}

static void group_ops(struct builder *b)
{
    for (size_t op = 0; op < b->plan->n_ops; op++)
        b->leader[op] = (uint32_t)op;
    int32_t pp = b->shape.pp;
    for (int32_t stage = 0; stage < pp; stage++) {
        pair_sends(b, stage, HC_FORWARD_SEND, HC_FORWARD_RECV);
        pair_sends(b, stage, HC_BACKWARD_SEND, HC_BACKWARD_RECV);
        b->leader[op_at(b, stage, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0)] =
            op_at(b, 0, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0);
    }
    b->leader[op_at(b, pp - 1, HC_EMBEDDING_GRADS_ALL_REDUCE, 0)] =
        op_at(b, 0, HC_EMBEDDING_GRADS_ALL_REDUCE, 0);
}

/* Edges by the op they lead to, as the plan keeps them, and by the group they start from. */
static enum hc_status sort_edges(struct builder *b, size_t *out_first, uint32_t *out)
{
    struct hc_synth_plan *plan = b->plan;
    plan->dep = hc_new_array(b->n_edges, sizeof(uint32_t), b->err);
    if (!plan->dep)
        return b->err->status;
    for (size_t e = 0; e < b->n_edges; e++) {
        plan->dep_first[b->edge[e][1] + 1]++;
        out_first[b->leader[b->edge[e][0]] + 1]++;
    }
    for (size_t op = 0; op < plan->n_ops; op++) {
        plan->dep_first[op + 1] += plan->dep_first[op];
        out_first[op + 1] += out_first[op];
    }
    /* Filled from behind, first[op + 1] walks down to the start of op; shifted back below. */
    for (size_t e = b->n_edges; e-- > 0;) {
        plan->dep[--plan->dep_first[b->edge[e][1] + 1]] = b->edge[e][0];
        out[--out_first[b->leader[b->edge[e][0]] + 1]] = b->edge[e][1];
    }
    for (size_t op = 0; op < plan->n_ops; op++) {
        plan->dep_first[op] = plan->dep_first[op + 1];
        out_first[op] = out_first[op + 1];
    }
    plan->dep_first[plan->n_ops] = out_first[plan->n_ops] = b->n_edges;
    return HC_OK;
}

/* Kahn's algorithm over groups; queue[] holds leaders. Returns how many groups came out. */
static size_t sort_groups(struct builder *b, const size_t *out_first, const uint32_t *out,
                          uint32_t *waits, uint32_t *queue)
{
    const struct hc_synth_plan *plan = b->plan;
    size_t head = 0, tail = 0;
    for (size_t e = 0; e < b->n_edges; e++)
        waits[b->leader[b->edge[e][1]]]++;
    for (uint32_t op = 0; op < plan->n_ops; op++)
        if (b->leader[op] == op && waits[op] == 0)
            queue[tail++] = op;
    while (head < tail) {
        uint32_t group = queue[head++];
        for (size_t i = out_first[group]; i < out_first[group + 1]; i++) {
            uint32_t next = b->leader[out[i]];
            if (--waits[next] == 0)
                queue[tail++] = next;
        }
    }
    return tail;
}

static bool is_synced(int type)
{
    return type == HC_PARAMS_ALL_GATHER || type == HC_GRADS_REDUCE_SCATTER ||
           type == HC_SEPARATE_GRADS_ALL_REDUCE || type == HC_OPTIMIZER_CLIP_MAIN_GRAD;
}

/* Number the groups as they came out of the sort, and list their members. */
static enum hc_status number_groups(struct builder *b, const uint32_t *queue, size_t n)
{
    struct hc_synth_plan *plan = b->plan;
    plan->n_groups = n;
    plan->member_first = hc_new_array(n + 1, sizeof(size_t), b->err);
    plan->is_synced = plan->member_first ? hc_new_array(n, sizeof(bool), b->err) : NULL;
    if (!plan->is_synced)
        return b->err->status;
    for (size_t g = 0; g < n; g++) {
        b->group_of[queue[g]] = (uint32_t)g;
        plan->is_synced[g] = is_synced(plan->op_type[queue[g]]);
    }
    size_t placed = 0;
    for (size_t op = 0; op < plan->n_ops; op++)
        plan->member_first[b->group_of[b->leader[op]] + 1]++;
    for (size_t g = 0; g < n; g++)
        plan->member_first[g + 1] += plan->member_first[g];
    for (size_t op = plan->n_ops; op-- > 0; placed++)
        plan->member[--plan->member_first[b->group_of[b->leader[op]] + 1]] = (uint32_t)op;
    memmove(plan->member_first, plan->member_first + 1, n * sizeof(size_t));
    plan->member_first[n] = placed;
    return HC_OK;
}

static enum hc_status sort_ops(struct builder *b)
{
    size_t n = b->plan->n_ops;
    enum hc_status status = HC_INTERNAL;
    size_t *out_first = hc_new_array(n + 1, sizeof *out_first, b->err);
    uint32_t *out = out_first ? hc_new_array(b->n_edges, sizeof *out, b->err) : NULL;
    uint32_t *waits = out ? hc_new_array(n, sizeof *waits, b->err) : NULL;
    uint32_t *queue = waits ? hc_new_array(n, sizeof *queue, b->err) : NULL;
    if (!queue || (status = sort_edges(b, out_first, out)))
        goto out;
    size_t n_groups = 0, n_sorted = sort_groups(b, out_first, out, waits, queue);
    for (size_t op = 0; op < n; op++)
        n_groups += b->leader[op] == op;
    if (n_sorted != n_groups)
        status =
            hc_fail(b->err, HC_INTERNAL, "the schedule of %d stages waits for itself", b->shape.pp);
    else
        status = number_groups(b, queue, n_sorted);
out:
    free(out_first);
    free(out);
    free(waits);
    free(queue);
    return status;
}

enum hc_status hc_synth_plan_init(struct hc_synth_plan *plan, const struct hc_synth_shape *shape,
                                  struct hc_error *err)
{
    memset(plan, 0, sizeof *plan);
    struct builder b = {.plan = plan, .shape = *shape, .err = err};
    int64_t n_ops = hc_synth_shape_ops(shape);
    if (n_ops > HC_SYNTH_MAX_OPS)
        return hc_fail(err, HC_USAGE,
                       "a step of %lld ops a dp rank is over the limit of %d; use "
                       "fewer stages, chunks or microbatches",
                       (long long)n_ops, HC_SYNTH_MAX_OPS);
    plan->n_ops = (size_t)n_ops;
    b.n_passes = shape->microbatches * shape->vpp;
    enum hc_status status = allocate_ops(&b);
    if (status)
        goto out;
    list_ops(&b);
    group_ops(&b);
    status = order_ops(&b);
    if (status == HC_OK)
        status = sort_ops(&b);
out:
    free(b.first);
    free(b.edge);
    free(b.group_of);
    free(b.leader);
    if (status)
        hc_synth_plan_fini(plan);
    return status;
}

void hc_synth_plan_fini(struct hc_synth_plan *plan)
{
    free(plan->stage);
    free(plan->op_type);
    free(plan->seq_id);
    free(plan->model_chunk);
    free(plan->global_chunk);
    free(plan->microbatch);
    free(plan->carried);
    free(plan->is_no_op);
    free(plan->dep_first);
    free(plan->dep);
    free(plan->member_first);
    free(plan->member);
    free(plan->is_synced);
    memset(plan, 0, sizeof *plan);
}
