/* attempt_slices.h - the time of an attempt, cut into slices.
 *
 * A pure function of what is known of the attempt: the same facts give the same slices, which tile
 * the time from its start to its end without a gap or an overlap.
 */
#ifndef HC_MODELS_ACCOUNT_TREE_ATTEMPT_SLICES_H
#define HC_MODELS_ACCOUNT_TREE_ATTEMPT_SLICES_H

#include "core/tables/nodes/phase_table.h"
#include "models/account/tree/launches.h"
#include "models/account/tree/slice.h"

/* Steps of a line of a log: `iterations` of them, the last of which was done at end_ns. */
struct hc_step_row {
    int64_t end_ns, iteration, line;
    int64_t duration_ns; /* mean of one; missing: not told */
    int32_t iterations;
};

/* A moment of a log beside the steps. */
struct hc_moment_row {
    int64_t time_ns;
    int64_t iteration;
};

/* A phase of the start-up of a launch, over all nodes: from the first to begin it to the last to
 * end it. */
struct hc_phase_span {
    int64_t from_ns, to_ns;
    enum hc_phase phase;
};

/* What is known of a launch; each list in order of time. */
struct hc_launch_facts {
    const struct hc_launch *launch;
    size_t n_steps, n_saves, n_evaluations, n_phases;
    const struct hc_step_row *steps;
    const struct hc_moment_row *saves, *evaluations;
    const struct hc_phase_span *phases;
};

struct hc_attempt_facts {
    int64_t start_ns, end_ns; /* of one that runs: as far as is known */
    int64_t as_of_ns;         /* when that was known */
    int32_t gpus;
    bool is_running;
    bool is_completed; /* the scheduler says that it came to its own end */
    size_t n_launches;
    const struct hc_launch_facts *launches; /* in order of time */
    size_t n_phases;
    const struct hc_phase_span *phases; /* without a launch: of an attempt without a log */
};

/* After so long, what was at risk in a run that nobody went on with is abandoned. */
#define HC_ABANDONED_NS ((int64_t)7 * 86400 * 1000000000)

/* Give the slices to sink, in order of time. An attempt without GPUs, or of no time, has none. */
enum hc_status hc_attempt_slices(const struct hc_attempt_facts *facts,
                                 const struct hc_launches *launches,
                                 const struct hc_slice_sink *sink, struct hc_error *err);

#endif
