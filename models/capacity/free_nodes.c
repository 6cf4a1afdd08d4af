#include "models/capacity/free_nodes.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* From at_ns on there are more free nodes and GPUs, or fewer. */
struct hc_free_nodes_change {
    int64_t at_ns;
    int32_t nodes, gpus;
};

static enum hc_status put_change(struct hc_free_nodes *nodes, int64_t at_ns, int32_t by,
                                 int64_t gpus, struct hc_error *err)
{
    if (hc_reserve(&nodes->changes, &nodes->room, nodes->n + 1, sizeof *nodes->changes, err))
        return err->status;
    nodes->changes[nodes->n++] =
        (struct hc_free_nodes_change){at_ns, by, (int32_t)(by > 0 ? gpus : -gpus)};
    return HC_OK;
}

/* The last free time is over. */
static enum hc_status close_last(struct hc_free_nodes *nodes, struct hc_error *err)
{
    const struct hc_capacity_span last = nodes->last;
    nodes->last = (struct hc_capacity_span){.node = -1};
    if (last.gpus == 0)
        return HC_OK;
    if (put_change(nodes, last.from_ns, 1, last.gpus, err))
        return err->status;
    return put_change(nodes, last.to_ns, -1, last.gpus, err);
}

enum hc_status hc_free_nodes_take(void *context, const struct hc_capacity_span *span,
                                  struct hc_error *err)
{
    struct hc_free_nodes *nodes = context;
    bool is_free = span->gpus > 0 && span->held == 0 && span->rest == HC_CAPACITY_IDLE_UNKNOWN;
    if (!is_free)
        return HC_OK;
    if (nodes->last.gpus == span->gpus && nodes->last.node == span->node &&
        nodes->last.to_ns == span->from_ns) {
        nodes->last.to_ns = span->to_ns;
        return HC_OK;
    }
    if (close_last(nodes, err))
        return err->status;
    nodes->last = *span;
    return HC_OK;
}

static int compare_changes(const void *a, const void *b)
{
    const struct hc_free_nodes_change *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/* So many were free in a time. */
static void book(struct hc_free_nodes *nodes, size_t *day, const struct hc_capacity_span *span)
{
    for (int64_t from_ns = span->from_ns; from_ns < span->to_ns;) {
        while (nodes->day_ns[*day + 1] <= from_ns)
            ++*day;
        struct hc_free_nodes_day *of = &nodes->days[*day];
        int64_t to_ns =
            span->to_ns < nodes->day_ns[*day + 1] ? span->to_ns : nodes->day_ns[*day + 1];
        hc_capacity_ns ns = (hc_capacity_ns)(to_ns - from_ns);
        bool is_first = from_ns == nodes->day_ns[*day];
        of->least = is_first || span->held < of->least ? span->held : of->least;
        of->most = span->held > of->most ? span->held : of->most;
        of->most_gpus = span->gpus > of->most_gpus ? span->gpus : of->most_gpus;
        of->node_ns += (hc_capacity_ns)span->held * ns;
        of->gpu_ns += (hc_capacity_ns)span->gpus * ns;
        from_ns = to_ns;
    }
}

enum hc_status hc_free_nodes_end(struct hc_free_nodes *nodes, struct hc_error *err)
{
    size_t day = 0;
    /* A span of all nodes: held is the number of free ones. */
    struct hc_capacity_span all = {.from_ns = nodes->day_ns[0]};
    if (close_last(nodes, err))
        return err->status;
    nodes->days = hc_new_array(nodes->n_days, sizeof *nodes->days, err);
    if (!nodes->days)
        return err->status;
    if (nodes->n)
        qsort(nodes->changes, nodes->n, sizeof *nodes->changes, compare_changes);
    for (size_t i = 0; i < nodes->n; i++) {
        all.to_ns = nodes->changes[i].at_ns;
        book(nodes, &day, &all);
        all.from_ns = all.to_ns;
        all.held += nodes->changes[i].nodes;
        all.gpus += nodes->changes[i].gpus;
    }
    all.to_ns = nodes->day_ns[nodes->n_days];
    book(nodes, &day, &all);
    return HC_OK;
}

void hc_free_nodes_fini(struct hc_free_nodes *nodes)
{
    free(nodes->days);
    free(nodes->changes);
    nodes->days = NULL;
    nodes->changes = NULL;
    nodes->n = nodes->room = 0;
}
