/* cluster_log_walk.h - what the log of a launch tells, one after the other: lines of iterations,
 * evaluations, checkpoints that were saved. Each dialect writes the same ones.
 *
 * Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_LOG_WALK_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_LOG_WALK_H

#include "sim/synth/cluster/cluster_steps.h"

enum hc_cluster_log_what { HC_CLUSTER_LINE, HC_CLUSTER_EVALUATED, HC_CLUSTER_SAVED };

struct hc_cluster_log_event {
    enum hc_cluster_log_what what;
    int64_t iteration;
    int64_t time_ms; /* when it is over, Unix time */
    int64_t took_ms; /* the evaluation, the save */
    int64_t mean_us; /* of a line: of a step since the last line, in units of 100 */
};

struct hc_cluster_log_walk {
    struct hc_cluster_steps steps;
    struct hc_cluster_step step;
    int64_t last_iteration, stops_ms, interval;
    int64_t sum_ms, n; /* of steps since the last line */
    int told;          /* of the step at hand: how many kinds have been looked at */
};

/* Of a cycle that came to a step. */
void hc_cluster_log_begin(struct hc_cluster_log_walk *walk, const struct hc_cluster *cluster,
                          const struct hc_cluster_cycle *cycle);

/* False: that is all. What a fault cut short is not told. */
bool hc_cluster_log_next(struct hc_cluster_log_walk *walk, struct hc_cluster_log_event *event);

/* When the training of a cycle is complete, with its last save, in Unix seconds, rounded up;
 * HC_CLUSTER_NO_TIME_S: it never is. */
int64_t hc_cluster_done_s(const struct hc_cluster *cluster, const struct hc_cluster_cycle *cycle);

#endif
