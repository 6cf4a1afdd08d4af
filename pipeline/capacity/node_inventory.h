/* node_inventory.h - since when which node has how many GPUs, from whatever tells of nodes.
 *
 * Snapshots say how many GPUs a node has, histories seldom do, and neither says since when. So:
 * - a node that the first look at all nodes lists was there before it, with as many GPUs: assumed;
 * - one that later looks list was there since something first told of it (a job, an event);
 * - one that at least two looks at all nodes no longer list, and of which nothing else tells then,
 *   is gone since the first of them;
 * - one that no snapshot lists has the GPUs that the site says of its partition, if it does, since
 *   something first told of it: assumed.
 * A look is at all nodes when it lists at least half as many as the largest.
 */
#ifndef HC_PIPELINE_CAPACITY_NODE_INVENTORY_H
#define HC_PIPELINE_CAPACITY_NODE_INVENTORY_H

#include "models/capacity/installed.h"

/* What tells of a node. */
struct hc_node_facts {
    int64_t first_ns, last_ns; /* something tells of it; INT64_MAX, INT64_MIN: nothing */
    int64_t listed_ns;         /* last time that a snapshot lists it; INT64_MIN: none */
    int64_t partitions_ns;     /* when its partitions were said; INT64_MIN: never */
    int32_t site_gpus;         /* by its partition; 0: the site does not say */
};

/* Zeroed memory is empty. */
struct hc_node_inventory {
    size_t n_facts, facts_room;
    struct hc_node_facts *facts; /* [code of the node] */
    size_t n_seen, seen_room;
    struct hc_node_seen {
        int64_t at_ns;
        int32_t node, gpus;
    } * seen; /* sources that say GPUs */
    size_t n_looks, looks_room;
    struct hc_node_look {
        int64_t at_ns;
        int64_t n_nodes;
    } * looks;                 /* at nodes */
    int64_t n_gone, n_by_site; /* nodes, after the end */
};

/* The facts of a node, valid until the next call; NULL with err filled. */
struct hc_node_facts *hc_node_inventory_of(struct hc_node_inventory *inventory, int32_t node,
                                           struct hc_error *err);

/* Something tells of a node from one moment to another. HC_INTERNAL only, as all of these. */
enum hc_status hc_node_inventory_tell(struct hc_node_inventory *inventory, int32_t node,
                                      int64_t from_ns, int64_t to_ns, struct hc_error *err);

/* A source says how many GPUs a node has at a moment. */
enum hc_status hc_node_inventory_see(struct hc_node_inventory *inventory, int32_t node,
                                     int64_t at_ns, int32_t gpus, struct hc_error *err);

/* A snapshot lists a node. */
enum hc_status hc_node_inventory_list(struct hc_node_inventory *inventory, int32_t node,
                                      int64_t at_ns, struct hc_error *err);

/* After the last: give a capacity the rows of its inventory, from from_ns on. */
enum hc_status hc_node_inventory_end(struct hc_node_inventory *inventory,
                                     struct hc_capacity *capacity, int64_t from_ns,
                                     struct hc_error *err);
void hc_node_inventory_fini(struct hc_node_inventory *inventory);

#endif
