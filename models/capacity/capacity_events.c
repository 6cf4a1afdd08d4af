#include "models/capacity/capacity_events.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/capacity/node_causes.h"

#include <stdlib.h>

#define FOREVER   INT64_MAX
#define LOOK_BACK 64 /* rows of a node that may hold at once */

/* Rows of one kind of knowledge of a node, by since_ns. */
struct rows_of_kind {
    size_t n;
    const struct hc_capacity_state *rows;
    size_t n_begun, first_alive; /* cursor of a search with ascending times */
};

struct filling {
    struct hc_capacity_events *events;
    struct hc_capacity *capacity;
    struct rows_of_kind history, snapshots, plans;
    int64_t open_until_ns; /* when what lasts at the end of the history is looked at again */
    int64_t holds_ns;
};

static enum hc_status put(struct hc_capacity_events *events, int64_t at_ns,
                          enum hc_capacity_event_kind kind, int64_t by, struct hc_error *err)
{
    if (hc_reserve(&events->events, &events->room, events->n + 1, sizeof *events->events, err))
        return err->status;
    events->events[events->n++] = (struct hc_capacity_event){at_ns, by, kind};
    return HC_OK;
}

/* The level of a kind is higher by `by` within an interval, which is cut by the window. */
static enum hc_status put_interval(struct hc_capacity_events *events, int64_t from_ns,
                                   int64_t to_ns, enum hc_capacity_event_kind kind, int64_t by,
                                   struct hc_error *err)
{
    from_ns = from_ns > events->from_ns ? from_ns : events->from_ns;
    to_ns = to_ns < events->to_ns ? to_ns : events->to_ns;
    if (from_ns >= to_ns || by == 0)
        return HC_OK;
    if (put(events, from_ns, kind, by, err))
        return err->status;
    return to_ns < events->to_ns ? put(events, to_ns, kind, -by, err) : HC_OK;
}

static enum hc_status put_causes(struct filling *filling, int64_t from_ns, int64_t to_ns,
                                 unsigned causes, struct hc_error *err)
{
    static const struct {
        unsigned cause;
        enum hc_capacity_event_kind kind;
    } kinds[] = {
        {HC_CAUSE_DOWN, HC_CAPACITY_EVENT_DOWN},
        {HC_CAUSE_DRAINED, HC_CAPACITY_EVENT_DRAINED},
        {HC_CAUSE_MAINTENANCE, HC_CAPACITY_EVENT_MAINTENANCE},
        {HC_CAUSE_RESERVED, HC_CAPACITY_EVENT_RESERVED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((causes & kinds[i].cause) &&
            put_interval(filling->events, from_ns, to_ns, kinds[i].kind, 1, err))
            return err->status;
    return HC_OK;
}

/* ---- one kind of rows ---- */

/* Until when a row of a history or plan holds. One without an end is over when the next begins:
 * the scheduler closes it then, and the dump that said so may be missing. */
static int64_t until_of(const struct filling *filling, const struct rows_of_kind *of, size_t i)
{
    int64_t until_ns = of->rows[i].until_ns;
    if (until_ns != HC_MISSING_I64)
        return until_ns;
    if (of != &filling->history)
        return FOREVER;
    for (size_t next = i + 1; next < of->n; next++)
        if (of->rows[next].since_ns > of->rows[i].since_ns)
            return of->rows[next].since_ns;
    return filling->open_until_ns;
}

/* All causes that rows tell of a moment; moments must ascend. */
static unsigned causes_at(const struct filling *filling, struct rows_of_kind *of, int64_t at_ns)
{
    unsigned causes = 0;
    while (of->n_begun < of->n && of->rows[of->n_begun].since_ns <= at_ns)
        of->n_begun++;
    while (of->first_alive < of->n_begun && (until_of(filling, of, of->first_alive) <= at_ns ||
                                             of->n_begun - of->first_alive > LOOK_BACK))
        of->first_alive++;
    for (size_t i = of->first_alive; i < of->n_begun; i++)
        if (until_of(filling, of, i) > at_ns)
            causes |= hc_capacity_causes(of->rows[i].state);
    return causes;
}

static enum hc_status put_rows(struct filling *filling, const struct rows_of_kind *of,
                               struct hc_error *err)
{
    for (size_t i = 0; i < of->n; i++) {
        int64_t since_ns = of->rows[i].since_ns, until_ns = until_of(filling, of, i);
        if (put_causes(filling, since_ns, until_ns, hc_capacity_causes(of->rows[i].state), err))
            return err->status;
        if (of == &filling->history && until_ns > filling->capacity->history_to_ns &&
            put_interval(filling->events, filling->capacity->history_to_ns, until_ns,
                         HC_CAPACITY_EVENT_HEARD, 1, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- snapshots ---- */

/* The first cause, which is the one that counts. */
static unsigned first_of(unsigned causes)
{
    return causes & -causes;
}

/* Whether the history has the last word on its node at a moment: it ends there or later. Both are
 * told in whole seconds, so that a snapshot of the second in which a node was set back may have
 * seen it before that. */
static bool is_in_history(const struct filling *filling, int64_t at_ns)
{
    const struct hc_capacity *capacity = filling->capacity;
    if (at_ns < capacity->history_from_ns || at_ns > capacity->history_to_ns)
        return false;
    bool is_set_back = false;
    for (size_t i = 0; i < filling->history.n && at_ns == capacity->history_to_ns; i++)
        is_set_back = is_set_back || filling->history.rows[i].until_ns == at_ns;
    return at_ns < capacity->history_to_ns || is_set_back;
}

/* What a snapshot says of its node while it holds, as far as nothing better speaks. */
static enum hc_status put_snapshot(struct filling *filling, size_t i, struct hc_error *err)
{
    struct hc_capacity *capacity = filling->capacity;
    const struct rows_of_kind *of = &filling->snapshots;
    int64_t at_ns = of->rows[i].since_ns, until_ns = at_ns + filling->holds_ns;
    int64_t history_from_ns = capacity->history_from_ns;
    bool has_history = history_from_ns < capacity->history_to_ns;
    unsigned causes = hc_capacity_causes(of->rows[i].state);
    unsigned of_health = causes & (HC_CAUSE_DOWN | HC_CAUSE_DRAINED),
             of_plans = causes & ~of_health;
    if (i + 1 < of->n && of->rows[i + 1].since_ns < until_ns)
        until_ns = of->rows[i + 1].since_ns;
    if (put_interval(filling->events, at_ns, until_ns, HC_CAPACITY_EVENT_HEARD, 1, err))
        return err->status;
    if (causes_at(filling, &filling->plans, at_ns) == 0 &&
        put_causes(filling, at_ns, until_ns, of_plans, err))
        return err->status;
    if (has_history && is_in_history(filling, at_ns)) {
        unsigned told = causes_at(filling, &filling->history, at_ns);
        told &= HC_CAUSE_DOWN | HC_CAUSE_DRAINED;
        capacity->n_disagreeing += first_of(told) != first_of(of_health);
        return HC_OK;
    }
    if (has_history && at_ns < history_from_ns && until_ns > history_from_ns)
        until_ns = history_from_ns;
    return put_causes(filling, at_ns, until_ns, of_health, err);
}

static enum hc_status put_states(struct filling *filling, struct hc_error *err)
{
    const struct hc_capacity *capacity = filling->capacity;
    if (put_rows(filling, &filling->history, err) || put_rows(filling, &filling->plans, err))
        return err->status;
    for (size_t i = 0; i < filling->snapshots.n; i++)
        if (put_snapshot(filling, i, err))
            return err->status;
    if (capacity->history_from_ns >= capacity->history_to_ns)
        return HC_OK;
    /* The last word of the history is as good as a snapshot. */
    return put_interval(filling->events, capacity->history_from_ns,
                        capacity->history_to_ns + filling->holds_ns, HC_CAPACITY_EVENT_HEARD, 1,
                        err);
}

/* ---- all of a node ---- */

static enum hc_status put_inventory(struct hc_capacity_events *events,
                                    const struct hc_capacity_node_rows *rows, struct hc_error *err)
{
    for (size_t i = 0; i < rows->n_inventory; i++) {
        const struct hc_capacity_inventory *row = &rows->inventory[i];
        int64_t to_ns = i + 1 < rows->n_inventory ? row[1].from_ns : FOREVER;
        if (put_interval(events, row->from_ns, to_ns, HC_CAPACITY_EVENT_GPUS, row->gpus, err) ||
            (row->is_assumed &&
             put_interval(events, row->from_ns, to_ns, HC_CAPACITY_EVENT_ASSUMED, 1, err)))
            return err->status;
    }
    return HC_OK;
}

static int compare_events(const void *a, const void *b)
{
    const struct hc_capacity_event *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static struct rows_of_kind rows_of(const struct hc_capacity_node_rows *rows,
                                   enum hc_node_knowledge how)
{
    struct rows_of_kind of = {.rows = rows->states};
    size_t i = 0;
    while (i < rows->n_states && rows->states[i].how < how)
        i++;
    of.rows = rows->states + i;
    while (i + of.n < rows->n_states && of.rows[of.n].how == how)
        of.n++;
    return of;
}

enum hc_status hc_capacity_events_fill(struct hc_capacity_events *events,
                                       struct hc_capacity *capacity,
                                       const struct hc_capacity_node_rows *rows,
                                       struct hc_error *err)
{
    struct filling filling = {.events = events,
                              .capacity = capacity,
                              .history = rows_of(rows, HC_NODE_HISTORY),
                              .snapshots = rows_of(rows, HC_NODE_SNAPSHOT),
                              .plans = rows_of(rows, HC_NODE_PLAN),
                              .open_until_ns = FOREVER,
                              .holds_ns = capacity->state_holds_ns > 0
                                              ? capacity->state_holds_ns
                                              : HC_CAPACITY_STATE_HOLDS_NS};
    for (size_t i = filling.snapshots.n;
         i > 0 && filling.snapshots.rows[i - 1].since_ns >= capacity->history_to_ns; i--)
        filling.open_until_ns = filling.snapshots.rows[i - 1].since_ns;
    events->n = 0;
    if (put_inventory(events, rows, err) || put_states(&filling, err))
        return err->status;
    for (size_t i = 0; i < rows->n_allocations; i++) {
        const struct hc_capacity_allocation *row = &rows->allocations[i];
        if (put_interval(events, row->from_ns, row->to_ns, HC_CAPACITY_EVENT_HELD, row->gpus, err))
            return err->status;
    }
    if (events->n)
        qsort(events->events, events->n, sizeof *events->events, compare_events);
    return HC_OK;
}
