/* step_graph.h - the dependency graph of one training step (docs/methods/straggler-whatif.md; paper
 * section 3.2).
 *
 * Nodes are the ops of one (step, dp rank), the template. An edge u -> v means that v waits for the
 * end of u. Ops of one communication group start to transfer together, when the last of them has
 * started; synchronised groups wait for their twins on all dp ranks too.
 */
#ifndef HC_MODELS_STEPS_STEP_GRAPH_H
#define HC_MODELS_STEPS_STEP_GRAPH_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_graph_op {
    int32_t op_type, seq_id, stage;
    int32_t model_chunk, global_chunk; /* HC_MISSING_I32 when the trace has none */
    int32_t microbatch;                /* the same; used where there are only passes */
    int64_t start_ns, end_ns;          /* in the template */
};

struct hc_step_graph {
    int32_t n_stages;
    bool uses_dp, overlaps_dp;
    size_t n_ops;
    struct hc_graph_op *ops; /* in the order of the template given */
    size_t n_edges;          /* distinct */
    uint32_t *dep_begin;     /* [n_ops + 1] */
    uint32_t *dep;  /* dep[dep_begin[i] .. dep_begin[i + 1]): what op i waits for, ascending */
    size_t n_roots; /* ops that wait for nothing */
    size_t n_groups;
    uint32_t *member_begin;   /* [n_groups + 1] */
    uint32_t *member;         /* ops of each group */
    uint8_t *group_is_synced; /* [n_groups] over all dp ranks */
    int32_t *group_of;        /* [n_ops], -1 for ops that do not communicate */
    uint8_t *ends_step; /* [n_ops] the latest end of these is the end of the step: its optimizer
                           ops, or where only passes were recorded, the last of each stage */
};

struct hc_graph_options {
    int32_t n_stages; /* of the trace */
    bool uses_dp;     /* more than one dp rank, or dsp_size > 1 */
    /* 1 << op type of those that the job is said not to have: what would wait for them waits for
     * what they would have waited for. Of collectives the barrier goes, too. Without an optimizer
     * the last op of each stage ends the step; without a separate-grads-all-reduce gradients are
     * still taken to be reduced under the backward passes, which that op tells otherwise. */
    uint32_t absent_ops;
};

/* Derive the graph of a template of n_ops ops (copied). HC_BAD_INPUT, naming ops and stages, when
 * the ops do not make a valid step: an op twice, a stage without gc, layernorm, clip, optimizer,
 * embedding or gradient reduction where one is needed and it is not said to be absent (the message
 * has the line that says so, where no stage has one), an op that is said to be absent, sends and
 * receives that do not match. Cycles are found by hc_op_order_compile, which orders the graph. */
enum hc_status hc_step_graph_derive(struct hc_step_graph *graph, const struct hc_graph_op *ops,
                                    size_t n_ops, const struct hc_graph_options *options,
                                    struct hc_error *err);
void hc_step_graph_fini(struct hc_step_graph *graph);

/* Build a graph from explicit edges and groups: edges [n_edges][2] = {u, v}, u before v; group_of
 * [n_ops] (-1 none) with group ids 0..n_groups-1, group_is_synced [n_groups]. For tests and
 * benchmarks, and for graphs that other sources give. */
struct hc_graph_lists {
    const struct hc_graph_op *ops;
    size_t n_ops;
    const uint32_t (*edges)[2];
    size_t n_edges;
    const int32_t *group_of;
    size_t n_groups;
    const uint8_t *group_is_synced;
};
enum hc_status hc_step_graph_build(struct hc_step_graph *graph, const struct hc_graph_lists *lists,
                                   struct hc_error *err);

enum hc_status hc_step_graph_copy(struct hc_step_graph *to, const struct hc_step_graph *from,
                                  struct hc_error *err);

/* What identifies an op within a template: different ops have different keys. */
uint64_t hc_graph_op_key(int op_type, int32_t seq_id, int32_t stage);

/* "forward-compute seq 3, stage 1" into text. */
void hc_graph_op_describe(const struct hc_graph_op *op, char *text, size_t size);

#endif
