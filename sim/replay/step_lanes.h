/* step_lanes.h - the analysed steps of a trace, as graphs, op orders and blocks of lanes.
 *
 * Steps with the same set of ops form a structure and share one graph, derived from the smallest
 * step of the structure and dp rank 0. The lanes of a structure are its (step, dp rank) pairs, in
 * blocks of whole steps; a block holds one row an op, in the op order, so that a sweep
 * streams through it.
 */
#ifndef HC_SIM_REPLAY_STEP_LANES_H
#define HC_SIM_REPLAY_STEP_LANES_H

#include "core/base/status.h"
#include "models/steps/step_graph.h"
#include "sim/replay/op_order.h"
#include "sim/replay/step_choice.h"
#include "sim/replay/step_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_lane_block {
    size_t n_steps, n_lanes, stride; /* n_lanes = n_steps * dp_size; stride: padded */
    size_t *step;                    /* [n_steps] index among the analysed steps */
    double *duration;                /* [n_ops][stride] by position, ns: transfer time in groups */
    double *delay;                   /* [n_ops][stride] launch delay */
};

struct hc_step_structure {
    struct hc_step_graph graph;
    struct hc_op_order order;
    int32_t *op_type, *stage; /* [n_ops] by position */
    double *ideal;            /* [n_ops] by position: ideal duration, ns */
    double ideal_end, ideal_span;
    size_t n_blocks;
    struct hc_lane_block *blocks;
};

struct hc_step_lanes {
    int32_t dp_size, n_stages;
    size_t n_steps;
    int32_t *steps;     /* analysed, ascending */
    int64_t *traced_ns; /* [n_steps] latest end - earliest start */
    size_t n_structures;
    struct hc_step_structure *structures;
    size_t n_left_out;
    struct hc_left_out_step *left_out;
    int64_t n_rows; /* in the blocks */
    int64_t clamped_transfers, clamped_delays;
    bool has_negative; /* some duration is below 0 */
};

/* Finish the census of the trace, choose the steps, derive graphs and fill the blocks. The packed
 * rows are freed on the way, so this can be done once. */
enum hc_status hc_step_lanes_build(struct hc_step_lanes *lanes, struct hc_step_trace *trace,
                                   const struct hc_replay_options *options, struct hc_error *err);
void hc_step_lanes_fini(struct hc_step_lanes *lanes);

/* Of a structure whose graph is there: its op order, and what each position is; no blocks. */
enum hc_status hc_step_structure_compile(struct hc_step_structure *structure, struct hc_error *err);
void hc_step_structure_fini(struct hc_step_structure *structure);

/* One more than the highest model chunk; 0 when the trace has none. */
int32_t hc_step_lanes_vpp_size(const struct hc_step_lanes *lanes);

/* Before a trace is kept: derive the graphs of the steps whose rows of dp rank 0 are in trace;
 * census is the finished one of all rows. HC_BAD_INPUT, as hc_step_lanes_build would give it, when
 * the structure that most steps have is no valid step. */
enum hc_status hc_step_graphs_check(struct hc_step_trace *trace, const struct hc_census *census,
                                    struct hc_error *err);

#endif
