/* capacity_demand.h - for how long GPU jobs waited for nodes of some partitions.
 * Private to this wing. */
#ifndef HC_MODELS_CAPACITY_CAPACITY_DEMAND_H
#define HC_MODELS_CAPACITY_CAPACITY_DEMAND_H

#include "models/capacity/installed.h"

/* Looks at the queue in order of time, with sums before each; of the nodes of one list of
 * partitions at a time. */
struct hc_capacity_queue {
    size_t n;
    int64_t *at_ns, *holds_ns;       /* [n] */
    int64_t *known_ns, *demanded_ns; /* [n + 1] before look i */
    size_t *first;                   /* [n + 1] of look i: demands[first[i]] to [first[i + 1]] */
    bool *is_demanded;               /* [n] */
};

/* Sort the looks and demands of a capacity and sum up what is known. A demand at a moment without a
 * look is one. HC_INTERNAL only; fini in any case. */
enum hc_status hc_capacity_queue_init(struct hc_capacity_queue *queue, struct hc_capacity *capacity,
                                      struct hc_error *err);
void hc_capacity_queue_fini(struct hc_capacity_queue *queue);

/* Turn to the nodes of a list of partitions: is_of[p] says whether partition p is in it. */
void hc_capacity_queue_choose(struct hc_capacity_queue *queue, const struct hc_capacity *capacity,
                              const bool *is_of);

/* How much of [from_ns, to_ns) is known, and in how much of it jobs waited. */
struct hc_capacity_demanded {
    int64_t known_ns, demanded_ns;
};
struct hc_capacity_demanded hc_capacity_queue_within(const struct hc_capacity_queue *queue,
                                                     int64_t from_ns, int64_t to_ns);

#endif
