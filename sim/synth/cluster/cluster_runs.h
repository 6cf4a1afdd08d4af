/* cluster_runs.h - the cycles of an attempt of a run: what it does between a launch and its end.
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_RUNS_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_RUNS_H

#include "core/random/philox.h"
#include "sim/synth/cluster/cluster_synth.h"

#define HC_CLUSTER_IDLE_S      20 /* from the end of training to that of the job */
#define HC_CLUSTER_TRACEBACK_S 10 /* from a mistake of the user's to the end of the job */

/* Where a run stands while it lives; one each. */
struct hc_cluster_progress {
    int64_t saved_iteration, first_iteration; /* that of the first launch */
    bool is_done, has_begun;
};

struct hc_cluster_cycles {
    struct hc_cluster *cluster;
    struct hc_cluster_progress *progress;
    size_t room;
    struct hc_philox *rng;
};

/* Launch the processes of an attempt at start_s. *end_s: when the run would be complete. */
enum hc_status hc_cluster_cycle_begin(struct hc_cluster_cycles *cycles, size_t attempt,
                                      int64_t start_s, int64_t *end_s, struct hc_error *err);

/* The last cycle of the attempt makes steps until stops_s and is over at end_s
 * (HC_CLUSTER_NO_TIME_S: it goes on when the life ends). */
void hc_cluster_cycle_end(struct hc_cluster_cycles *cycles, size_t attempt, int64_t stops_s,
                          int64_t end_s);

/* The attempt ends at end_s by a fault before its next launch, which had a cycle: the launch before
 * is the one that this fault ends, not that for which the launch was to come. */
void hc_cluster_cycle_call_off(struct hc_cluster_cycles *cycles, size_t attempt, int64_t end_s,
                               int32_t fault);

#endif
