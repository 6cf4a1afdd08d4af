#include "models/capacity/installed.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/sort_keys.h"
#include "core/text/node_list.h"
#include "models/capacity/capacity_demand.h"
#include "models/capacity/capacity_events.h"
#include "models/capacity/node_causes.h"

#include <stdlib.h>
#include <string.h>

/* Times are within some 146 years of 1970, so that any two of them have a difference. */
#define FURTHEST_NS ((int64_t)1 << 62)

hc_capacity_ns hc_capacity_installed(const struct hc_capacity_sum *sum)
{
    hc_capacity_ns installed = 0;
    for (int i = 0; i < HC_N_CAPACITY_LEAVES; i++)
        installed += sum->leaf[i];
    return installed;
}

static enum hc_capacity_leaf leaf_of_causes(unsigned causes)
{
    return causes & HC_CAUSE_DOWN          ? HC_CAPACITY_DOWN
           : causes & HC_CAUSE_DRAINED     ? HC_CAPACITY_DRAINED
           : causes & HC_CAUSE_MAINTENANCE ? HC_CAPACITY_MAINTENANCE
           : causes & HC_CAUSE_RESERVED    ? HC_CAPACITY_RESERVED
                                           : HC_CAPACITY_IDLE_UNKNOWN;
}

/* ---- rows ---- */

static bool is_time(int64_t ns)
{
    return ns > -FURTHEST_NS && ns < FURTHEST_NS;
}

enum hc_status hc_capacity_node(struct hc_capacity *capacity, const char *name, int32_t *node,
                                struct hc_error *err)
{
    size_t n = capacity->nodes.n;
    if (hc_text_set_add(&capacity->nodes, name, hc_node_short_length(name), node, err) ||
        hc_reserve(&capacity->list_of_node, &capacity->lists_room, capacity->nodes.n,
                   sizeof *capacity->list_of_node, err))
        return err->status;
    if (capacity->nodes.n > n)
        capacity->list_of_node[n] = -1;
    return HC_OK;
}

enum hc_status hc_capacity_set_partitions(struct hc_capacity *capacity, int32_t node,
                                          const char *partitions, struct hc_error *err)
{
    return hc_text_set_add(&capacity->partition_lists, partitions, strlen(partitions),
                           &capacity->list_of_node[node], err);
}

enum hc_status hc_capacity_add_inventory(struct hc_capacity *capacity,
                                         const struct hc_capacity_inventory *row,
                                         struct hc_error *err)
{
    if (!is_time(row->from_ns) || row->gpus < 0) {
        capacity->n_bad++;
        return HC_OK;
    }
    if (hc_reserve(&capacity->inventory, &capacity->inventory_room, capacity->n_inventory + 1,
                   sizeof *capacity->inventory, err))
        return err->status;
    capacity->inventory[capacity->n_inventory++] = *row;
    return HC_OK;
}

/* The history speaks at least of the time from its first to its last row. */
static void widen_history(struct hc_capacity *capacity, const struct hc_capacity_state *row)
{
    int64_t to_ns = row->until_ns > row->since_ns ? row->until_ns : row->since_ns;
    bool is_empty = capacity->history_from_ns >= capacity->history_to_ns;
    if (is_empty || row->since_ns < capacity->history_from_ns)
        capacity->history_from_ns = row->since_ns;
    if (is_empty || to_ns > capacity->history_to_ns)
        capacity->history_to_ns = to_ns > row->since_ns ? to_ns : row->since_ns + 1;
}

enum hc_status hc_capacity_add_state(struct hc_capacity *capacity,
                                     const struct hc_capacity_state *row, struct hc_error *err)
{
    bool has_until = row->until_ns != HC_MISSING_I64;
    if (!is_time(row->since_ns) ||
        (has_until && (!is_time(row->until_ns) || row->until_ns < row->since_ns))) {
        capacity->n_bad++;
        return HC_OK;
    }
    if (hc_reserve(&capacity->states, &capacity->states_room, capacity->n_states + 1,
                   sizeof *capacity->states, err))
        return err->status;
    if (row->how == HC_NODE_HISTORY)
        widen_history(capacity, row);
    capacity->states[capacity->n_states++] = *row;
    return HC_OK;
}

enum hc_status hc_capacity_add_allocation(struct hc_capacity *capacity,
                                          const struct hc_capacity_allocation *row,
                                          struct hc_error *err)
{
    if (!is_time(row->from_ns) || !is_time(row->to_ns) || row->to_ns < row->from_ns ||
        row->gpus < 0) {
        capacity->n_bad++;
        return HC_OK;
    }
    if (row->gpus == 0 || row->from_ns == row->to_ns || row->to_ns <= capacity->day_ns[0] ||
        row->from_ns >= capacity->day_ns[capacity->n_days])
        return HC_OK;
    if (hc_reserve(&capacity->allocations, &capacity->allocations_room, capacity->n_allocations + 1,
                   sizeof *capacity->allocations, err))
        return err->status;
    capacity->allocations[capacity->n_allocations++] = *row;
    return HC_OK;
}

enum hc_status hc_capacity_add_look(struct hc_capacity *capacity, int64_t time_ns,
                                    struct hc_error *err)
{
    if (!is_time(time_ns)) {
        capacity->n_bad++;
        return HC_OK;
    }
    if (capacity->n_looks && capacity->looks[capacity->n_looks - 1].time_ns == time_ns)
        return HC_OK;
    if (hc_reserve(&capacity->looks, &capacity->looks_room, capacity->n_looks + 1,
                   sizeof *capacity->looks, err))
        return err->status;
    capacity->looks[capacity->n_looks++].time_ns = time_ns;
    return HC_OK;
}

enum hc_status hc_capacity_add_demand(struct hc_capacity *capacity, int64_t time_ns,
                                      const char *partition, struct hc_error *err)
{
    struct hc_capacity_demand demand = {.time_ns = time_ns};
    if (!is_time(time_ns)) {
        capacity->n_bad++;
        return HC_OK;
    }
    if (hc_text_set_add(&capacity->partitions, partition, strlen(partition), &demand.partition,
                        err) ||
        hc_capacity_add_look(capacity, time_ns, err) ||
        hc_reserve(&capacity->demands, &capacity->demands_room, capacity->n_demands + 1,
                   sizeof *capacity->demands, err))
        return err->status;
    capacity->demands[capacity->n_demands++] = demand;
    return HC_OK;
}

void hc_capacity_fini(struct hc_capacity *capacity)
{
    hc_text_set_fini(&capacity->nodes);
    hc_text_set_fini(&capacity->partitions);
    hc_text_set_fini(&capacity->partition_lists);
    free(capacity->by_node);
    free(capacity->by_day);
    free(capacity->inventory);
    free(capacity->states);
    free(capacity->allocations);
    free(capacity->looks);
    free(capacity->demands);
    free(capacity->list_of_node);
    *capacity = (struct hc_capacity){0};
}

/* ---- order of rows ---- */

#define COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

static int compare_inventory(const void *a, const void *b)
{
    const struct hc_capacity_inventory *x = a, *y = b;
    if (x->node != y->node)
        return COMPARE(x->node, y->node);
    if (x->from_ns != y->from_ns)
        return COMPARE(x->from_ns, y->from_ns);
    return x->gpus != y->gpus ? COMPARE(x->gpus, y->gpus) : COMPARE(x->is_assumed, y->is_assumed);
}

static int compare_states(const void *a, const void *b)
{
    const struct hc_capacity_state *x = a, *y = b;
    if (x->node != y->node)
        return COMPARE(x->node, y->node);
    return x->how != y->how ? COMPARE(x->how, y->how) : COMPARE(x->since_ns, y->since_ns);
}

static int compare_allocations(const void *a, const void *b)
{
    const struct hc_capacity_allocation *x = a, *y = b;
    return COMPARE(x->node, y->node);
}

static void sort_rows(struct hc_capacity *capacity)
{
    if (capacity->n_inventory)
        qsort(capacity->inventory, capacity->n_inventory, sizeof *capacity->inventory,
              compare_inventory);
    if (capacity->n_states)
        qsort(capacity->states, capacity->n_states, sizeof *capacity->states, compare_states);
    if (capacity->n_allocations)
        qsort(capacity->allocations, capacity->n_allocations, sizeof *capacity->allocations,
              compare_allocations);
}

/* ---- the sweep over the time of one node ---- */

struct sweep {
    struct hc_capacity *capacity;
    const struct hc_capacity_watch *watch;
    struct hc_capacity_queue queue;
    struct hc_capacity_events events;
    int64_t level[HC_N_CAPACITY_EVENTS];
    int32_t node;
    bool was_over, was_outside;
    size_t day; /* of the cell */
    bool has_cell;
    struct hc_capacity_sum cell;
};

static void add_sum(struct hc_capacity_sum *to, const struct hc_capacity_sum *from)
{
    for (int i = 0; i < HC_N_CAPACITY_LEAVES; i++)
        to->leaf[i] += from->leaf[i];
    to->over += from->over;
    to->outside += from->outside;
    to->assumed += from->assumed;
    to->unheard += from->unheard;
    to->partly_used += from->partly_used;
}

/* A day of a node is over. */
static enum hc_status close_cell(struct sweep *sweep, struct hc_error *err)
{
    struct hc_capacity *capacity = sweep->capacity;
    if (!sweep->has_cell)
        return HC_OK;
    add_sum(&capacity->by_node[sweep->node], &sweep->cell);
    add_sum(&capacity->by_day[sweep->day], &sweep->cell);
    add_sum(&capacity->total, &sweep->cell);
    sweep->has_cell = false;
    if (sweep->watch && sweep->watch->cell)
        return sweep->watch->cell(sweep->watch->context, sweep->node, sweep->day, &sweep->cell,
                                  err);
    return HC_OK;
}

/* Book a part of a span that lies within one day. */
static void book(const struct sweep *sweep, struct hc_capacity_sum *to,
                 const struct hc_capacity_span *span)
{
    hc_capacity_ns ns = (hc_capacity_ns)(span->to_ns - span->from_ns);
    hc_capacity_ns gpus = (hc_capacity_ns)span->gpus, held = (hc_capacity_ns)span->held;
    if (gpus == 0) {
        to->outside += held * ns;
        return;
    }
    hc_capacity_ns used = held < gpus ? held : gpus, rest = gpus - used;
    to->leaf[HC_CAPACITY_ALLOCATED] += used * ns;
    to->over += (held - used) * ns;
    to->assumed += sweep->level[HC_CAPACITY_EVENT_ASSUMED] > 0 ? gpus * ns : 0;
    if (span->rest != HC_CAPACITY_IDLE_UNKNOWN) {
        to->leaf[span->rest] += rest * ns;
        return;
    }
    struct hc_capacity_demanded is =
        hc_capacity_queue_within(&sweep->queue, span->from_ns, span->to_ns);
    hc_capacity_ns known = (hc_capacity_ns)is.known_ns;
    hc_capacity_ns demanded = (hc_capacity_ns)is.demanded_ns;
    to->leaf[HC_CAPACITY_IDLE_DEMAND] += rest * demanded;
    to->leaf[HC_CAPACITY_IDLE_NO_DEMAND] += rest * (known - demanded);
    to->leaf[HC_CAPACITY_IDLE_UNKNOWN] += rest * (ns - known);
    to->unheard += sweep->level[HC_CAPACITY_EVENT_HEARD] > 0 ? 0 : rest * ns;
    to->partly_used += used > 0 ? rest * ns : 0;
}

static enum hc_status take_span(struct sweep *sweep, int64_t from_ns, int64_t to_ns,
                                struct hc_error *err)
{
    const int64_t *level = sweep->level;
    struct hc_capacity *capacity = sweep->capacity;
    unsigned causes = (level[HC_CAPACITY_EVENT_DOWN] > 0 ? HC_CAUSE_DOWN : 0) |
                      (level[HC_CAPACITY_EVENT_DRAINED] > 0 ? HC_CAUSE_DRAINED : 0) |
                      (level[HC_CAPACITY_EVENT_MAINTENANCE] > 0 ? HC_CAUSE_MAINTENANCE : 0) |
                      (level[HC_CAPACITY_EVENT_RESERVED] > 0 ? HC_CAUSE_RESERVED : 0);
    struct hc_capacity_span span = {.from_ns = from_ns,
                                    .to_ns = to_ns,
                                    .gpus = level[HC_CAPACITY_EVENT_GPUS],
                                    .held = level[HC_CAPACITY_EVENT_HELD],
                                    .rest = leaf_of_causes(causes),
                                    .node = sweep->node};
    bool is_over = span.gpus > 0 && span.held > span.gpus;
    bool is_outside = span.gpus == 0 && span.held > 0;
    if (from_ns >= to_ns)
        return HC_OK;
    capacity->n_over += is_over && !sweep->was_over;
    capacity->n_outside += is_outside && !sweep->was_outside;
    sweep->was_over = is_over;
    sweep->was_outside = is_outside;
    if (span.gpus == 0 && span.held == 0)
        return HC_OK;
    if (sweep->watch && sweep->watch->span && sweep->watch->span(sweep->watch->context, &span, err))
        return err->status;
    while (from_ns < to_ns) {
        while (capacity->day_ns[sweep->day + 1] <= from_ns) {
            if (close_cell(sweep, err))
                return err->status;
            sweep->day++;
        }
        int64_t end_ns = capacity->day_ns[sweep->day + 1];
        span.from_ns = from_ns;
        span.to_ns = from_ns = to_ns < end_ns ? to_ns : end_ns;
        if (!sweep->has_cell)
            sweep->cell = (struct hc_capacity_sum){0};
        sweep->has_cell = true;
        book(sweep, &sweep->cell, &span);
    }
    return HC_OK;
}

static enum hc_status sweep_node(struct sweep *sweep, const struct hc_capacity_node_rows *rows,
                                 struct hc_error *err)
{
    struct hc_capacity_events *events = &sweep->events;
    int64_t from_ns = events->from_ns;
    if (hc_capacity_events_fill(events, sweep->capacity, rows, err))
        return err->status;
    memset(sweep->level, 0, sizeof sweep->level);
    sweep->was_over = sweep->was_outside = false;
    sweep->day = 0;
    for (size_t i = 0; i < events->n; i++) {
        const struct hc_capacity_event *event = &events->events[i];
        if (take_span(sweep, from_ns, event->at_ns, err))
            return err->status;
        from_ns = event->at_ns;
        sweep->level[event->kind] += event->by;
    }
    return take_span(sweep, from_ns, events->to_ns, err) || close_cell(sweep, err) ? err->status
                                                                                   : HC_OK;
}

/* ---- nodes by their partitions ---- */

/* Which partitions a list names ("long,short"). */
static void mark_partitions(const struct hc_capacity *capacity, int32_t list, bool *is_of)
{
    memset(is_of, 0, capacity->partitions.n);
    if (list < 0)
        return;
    for (const char *at = capacity->partition_lists.text[list]; *at;) {
        size_t n = strcspn(at, ",");
        int32_t partition = hc_text_set_find(&capacity->partitions, at, n);
        if (partition >= 0)
            is_of[partition] = true;
        at += n + (at[n] == ',');
    }
}

/* Rows of all nodes lie by node; where those of the next node begin. */
struct places {
    size_t *inventory, *states, *allocations; /* [nodes.n + 1] */
};

#define FIND_PLACES(places, rows, n_rows, n_nodes)                                                 \
    do {                                                                                           \
        for (size_t i = 0; i < (n_rows); i++)                                                      \
            (places)[(rows)[i].node + 1]++;                                                        \
        for (size_t i = 0; i < (n_nodes); i++)                                                     \
            (places)[i + 1] += (places)[i];                                                        \
    } while (0)

static enum hc_status find_places(struct places *places, const struct hc_capacity *capacity,
                                  struct hc_error *err)
{
    size_t n = capacity->nodes.n;
    places->inventory = hc_new_array(n + 1, sizeof(size_t), err);
    places->states = places->inventory ? hc_new_array(n + 1, sizeof(size_t), err) : NULL;
    places->allocations = places->states ? hc_new_array(n + 1, sizeof(size_t), err) : NULL;
    if (!places->allocations)
        return err->status;
    FIND_PLACES(places->inventory, capacity->inventory, capacity->n_inventory, n);
    FIND_PLACES(places->states, capacity->states, capacity->n_states, n);
    FIND_PLACES(places->allocations, capacity->allocations, capacity->n_allocations, n);
    return HC_OK;
}

static struct hc_capacity_node_rows rows_of_node(const struct hc_capacity *capacity,
                                                 const struct places *places, size_t node)
{
    return (struct hc_capacity_node_rows){
        .n_inventory = places->inventory[node + 1] - places->inventory[node],
        .n_states = places->states[node + 1] - places->states[node],
        .n_allocations = places->allocations[node + 1] - places->allocations[node],
        .inventory = capacity->inventory + places->inventory[node],
        .states = capacity->states + places->states[node],
        .allocations = capacity->allocations + places->allocations[node]};
}

/* Nodes of the same partitions wait for the same jobs: the queue is summed up once for all. */
static enum hc_status sweep_all(struct sweep *sweep, const struct places *places, bool *is_of,
                                const struct hc_sort_key *order, struct hc_error *err)
{
    struct hc_capacity *capacity = sweep->capacity;
    for (size_t i = 0; i < capacity->nodes.n; i++) {
        if (i == 0 || order[i].key != order[i - 1].key) {
            mark_partitions(capacity, (int32_t)order[i].key, is_of);
            hc_capacity_queue_choose(&sweep->queue, capacity, is_of);
        }
        struct hc_capacity_node_rows rows = rows_of_node(capacity, places, order[i].row);
        sweep->node = (int32_t)order[i].row;
        if (sweep_node(sweep, &rows, err))
            return err->status;
    }
    return HC_OK;
}

/* Nodes by their lists of partitions; NULL with err filled. */
static struct hc_sort_key *order_nodes(const struct hc_capacity *capacity, struct hc_error *err)
{
    struct hc_sort_key *order = hc_new_array(capacity->nodes.n, sizeof *order, err);
    for (size_t i = 0; order && i < capacity->nodes.n; i++)
        order[i] = (struct hc_sort_key){capacity->list_of_node[i], (uint32_t)i};
    if (order && hc_sort_keys(order, capacity->nodes.n, err)) {
        free(order);
        return NULL;
    }
    return order;
}

enum hc_status hc_capacity_finish(struct hc_capacity *capacity,
                                  const struct hc_capacity_watch *watch, struct hc_error *err)
{
    struct places places = {NULL, NULL, NULL};
    struct sweep sweep = {
        .capacity = capacity,
        .watch = watch,
        .events = {.from_ns = capacity->day_ns[0], .to_ns = capacity->day_ns[capacity->n_days]}};
    sort_rows(capacity);
    struct hc_sort_key *order = order_nodes(capacity, err);
    bool *is_of = order ? hc_new_array(capacity->partitions.n, sizeof *is_of, err) : NULL;
    capacity->by_node =
        is_of ? hc_new_array(capacity->nodes.n, sizeof *capacity->by_node, err) : NULL;
    capacity->by_day =
        capacity->by_node ? hc_new_array(capacity->n_days, sizeof *capacity->by_day, err) : NULL;
    enum hc_status status = capacity->by_day ? HC_OK : err->status;
    if (status == HC_OK)
        status = hc_capacity_queue_init(&sweep.queue, capacity, err);
    if (status == HC_OK)
        status = find_places(&places, capacity, err);
    if (status == HC_OK)
        status = sweep_all(&sweep, &places, is_of, order, err);
    hc_capacity_queue_fini(&sweep.queue);
    free(sweep.events.events);
    free(places.inventory);
    free(places.states);
    free(places.allocations);
    free(is_of);
    free(order);
    return status;
}
