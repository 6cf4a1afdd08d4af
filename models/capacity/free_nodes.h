/* free_nodes.h - the nodes that were free as a whole: the largest job that would have fitted.
 *
 * A node counts while it can be used and no job holds a GPU of it. What is free on nodes of which
 * jobs hold a part is in hc_capacity_sum.partly_used.
 */
#ifndef HC_MODELS_CAPACITY_FREE_NODES_H
#define HC_MODELS_CAPACITY_FREE_NODES_H

#include "models/capacity/installed.h"

struct hc_free_nodes_day {
    int64_t least, most;            /* nodes at once */
    int64_t most_gpus;              /* GPUs of free nodes at once */
    hc_capacity_ns node_ns, gpu_ns; /* over the day */
};

/* Zeroed memory but for the days, whose boundaries are those of hc_capacity. */
struct hc_free_nodes {
    const int64_t *day_ns;
    size_t n_days;
    struct hc_free_nodes_day *days; /* [n_days] after the end */
    /* Private. */
    size_t n, room;
    struct hc_free_nodes_change *changes;
    struct hc_capacity_span last; /* the last free time of a node, which may go on */
};

/* For the member `span` of hc_capacity_watch: context is a struct hc_free_nodes. */
enum hc_status hc_free_nodes_take(void *context, const struct hc_capacity_span *span,
                                  struct hc_error *err);

/* After the last. */
enum hc_status hc_free_nodes_end(struct hc_free_nodes *nodes, struct hc_error *err);
void hc_free_nodes_fini(struct hc_free_nodes *nodes);

#endif
