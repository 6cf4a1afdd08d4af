/* trace_event.h - an event of a synthetic profiler trace, in the words of the profiler.
 *
 * Times are ns on the clock of the rank that recorded it, from the base of its trace.
 */
#ifndef HC_SIM_SYNTH_TRACE_EVENT_H
#define HC_SIM_SYNTH_TRACE_EVENT_H

#include <stddef.h>
#include <stdint.h>

enum hc_trace_event_kind {
    HC_TRACE_CPU_OP,
    HC_TRACE_COMM_OP, /* record_param_comms */
    HC_TRACE_CALL,    /* of the CUDA runtime */
    HC_TRACE_KERNEL,
    HC_TRACE_COMM_KERNEL,
    HC_TRACE_COPY,
    HC_TRACE_STREAM_WAIT, /* cuda_sync: a stream waits for an event of another */
    HC_TRACE_DEVICE_SYNC, /* cuda_sync: the host waits for the GPU */
    HC_TRACE_ANNOTATION
};

/* A process group as one rank knows it. Members are first, first + stride, ... */
struct hc_trace_group {
    char name[24], description[24];
    int32_t size, first, stride;
};

/* What is communicated. */
struct hc_trace_comm {
    const char *op; /* "allreduce", "send", "recv" */
    const struct hc_trace_group *group;
    int64_t elements, seq;       /* seq: HC_MISSING_I64 where the trace is to have none */
    int32_t source, destination; /* places in the group; -1: not between two ranks */
};

struct hc_trace_event {
    enum hc_trace_event_kind kind;
    int64_t start_ns, duration_ns;
    const char *name;
    int32_t number;      /* of a ProfilerStep, which follows the name; else -1 */
    int32_t thread;      /* of what runs on the CPU: 0 main, 1 backward */
    int64_t correlation; /* of calls and what they launched or waited for; else 0 */
    int32_t stream, awaited_stream;
    int64_t record_correlation; /* of a stream wait: the call that recorded the event */
    int64_t bytes;              /* of a copy */
    struct hc_trace_comm comm;
};

#endif
