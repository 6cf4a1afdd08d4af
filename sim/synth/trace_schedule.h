/* trace_schedule.h - when the ops of a synthetic trace run, on the true clock.
 * Private to this wing.
 */
#ifndef HC_SIM_SYNTH_TRACE_SCHEDULE_H
#define HC_SIM_SYNTH_TRACE_SCHEDULE_H

#include "sim/synth/trace_plan.h"

/* Of one op. The CPU works from cpu_ns on, then makes its call; an op that waits makes two calls of
 * half that time each, which record the event and wait for it. */
struct hc_trace_times {
    int64_t cpu_ns, call_ns, call_end_ns;
    int64_t gpu_ns, gpu_end_ns; /* of what has work on the GPU */
};

/* A transfer in the step at hand. */
struct hc_trace_meeting {
    int32_t n_arrived;
    int64_t arrival_ns; /* of the last */
};

struct hc_trace_lane {
    struct hc_trace_program program;
    struct hc_trace_times *times; /* beside the ops */
    int64_t step_ns, end_ns;      /* of the step at hand */
    size_t next;                  /* op that is placed next on the GPU */
    bool has_arrived;             /* at the meeting that is next */
    int64_t stream_end_ns[HC_N_TRACE_STREAMS], stream_ready_ns[HC_N_TRACE_STREAMS];
    bool has_run[HC_N_TRACE_STREAMS];
};

struct hc_trace_schedule {
    struct hc_trace_synth_options options;
    int32_t n_ranks, step; /* index of the step at hand; -1 before the first */
    struct hc_trace_lane *lanes;
    struct hc_trace_meeting *meetings;
    int32_t n_meetings;
};

enum hc_status hc_trace_schedule_init(struct hc_trace_schedule *schedule,
                                      const struct hc_trace_synth_options *options,
                                      struct hc_error *err);
void hc_trace_schedule_fini(struct hc_trace_schedule *schedule);

/* Place the next step. HC_INTERNAL: ranks wait for each other in a circle, a mistake of the plan.
 */
enum hc_status hc_trace_schedule_step(struct hc_trace_schedule *schedule, struct hc_error *err);

#endif
