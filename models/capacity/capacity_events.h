/* capacity_events.h - what is known of one node, as changes in order of time. Private to this wing.
 *
 * Where a history of nodes speaks, it alone says when the node was down or drained; before and
 * after it, a snapshot does, until the next one of that node or for as long as snapshots hold. What
 * lasts at the end of the history lasts until a snapshot of the node. Maintenance and reservations
 * are those of plans, of histories and of snapshots together; but a snapshot that was taken while a
 * plan held adds nothing, since the plan says when it ends.
 */
#ifndef HC_MODELS_CAPACITY_CAPACITY_EVENTS_H
#define HC_MODELS_CAPACITY_CAPACITY_EVENTS_H

#include "models/capacity/installed.h"

enum hc_capacity_event_kind {
    HC_CAPACITY_EVENT_GPUS,
    HC_CAPACITY_EVENT_ASSUMED,
    HC_CAPACITY_EVENT_HELD,
    HC_CAPACITY_EVENT_HEARD, /* sources that tell the state */
    HC_CAPACITY_EVENT_DOWN,  /* causes of that leaf; the next three likewise */
    HC_CAPACITY_EVENT_DRAINED,
    HC_CAPACITY_EVENT_MAINTENANCE,
    HC_CAPACITY_EVENT_RESERVED,
    HC_N_CAPACITY_EVENTS
};

/* From at_ns on the level of a kind is higher by `by`. */
struct hc_capacity_event {
    int64_t at_ns, by;
    enum hc_capacity_event_kind kind;
};

struct hc_capacity_events {
    size_t n, room;
    struct hc_capacity_event *events;
    int64_t from_ns, to_ns; /* the window: what is before it is put at its start */
};

/* Rows of one node: inventory and states by time. */
struct hc_capacity_node_rows {
    size_t n_inventory, n_states, n_allocations;
    const struct hc_capacity_inventory *inventory;
    const struct hc_capacity_state *states; /* by how, then since_ns */
    const struct hc_capacity_allocation *allocations;
};

/* Fill events, which may hold those of another node, in order of time. n_disagreeing of the
 * capacity is counted up. HC_INTERNAL only. */
enum hc_status hc_capacity_events_fill(struct hc_capacity_events *events,
                                       struct hc_capacity *capacity,
                                       const struct hc_capacity_node_rows *rows,
                                       struct hc_error *err);

#endif
