#include "sim/profiles/profile_order.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of next[]: the point is not begun, or is in the order. */
#define NOT_BEGUN ((uint32_t)-1)
#define DONE      ((uint32_t)-2)

static enum hc_status fit(struct hc_graph_order *order, size_t n, struct hc_error *err)
{
    order->n = 0;
    if (n <= order->capacity)
        return HC_OK;
    free(order->points);
    free(order->slot);
    free(order->stack);
    free(order->next);
    order->points = hc_new_aligned(n, sizeof *order->points, err);
    order->slot = hc_new_aligned(n, sizeof *order->slot, err);
    order->stack = hc_new_aligned(n, sizeof *order->stack, err);
    order->next = hc_new_aligned(n, sizeof *order->next, err);
    bool is_complete = order->points && order->slot && order->stack && order->next;
    order->capacity = is_complete ? n : 0;
    return is_complete ? HC_OK : err->status;
}

static void describe(const struct hc_profile_graph *graph, uint32_t point, char *text, size_t size)
{
    if (graph->describe)
        graph->describe(graph->describe_context, point, text, size);
    else
        snprintf(text, size, "point %u", point);
}

/* The stack from `point` on is a cycle: name its first points, in the order of what waits for what.
 */
static enum hc_status fail_of_cycle(const struct hc_graph_order *order,
                                    const struct hc_profile_graph *graph, size_t depth,
                                    uint32_t point, struct hc_error *err)
{
    char text[640] = "", one[128];
    size_t from = depth, used = 0, named = 0;
    while (from > 0 && order->stack[from - 1] != point)
        from--;
    for (size_t i = from > 0 ? from - 1 : 0; i < depth && named < 4; i++, named++) {
        describe(graph, order->stack[i], one, sizeof one);
        int n = snprintf(text + used, sizeof text - used, "%s%s", used ? " waits for " : "", one);
        used += (size_t)n < sizeof text - used ? (size_t)n : 0;
    }
    return hc_fail(err, HC_BAD_INPUT,
                   "the trace contradicts itself: %s, and so round in a circle of %zu events", text,
                   depth - (from > 0 ? from - 1 : 0));
}

/* All that `root` depends on, then `root`. */
static enum hc_status visit(struct hc_graph_order *order, const struct hc_profile_graph *graph,
                            uint32_t root, struct hc_error *err)
{
    size_t depth = 0;
    order->stack[depth++] = root;
    order->next[root] = graph->points[root].first_arc;
    while (depth > 0) {
        uint32_t p = order->stack[depth - 1];
        uint32_t end = (uint32_t)hc_graph_end_arc(graph, p), a = order->next[p];
        for (; a < end; a++) {
            uint32_t from = graph->arcs[a].from;
            if (!(from & HC_CARRIED) && order->next[from] != DONE)
                break;
        }
        order->next[p] = a;
        if (a == end) {
            order->next[p] = DONE;
            order->points[order->n++] = p;
            depth--;
            continue;
        }
        uint32_t from = graph->arcs[a].from;
        if (order->next[from] != NOT_BEGUN)
            return fail_of_cycle(order, graph, depth, from, err);
        order->stack[depth++] = from;
        order->next[from] = graph->points[from].first_arc;
    }
    return HC_OK;
}

static enum hc_status fit_slots(struct hc_graph_order *order, struct hc_error *err)
{
    size_t capacity = order->slot_capacity;
    if (order->n_slots < capacity)
        return HC_OK;
    return hc_reserve(&order->carried_ns, &order->slot_capacity, order->n_slots + 1,
                      sizeof *order->carried_ns, err);
}

static enum hc_status take_slot(struct hc_graph_order *order, uint32_t *slot, struct hc_error *err)
{
    if (order->n_free > 0) {
        *slot = order->free_slots[--order->n_free];
        return HC_OK;
    }
    if (fit_slots(order, err))
        return err->status;
    *slot = (uint32_t)order->n_slots++;
    return HC_OK;
}

enum hc_status hc_graph_release_slot(struct hc_graph_order *order, uint32_t slot,
                                     struct hc_error *err)
{
    if (order->n_free == order->free_capacity &&
        hc_reserve(&order->free_slots, &order->free_capacity, order->n_free + 1,
                   sizeof *order->free_slots, err))
        return err->status;
    order->free_slots[order->n_free++] = slot;
    return HC_OK;
}

/* After the search, next[] and stack[] are free: last use of each point, as a position in the
 * order. Points are few per last use, so that their slots are given back when that position is
 * reached. */
static enum hc_status give_slots(struct hc_graph_order *order, const struct hc_profile_graph *graph,
                                 struct hc_error *err)
{
    uint32_t *last_use = order->next;
    for (size_t i = 0; i < order->n; i++) {
        uint32_t p = order->points[i];
        last_use[p] = (uint32_t)i;
        for (size_t a = graph->points[p].first_arc; a < hc_graph_end_arc(graph, p); a++)
            if (!(graph->arcs[a].from & HC_CARRIED))
                last_use[graph->arcs[a].from] = (uint32_t)i;
    }
    for (size_t i = 0; i < order->n; i++) {
        uint32_t p = order->points[i];
        if (take_slot(order, &order->slot[p], err))
            return err->status;
        if (graph->points[p].is_kept)
            order->carried_ns[order->slot[p]] = graph->points[p].t_ns;
        for (size_t a = graph->points[p].first_arc; a < hc_graph_end_arc(graph, p); a++) {
            uint32_t from = graph->arcs[a].from;
            if (from & HC_CARRIED || last_use[from] != i || graph->points[from].is_kept)
                continue;
            last_use[from] = NOT_BEGUN; /* two edges from one point give its slot back once */
            if (hc_graph_release_slot(order, order->slot[from], err))
                return err->status;
        }
        if (last_use[p] == i && !graph->points[p].is_kept &&
            hc_graph_release_slot(order, order->slot[p], err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_graph_find_order(struct hc_graph_order *order,
                                   const struct hc_profile_graph *graph, struct hc_error *err)
{
    if (fit(order, graph->n_points, err))
        return err->status;
    if (graph->n_points > 0) /* else there may be no next */
        memset(order->next, 0xff, graph->n_points * sizeof *order->next);
    for (uint32_t p = 0; p < graph->n_points; p++)
        if (order->next[p] == NOT_BEGUN && visit(order, graph, p, err))
            return err->status;
    return give_slots(order, graph, err);
}

void hc_graph_order_fini(struct hc_graph_order *order)
{
    free(order->points);
    free(order->slot);
    free(order->carried_ns);
    free(order->free_slots);
    free(order->stack);
    free(order->next);
    memset(order, 0, sizeof *order);
}
