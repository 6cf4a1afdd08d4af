/* profile_order.h - an order of the points of a graph in which every point comes after those that
 * it depends on, and a slot for the value of each, used again when nobody needs the value any more:
 * what a sweep touches then fits the cache. For this wing,
 * that of edits, and the tests.
 */
#ifndef HC_SIM_PROFILES_PROFILE_ORDER_H
#define HC_SIM_PROFILES_PROFILE_ORDER_H

#include "sim/profiles/profile_graph.h"

/* Zeroed memory is empty. Slots live on from part to part; the rest is of the last part. */
struct hc_graph_order {
    size_t n, capacity;
    uint32_t *points;    /* in order */
    uint32_t *slot;      /* of each point */
    size_t n_slots;      /* most that were in use */
    int64_t *carried_ns; /* traced time of the kept point in each slot */

    size_t n_free, free_capacity, slot_capacity;
    uint32_t *free_slots;
    uint32_t *stack; /* scratch: points under way, and where each is in its arcs */
    uint32_t *next;
};

/* Points are taken in their own order, each after what it depends on. HC_BAD_INPUT: a cycle, naming
 * its points. */
enum hc_status hc_graph_find_order(struct hc_graph_order *order,
                                   const struct hc_profile_graph *graph, struct hc_error *err);

/* Give the slot of a carried point back; its value may be overwritten from then on. */
enum hc_status hc_graph_release_slot(struct hc_graph_order *order, uint32_t slot,
                                     struct hc_error *err);

void hc_graph_order_fini(struct hc_graph_order *order);

#endif
