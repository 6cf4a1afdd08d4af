/* op_order.h - a step graph compiled for sweeping: a static topological order of nodes with the
 * slots where their ends live.
 *
 * A node is a communication group, or one op that does not communicate. The ops of a node stand at
 * consecutive positions, and matrices of durations have their rows in order of position, so that a
 * sweep streams through them. Each op that something waits for has a slot for its end; slots are
 * reused as soon as the last waiter is done, which keeps the live ends in L2.
 */
#ifndef HC_SIM_REPLAY_OP_ORDER_H
#define HC_SIM_REPLAY_OP_ORDER_H

#include "core/base/status.h"
#include "models/steps/step_graph.h"
#include "sim/replay/scalar_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_NO_SLOT UINT32_MAX

struct hc_op_order_node {
    uint32_t first_position, n_ops;
    uint32_t first_dep, n_deps; /* into dep_slot: what any member waits for, without repeats */
    bool is_synced;             /* waits for its twins on all dp ranks */
    bool has_root;              /* a member waits for nothing, so the node starts at 0 or later */
};

struct hc_op_order {
    size_t n_ops, n_nodes, n_slots;
    struct hc_op_order_node *nodes;
    uint32_t *dep_slot;
    uint32_t *op_at;       /* [n_ops] op of the graph at each position */
    uint32_t *position;    /* [n_ops] position of each op of the graph */
    uint32_t *slot;        /* [n_ops] by position: where its end is kept, or HC_NO_SLOT */
    uint8_t *is_optimizer; /* [n_ops] by position: ends_step of the graph */
    uint32_t *own_begin;   /* [n_ops + 1] by position: into own_slot */
    uint32_t *own_slot;    /* slots of what each op itself waits for */
    struct hc_scalar_code code;
};

/* Order the graph and assign slots. HC_BAD_INPUT naming the ops when there is a cycle. */
enum hc_status hc_op_order_compile(struct hc_op_order *order, const struct hc_step_graph *graph,
                                   struct hc_error *err);
void hc_op_order_fini(struct hc_op_order *order);

#endif
