/* replay_base.h - the untouched job that scenarios of step timelines change: its analysed steps as
 * lanes, replayed once as they are and once with ideal durations.
 *
 * It is made once a trace and shared by all variants and points of a study, which only read it.
 * Times of a step: its span (latest end - earliest start over all ops) and its end (latest end of
 * an optimizer op, from the start of the step), as in the straggler what-if (sim/whatif/whatif.h).
 */
#ifndef HC_SIM_EDITS_REPLAY_BASE_H
#define HC_SIM_EDITS_REPLAY_BASE_H

#include "core/base/status.h"
#include "core/tables/job_places.h"
#include "sim/replay/counterfactuals.h"
#include "sim/replay/ideal.h"
#include "sim/replay/step_lanes.h"

#include <stddef.h>
#include <stdint.h>

/* Launch delays are not part of it: an untouched job starts each op when what it waits for is
 * done. */
/* Sums of durations, each up to 2^52 ns, must not wrap. */
__extension__ typedef __int128 hc_wide_ns;

struct hc_replay_shared; /* sim/edits/replay_shared.h */

struct hc_replay_base {
    struct hc_job job;
    bool hides_waiting;
    struct hc_step_lanes lanes;
    struct hc_ideals ideals;
    size_t n_workers; /* dp_size * n_stages */
    int32_t *rank;    /* [n_workers] by dp rank, then stage; HC_MISSING_I32: none in the trace */
    struct hc_job_places places;
    int32_t **microbatch; /* [n_structures][n_ops] by position: what an op computes, or whose data
                             it carries; HC_MISSING_I32: of none, or nobody knows */
    int64_t *span_ns, *end_ns;             /* [n_steps] replayed as they are */
    int64_t *ideal_span_ns, *ideal_end_ns; /* [n_steps] with ideal durations */
    int64_t *start_ns;   /* [n_steps + 1] when a step starts if all follow each other at once */
    double discrepancy;  /* replayed ends over traced spans, less 1: with its sign */
    int64_t n_gpus;      /* 0: not known */
    double *slow_worker; /* [n_workers] exact S with this one as traced, all else ideal (Eq. 4) */
    double *slow_rank;   /* [dp_size] the same of a dp rank */
    double *slow_stage;  /* [n_stages] and of a stage */
    hc_wide_ns sum_ns[HC_N_OP_TYPES]; /* of the durations of each type */
    double *sorted_ns[HC_N_OP_TYPES]; /* [ideals.n] of types whose ideal is a median: ascending */
    struct hc_replay_shared *shared;  /* what is found once for all that is asked of the job */
};

/* Replay a trace, whose rows are used up. HC_BAD_INPUT when no step is left, or the graph is not
 * valid, or the steps take no time. *base is NULL then; else it is the caller's to
 * hc_replay_base_free. */
enum hc_status hc_replay_base_new(struct hc_replay_base **base, struct hc_step_trace *trace,
                                  const struct hc_replay_options *options, struct hc_error *err);
void hc_replay_base_free(struct hc_replay_base *base);

/* For lanes that are made of others (sim/rearrange/): the rest of a base whose lanes and ideals are
 * there. Its ranks, and where they ran, stay as they are. */
enum hc_status hc_replay_base_finish(struct hc_replay_base *base, struct hc_error *err);

/* Lanes of the widest block. */
static inline size_t hc_replay_widest(const struct hc_replay_base *base)
{
    size_t widest = 0;
    for (size_t i = 0; i < base->lanes.n_structures; i++)
        for (size_t k = 0; k < base->lanes.structures[i].n_blocks; k++)
            if (base->lanes.structures[i].blocks[k].n_lanes > widest)
                widest = base->lanes.structures[i].blocks[k].n_lanes;
    return widest;
}

/* Number of a worker in the arrays. */
static inline size_t hc_replay_worker(const struct hc_replay_base *base, size_t dp_rank,
                                      int32_t stage)
{
    return dp_rank * (size_t)base->lanes.n_stages + (size_t)stage;
}

#endif
