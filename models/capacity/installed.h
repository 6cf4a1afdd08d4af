/* installed.h - where the installed GPU-time of a cluster went (docs/methods/capacity.md).
 *
 *     installed = allocated + down + drained + maintenance + reserved
 *               + idle with demand + idle without demand + idle, demand unknown
 *
 * At each instant a node's GPUs that jobs hold are allocated, whatever state the node is in; the
 * others belong to the first leaf in the order above that holds. GPU-time is counted in whole
 * GPU-nanoseconds. The leaves of a node sum exactly to its GPUs times the time since when it is
 * known, and the sums over nodes are those over days.
 *
 * What is wrong with the input is counted beside the tree and never made to fit: GPUs held above
 * those that a node has, and GPUs held on nodes that no inventory knows (then). So
 *
 *     all allocations in the window = allocated + over + outside.
 *
 * Use: zeroed memory with the days set; codes of nodes by hc_capacity_node; rows in any order by
 * hc_capacity_add_...; then hc_capacity_finish once; then the sums are read.
 */
#ifndef HC_MODELS_CAPACITY_INSTALLED_H
#define HC_MODELS_CAPACITY_INSTALLED_H

#include "core/base/status.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 10,000 nodes of 8 GPUs over a year are 2.5e21 GPU-ns: more than 64 bits hold. */
__extension__ typedef unsigned __int128 hc_capacity_ns;

enum hc_capacity_leaf {
    HC_CAPACITY_ALLOCATED,
    HC_CAPACITY_DOWN,
    HC_CAPACITY_DRAINED,
    HC_CAPACITY_MAINTENANCE,
    HC_CAPACITY_RESERVED,
    HC_CAPACITY_IDLE_DEMAND,
    HC_CAPACITY_IDLE_NO_DEMAND,
    HC_CAPACITY_IDLE_UNKNOWN, /* idle, and nobody looked at the queue */
    HC_N_CAPACITY_LEAVES
};

#define HC_CAPACITY_QUEUE_HOLDS_NS ((int64_t)15 * 60 * 1000000000)
#define HC_CAPACITY_STATE_HOLDS_NS ((int64_t)25 * 3600 * 1000000000)

/* GPU-time of a node, of a day, or of all. */
struct hc_capacity_sum {
    hc_capacity_ns leaf[HC_N_CAPACITY_LEAVES];
    hc_capacity_ns over;    /* held above the GPUs of the node: in no leaf */
    hc_capacity_ns outside; /* held where no inventory knows the node: in no leaf */
    hc_capacity_ns assumed; /* of the leaves: while the node's GPUs were assumed */
    hc_capacity_ns unheard; /* of the leaves that are idle: no source tells the node's state */
    hc_capacity_ns
        partly_used; /* of the leaves that are idle: on nodes of which jobs held a part */
};

/* The leaves together. */
hc_capacity_ns hc_capacity_installed(const struct hc_capacity_sum *sum);

/* From from_ns on a node has these GPUs (0: it is gone), until its next such row. */
struct hc_capacity_inventory {
    int64_t from_ns;
    int32_t node, gpus;
    bool is_assumed;
};

/* A row of `node_states`: an interval of a history, what was seen at an instant, or a plan. */
struct hc_capacity_state {
    int64_t since_ns, until_ns; /* until_ns: HC_MISSING_I64 while it lasts, and of snapshots */
    int32_t node;
    enum hc_node_knowledge how;
    struct hc_node_state state;
};

/* GPUs of a node that a job held in [from_ns, to_ns). */
struct hc_capacity_allocation {
    int64_t from_ns, to_ns;
    int32_t node, gpus;
};

/* A moment at which somebody looked at the queue. */
struct hc_capacity_look {
    int64_t time_ns;
};

/* A partition in which GPU jobs waited for GPUs at such a moment. */
struct hc_capacity_demand {
    int64_t time_ns;
    int32_t partition; /* code of hc_capacity.partitions */
};

/* A time in which nothing changed on a node, as hc_capacity_finish finds it. */
struct hc_capacity_span {
    int64_t from_ns, to_ns;
    int64_t gpus, held;         /* held may be more than gpus */
    enum hc_capacity_leaf rest; /* of the GPUs that are not held; all that are idle:
                                   HC_CAPACITY_IDLE_UNKNOWN */
    int32_t node;
};

/* Who wants to see more than the sums; all may be NULL. Spans come node by node in ascending time,
 * cells (the sum of a node on a day, where it is not zero) likewise. */
struct hc_capacity_watch {
    void *context;
    enum hc_status (*span)(void *context, const struct hc_capacity_span *span,
                           struct hc_error *err);
    enum hc_status (*cell)(void *context, int32_t node, size_t day,
                           const struct hc_capacity_sum *sum, struct hc_error *err);
};

struct hc_capacity {
    /* Set by the caller. Days may have any lengths: those of a zone have 23 or 25 hours at times.
     */
    const int64_t *day_ns; /* [n_days + 1] ascending; the window is from the first to the last */
    size_t n_days;
    int64_t queue_holds_ns; /* how long a look at the queue holds at most; 0: 15 minutes */
    int64_t state_holds_ns; /* the same of a snapshot of a node; 0: 25 hours */
    /* The time of which a history of nodes speaks; widened by each row of one. from == to: none. */
    int64_t history_from_ns, history_to_ns;

    /* Results: */
    struct hc_text_set nodes;
    struct hc_capacity_sum total;
    struct hc_capacity_sum *by_node; /* [nodes.n] */
    struct hc_capacity_sum *by_day;  /* [n_days] */
    int64_t n_over;                  /* times at which a node's jobs held more than it has */
    int64_t n_outside;     /* allocations, in part or whole, where no inventory knows the node */
    int64_t n_bad;         /* rows passed over: without time, or GPUs below 0 */
    int64_t n_disagreeing; /* snapshots within a history that say another thing of down, drained */

    /* Rows; private. */
    struct hc_text_set partitions, partition_lists;
    size_t n_inventory, inventory_room, n_states, states_room, n_allocations, allocations_room;
    size_t n_looks, looks_room, n_demands, demands_room, lists_room;
    struct hc_capacity_inventory *inventory;
    struct hc_capacity_state *states;
    struct hc_capacity_allocation *allocations;
    struct hc_capacity_look *looks;
    struct hc_capacity_demand *demands;
    int32_t *list_of_node; /* code of partition_lists, -1: not known */
};

/* The code of a node by its name without its domain; it is added when it is new. */
enum hc_status hc_capacity_node(struct hc_capacity *capacity, const char *name, int32_t *node,
                                struct hc_error *err);

/* Say in which partitions a node is ("long,short"): the last word holds for all of the time. */
enum hc_status hc_capacity_set_partitions(struct hc_capacity *capacity, int32_t node,
                                          const char *partitions, struct hc_error *err);

/* Add a row. Those that make no sense are counted (n_bad) and passed over. HC_INTERNAL only. */
enum hc_status hc_capacity_add_inventory(struct hc_capacity *capacity,
                                         const struct hc_capacity_inventory *row,
                                         struct hc_error *err);
enum hc_status hc_capacity_add_state(struct hc_capacity *capacity,
                                     const struct hc_capacity_state *row, struct hc_error *err);
enum hc_status hc_capacity_add_allocation(struct hc_capacity *capacity,
                                          const struct hc_capacity_allocation *row,
                                          struct hc_error *err);

/* Say that the queue was looked at, and that GPU jobs waited for GPUs of a partition then. A look
 * without demand tells that nobody waited. */
enum hc_status hc_capacity_add_look(struct hc_capacity *capacity, int64_t time_ns,
                                    struct hc_error *err);
enum hc_status hc_capacity_add_demand(struct hc_capacity *capacity, int64_t time_ns,
                                      const char *partition, struct hc_error *err);

/* Make the sums. watch may be NULL. HC_INTERNAL, or what a watch returned. */
enum hc_status hc_capacity_finish(struct hc_capacity *capacity,
                                  const struct hc_capacity_watch *watch, struct hc_error *err);
void hc_capacity_fini(struct hc_capacity *capacity);

#endif
