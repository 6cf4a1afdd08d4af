/* timeline.h - every op of every step with its times, in one of three timelines: traced, replayed
 * (traced durations, no launch delays) or ideal. For exports and pictures; a what-if needs only the
 * ends (sim/replay/sweep.h). Steps come one after the other, so memory is bounded by the trace
 * itself.
 */
#ifndef HC_SIM_REPLAY_TIMELINE_H
#define HC_SIM_REPLAY_TIMELINE_H

#include "core/base/status.h"
#include "sim/replay/step_choice.h"
#include "sim/replay/step_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_timeline { HC_TIMELINE_TRACED, HC_TIMELINE_REPLAYED, HC_TIMELINE_IDEAL, HC_N_TIMELINES };

#define HC_NO_PAIR (-1)

struct hc_timeline_op {
    int32_t op_type, seq_id, stage, model_chunk, microbatch, dp_rank, rank;
    int64_t start_ns;    /* of the op itself, waiting included; from the start of the step */
    int64_t transfer_ns; /* of communication: the end less the transfer time, which is when the last
                            participant was there; of other ops start_ns */
    int64_t end_ns;
    int32_t pair; /* of a send or receive: a number that only the other one has, of its dp rank in
                     its step, from 0 to n_pairs - 1; else HC_NO_PAIR */
};

/* The job and its analysed steps, the same for each of them. */
struct hc_timeline_source {
    const struct hc_job *job;
    int32_t dp_size, n_stages; /* of the trace */
    size_t n_steps, n_left_out;
    const int32_t *steps; /* analysed, ascending */
    const struct hc_left_out_step *left_out;
    int64_t n_ops; /* of all analysed steps */
    /* How many values were clock errors and count as 0 (sim/replay/lane_block.h): where there are
     * any, the traced timeline differs from what was recorded. */
    int64_t clamped_transfers, clamped_delays;
    bool hides_waiting; /* of the source: the wait before a transfer is not in the trace */
};

/* One step; its ops by rank, then op type, then seq_id, as the artifact writes its rows. */
struct hc_timeline_step {
    int32_t step;
    enum hc_timeline timeline;
    int64_t span_ns;     /* latest end, from the earliest start */
    int64_t recorded_ns; /* the span of the rows as recorded: equal to span_ns of the traced
                            timeline where nothing was clamped */
    size_t n_ops, n_pairs;
    const struct hc_timeline_op *ops; /* valid during the call */
    const struct hc_timeline_source *source;
};

typedef enum hc_status hc_timeline_take(const struct hc_timeline_step *step, void *context,
                                        struct hc_error *err);

struct hc_timeline_request {
    const struct hc_replay_options *options;
    size_t n;
    enum hc_timeline timelines[HC_N_TIMELINES]; /* [n] */
};

/* Call take for each analysed step of the first timeline, ascending, then for those of the next.
 * The trace is used up: its rows are freed, so this can be done once. */
enum hc_status hc_timeline_each(struct hc_step_trace *trace,
                                const struct hc_timeline_request *request, hc_timeline_take *take,
                                void *context, struct hc_error *err);

#endif
