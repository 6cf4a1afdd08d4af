#include "sim/replay/op_order.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX

/* The graph with each group contracted to one node, while it is being ordered. */
struct contraction {
    const struct hc_step_graph *graph;
    size_t n_nodes;
    uint32_t *node_of;      /* [n_ops] */
    uint32_t *member_begin; /* [n_nodes + 1] */
    uint32_t *member;       /* [n_ops] */
    int64_t *start_ns;      /* [n_nodes] latest start of the members in the template */
    uint32_t *waiting;      /* [n_nodes] edges still to come */
    uint32_t *out_begin;    /* [n_ops + 1] */
    uint32_t *out;          /* ops that wait for each op */
    uint32_t *order;        /* nodes in topological order */
    uint32_t *shape;        /* [n_nodes] same for nodes with as many ops and dependencies */
};

static void contraction_fini(struct contraction *c)
{
    free(c->node_of);
    free(c->member_begin);
    free(c->member);
    free(c->start_ns);
    free(c->waiting);
    free(c->out_begin);
    free(c->out);
    free(c->order);
    free(c->shape);
}

void hc_op_order_fini(struct hc_op_order *order)
{
    free(order->nodes);
    free(order->dep_slot);
    free(order->op_at);
    free(order->position);
    free(order->slot);
    free(order->is_optimizer);
    free(order->own_begin);
    free(order->own_slot);
    hc_scalar_code_fini(&order->code);
    memset(order, 0, sizeof *order);
}

/* ---- contraction ---- */

static enum hc_status allocate_contraction(struct contraction *c, struct hc_error *err)
{
    size_t n = c->graph->n_ops;
    c->node_of = hc_new_array(n, sizeof *c->node_of, err);
    c->member_begin = hc_new_array(n + 1, sizeof *c->member_begin, err);
    c->member = hc_new_array(n, sizeof *c->member, err);
    c->start_ns = hc_new_array(n, sizeof *c->start_ns, err);
    c->waiting = hc_new_array(n, sizeof *c->waiting, err);
    c->out_begin = hc_new_array(n + 2, sizeof *c->out_begin, err);
    c->out = hc_new_array(c->graph->n_edges, sizeof *c->out, err);
    c->order = hc_new_array(n, sizeof *c->order, err);
    c->shape = hc_new_array(n, sizeof *c->shape, err);
    bool ok = c->node_of && c->member_begin && c->member && c->start_ns && c->waiting &&
              c->out_begin && c->out && c->order && c->shape;
    return ok ? HC_OK : err->status;
}

static void add_member(struct contraction *c, uint32_t op, size_t *n_members)
{
    const struct hc_graph_op *ops = c->graph->ops;
    c->node_of[op] = (uint32_t)c->n_nodes;
    c->member[(*n_members)++] = op;
    if (ops[op].start_ns > c->start_ns[c->n_nodes])
        c->start_ns[c->n_nodes] = ops[op].start_ns;
}

static void close_node(struct contraction *c, size_t n_members)
{
    c->member_begin[++c->n_nodes] = (uint32_t)n_members;
}

static void contract(struct contraction *c)
{
    const struct hc_step_graph *graph = c->graph;
    size_t n_members = 0;
    for (size_t i = 0; i < graph->n_ops; i++)
        c->start_ns[i] = INT64_MIN;
    for (size_t g = 0; g < graph->n_groups; g++) {
        for (uint32_t k = graph->member_begin[g]; k < graph->member_begin[g + 1]; k++)
            add_member(c, graph->member[k], &n_members);
        close_node(c, n_members);
    }
    for (size_t i = 0; i < graph->n_ops; i++) {
        if (graph->group_of[i] >= 0)
            continue;
        add_member(c, (uint32_t)i, &n_members);
        close_node(c, n_members);
    }
}

static void list_waiters(struct contraction *c)
{
    const struct hc_step_graph *graph = c->graph;
    uint32_t *fill = c->out_begin + 1;
    for (size_t e = 0; e < graph->n_edges; e++)
        fill[graph->dep[e] + 1]++;
    for (size_t i = 0; i < graph->n_ops; i++)
        fill[i + 1] += fill[i];
    for (size_t i = 0; i < graph->n_ops; i++)
        for (uint32_t k = graph->dep_begin[i]; k < graph->dep_begin[i + 1]; k++) {
            c->out[fill[graph->dep[k]]++] = (uint32_t)i;
            c->waiting[c->node_of[i]]++;
        }
}

/* ---- ordering ---- */

/* A number for the op and dependency counts of a node. Nodes of one shape are put next to each
 * other: a sweep of one lane runs over them without a branch. */
static uint32_t shape_of(const struct contraction *c, uint32_t node)
{
    const uint32_t *dep_begin = c->graph->dep_begin;
    uint32_t n_ops = c->member_begin[node + 1] - c->member_begin[node], n_deps = 0;
    for (uint32_t m = c->member_begin[node]; m < c->member_begin[node + 1]; m++)
        n_deps += dep_begin[c->member[m] + 1] - dep_begin[c->member[m]];
    return n_ops * 8 + (n_deps < 7 ? n_deps : 7);
}

static int compare_ready(const void *x, const void *y, void *context)
{
    const struct contraction *c = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if (c->shape[a] != c->shape[b])
        return c->shape[a] < c->shape[b] ? -1 : 1;
    if (c->start_ns[a] != c->start_ns[b])
        return c->start_ns[a] < c->start_ns[b] ? -1 : 1;
    return (a > b) - (a < b);
}

/* Append the nodes that waited for nothing but node. */
static size_t release_waiters(struct contraction *c, uint32_t node, size_t n_ordered)
{
    for (uint32_t m = c->member_begin[node]; m < c->member_begin[node + 1]; m++) {
        uint32_t op = c->member[m];
        for (uint32_t k = c->out_begin[op]; k < c->out_begin[op + 1]; k++)
            if (--c->waiting[c->node_of[c->out[k]]] == 0)
                c->order[n_ordered++] = c->node_of[c->out[k]];
    }
    return n_ordered;
}

/* Order the nodes in generations: all that are ready, then all that these make ready, and so on.
 * The streams of a step then advance side by side: an end is used soon after it was written, while
 * it is in cache, and neighbours do not wait for each other. Returns how many could be ordered:
 * fewer than there are when the graph has a cycle. */
static size_t order_nodes(struct contraction *c)
{
    size_t first = 0, n_ordered = 0;
    for (size_t n = 0; n < c->n_nodes; n++) {
        c->shape[n] = shape_of(c, (uint32_t)n);
        if (!c->waiting[n])
            c->order[n_ordered++] = (uint32_t)n;
    }
    while (first < n_ordered) {
        size_t end = n_ordered;
        qsort_r(c->order + first, end - first, sizeof *c->order, compare_ready, c);
        for (; first < end; first++)
            n_ordered = release_waiters(c, c->order[first], n_ordered);
    }
    return n_ordered;
}

/* ---- cycles ---- */

/* Of a node that could not be ordered: a member that waits for another such node, and (in *dep) the
 * op it waits for. */
static uint32_t blocked_member(const struct contraction *c, uint32_t node, uint32_t *dep)
{
    const struct hc_step_graph *graph = c->graph;
    for (uint32_t m = c->member_begin[node]; m < c->member_begin[node + 1]; m++) {
        uint32_t op = c->member[m];
        for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++)
            if (c->waiting[c->node_of[graph->dep[k]]]) {
                *dep = graph->dep[k];
                return op;
            }
    }
    return NO_NODE;
}

/* Walk backwards through unordered nodes until one comes again, and name the ops of that circle. */
static enum hc_status fail_cycle(const struct contraction *c, struct hc_error *err)
{
    uint8_t *seen = hc_new_array(c->n_nodes, 1, err);
    if (!seen)
        return err->status;
    uint32_t node = 0, dep = 0;
    while (!c->waiting[node])
        node++;
    for (; !seen[node]; node = c->node_of[dep]) {
        seen[node] = 1;
        blocked_member(c, node, &dep);
    }
    char path[HC_ERROR_SIZE - 200] = "";
    size_t used = 0;
    uint32_t start = node;
    do {
        char text[96];
        uint32_t op = blocked_member(c, node, &dep);
        hc_graph_op_describe(&c->graph->ops[op], text, sizeof text);
        if (used < sizeof path)
            used +=
                (size_t)snprintf(path + used, sizeof path - used, "%s%s", used ? " <- " : "", text);
        node = c->node_of[dep];
    } while (node != start);
    free(seen);
    return hc_fail(err, HC_BAD_INPUT,
                   "the dependencies of the step form a cycle, each op waiting for the next: %s",
                   path);
}

/* ---- emission ---- */

static enum hc_status allocate_order(struct hc_op_order *order, const struct contraction *c,
                                     struct hc_error *err)
{
    size_t n = c->graph->n_ops, n_edges = c->graph->n_edges;
    order->n_ops = n;
    order->n_nodes = c->n_nodes;
    order->nodes = hc_new_array(c->n_nodes, sizeof *order->nodes, err);
    order->dep_slot = hc_new_array(n_edges, sizeof *order->dep_slot, err);
    order->op_at = hc_new_array(n, sizeof *order->op_at, err);
    order->position = hc_new_array(n, sizeof *order->position, err);
    order->slot = hc_new_array(n, sizeof *order->slot, err);
    order->is_optimizer = hc_new_array(n, 1, err);
    order->own_begin = hc_new_array(n + 1, sizeof *order->own_begin, err);
    order->own_slot = hc_new_array(n_edges, sizeof *order->own_slot, err);
    bool ok = order->nodes && order->dep_slot && order->op_at && order->position && order->slot &&
              order->is_optimizer && order->own_begin && order->own_slot;
    return ok ? HC_OK : err->status;
}

/* Free slots, used as a stack: the slot freed last is the one still in cache. */
struct slots {
    uint32_t *free;
    size_t n_free;
    uint32_t *uses_left; /* [n_ops] by op */
    uint32_t *by_op;     /* [n_ops] slot of each op */
};

static void add_own_deps(struct hc_op_order *order, const struct hc_step_graph *graph,
                         const struct slots *slots, uint32_t op)
{
    uint32_t at = order->position[op];
    uint32_t end = order->own_begin[at];
    for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++)
        order->own_slot[end++] = slots->by_op[graph->dep[k]];
    order->own_begin[at + 1] = end;
}

static void add_node_dep(struct hc_op_order *order, struct hc_op_order_node *node, uint32_t slot)
{
    for (uint32_t k = 0; k < node->n_deps; k++)
        if (order->dep_slot[node->first_dep + k] == slot)
            return;
    order->dep_slot[node->first_dep + node->n_deps++] = slot;
}

static void release_deps(const struct hc_step_graph *graph, struct slots *slots, uint32_t op)
{
    for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++) {
        uint32_t dep = graph->dep[k];
        if (--slots->uses_left[dep] == 0)
            slots->free[slots->n_free++] = slots->by_op[dep];
    }
}

static void emit_node(struct hc_op_order *order, const struct contraction *c, struct slots *slots,
                      struct hc_op_order_node *node, uint32_t source)
{
    const struct hc_step_graph *graph = c->graph;
    const uint32_t *member = c->member + c->member_begin[source];
    node->n_ops = c->member_begin[source + 1] - c->member_begin[source];
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t op = member[m], at = node->first_position + m;
        order->op_at[at] = op;
        order->position[op] = at;
        order->is_optimizer[at] = graph->ends_step[op];
        add_own_deps(order, graph, slots, op);
        node->has_root |= graph->dep_begin[op] == graph->dep_begin[op + 1];
        for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++)
            add_node_dep(order, node, slots->by_op[graph->dep[k]]);
        if (graph->group_of[op] >= 0)
            node->is_synced = graph->group_is_synced[graph->group_of[op]];
    }
    for (uint32_t m = 0; m < node->n_ops; m++)
        release_deps(graph, slots, member[m]);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t op = member[m];
        uint32_t slot = HC_NO_SLOT;
        slots->uses_left[op] = c->out_begin[op + 1] - c->out_begin[op];
        if (slots->uses_left[op])
            slot = slots->n_free ? slots->free[--slots->n_free] : (uint32_t)order->n_slots++;
        slots->by_op[op] = order->slot[order->position[op]] = slot;
    }
}

static enum hc_status emit(struct hc_op_order *order, const struct contraction *c,
                           struct hc_error *err)
{
    size_t n = order->n_ops;
    struct slots slots = {.free = hc_new_array(n, sizeof *slots.free, err),
                          .uses_left = hc_new_array(n, sizeof *slots.uses_left, err),
                          .by_op = hc_new_array(n, sizeof *slots.by_op, err)};
    enum hc_status status = slots.free && slots.uses_left && slots.by_op ? HC_OK : err->status;
    uint32_t position = 0, dep = 0;
    for (size_t i = 0; status == HC_OK && i < c->n_nodes; i++) {
        struct hc_op_order_node *node = &order->nodes[i];
        node->first_position = position;
        node->first_dep = dep;
        emit_node(order, c, &slots, node, c->order[i]);
        position += node->n_ops;
        dep += node->n_deps;
    }
    free(slots.free);
    free(slots.uses_left);
    free(slots.by_op);
    return status;
}

enum hc_status hc_op_order_compile(struct hc_op_order *order, const struct hc_step_graph *graph,
                                   struct hc_error *err)
{
    memset(order, 0, sizeof *order);
    struct contraction c = {.graph = graph};
    enum hc_status status = allocate_contraction(&c, err);
    if (status == HC_OK) {
        contract(&c);
        list_waiters(&c);
        if (order_nodes(&c) < c.n_nodes)
            status = fail_cycle(&c, err);
    }
    if (status == HC_OK)
        status = allocate_order(order, &c, err);
    if (status == HC_OK)
        status = emit(order, &c, err);
    if (status == HC_OK)
        status = hc_scalar_code_write(&order->code, order, err);
    contraction_fini(&c);
    if (status)
        hc_op_order_fini(order);
    return status;
}
