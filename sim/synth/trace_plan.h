/* trace_plan.h - the program that the CPU of a rank runs in each step of a synthetic trace.
 * Private to this wing.
 *
 * All forward passes, then all backward passes; gradients of a layer are reduced while the layers
 * before it still compute; then the norm over all ranks, and the optimizer.
 */
#ifndef HC_SIM_SYNTH_TRACE_PLAN_H
#define HC_SIM_SYNTH_TRACE_PLAN_H

#include "sim/synth/trace_synth.h"

#define HC_TRACE_MAX_GROUPS 3 /* of a rank: all ranks, its data-parallel ones, its pipeline */

enum hc_trace_stream {
    HC_STREAM_COMPUTE,
    HC_STREAM_DATA,     /* gradients of data parallelism */
    HC_STREAM_PIPELINE, /* sends and receives */
    HC_STREAM_WORLD,    /* the norm over all ranks */
    HC_N_TRACE_STREAMS
};

enum hc_trace_op_kind { HC_OP_COPY, HC_OP_KERNEL, HC_OP_COMM, HC_OP_WAIT, HC_OP_SYNC };

struct hc_trace_op {
    enum hc_trace_op_kind kind;
    enum hc_trace_stream stream, awaited; /* HC_OP_WAIT: stream waits for awaited */
    int32_t thread;
    const char *name, *cpu_name;
    int64_t work_ns; /* of the GPU, or the transfer */
    /* HC_OP_COMM. */
    int32_t group;     /* index into the groups of the rank */
    int32_t meeting;   /* which transfer it is: ranks that meet have the same number */
    int32_t n_members; /* who meet there */
    int32_t first, stride;
    int32_t order; /* how manieth of its group (of its pair) in a step */
    int32_t n_a_step;
    int32_t source, destination; /* places in the group, -1 */
    int64_t elements;
    const char *comm_name;
};

struct hc_trace_program {
    size_t n, capacity;
    struct hc_trace_op *ops;
    size_t n_groups;
    struct hc_trace_group groups[HC_TRACE_MAX_GROUPS];
};

/* How many different meetings a step has, over all ranks. */
int32_t hc_trace_plan_meetings(const struct hc_trace_synth_options *options);

/* Zeroed memory before; hc_trace_plan_fini also after a failure. */
enum hc_status hc_trace_plan_init(struct hc_trace_program *program,
                                  const struct hc_trace_synth_options *options, int32_t rank,
                                  struct hc_error *err);
void hc_trace_plan_fini(struct hc_trace_program *program);

#endif
