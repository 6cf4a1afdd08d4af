/* cluster_node_start.h - what a node of an attempt does before the processes are launched: it is
 * given to the job, pulls the image, and makes its environment, each phase when the one before it
 * is over. The processes are launched when the slowest node is ready.
 */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_NODE_START_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_NODE_START_H

#include "sim/synth/cluster/cluster_synth.h"

enum hc_cluster_phase {
    HC_CLUSTER_ALLOCATE,
    HC_CLUSTER_IMAGE,
    HC_CLUSTER_ENVIRONMENT,
    HC_CLUSTER_N_PHASES
};

/* Of the k-th node of an attempt that has begun: phase p is from times_s[p] to times_s[p + 1]. */
void hc_cluster_node_start(const struct hc_cluster *cluster, size_t attempt, int32_t k,
                           int64_t times_s[HC_CLUSTER_N_PHASES + 1]);

/* Of all its nodes: times_s[p + 1] is when the last of them is through phase p. */
void hc_cluster_slowest_start(const struct hc_cluster *cluster, size_t attempt,
                              int64_t times_s[HC_CLUSTER_N_PHASES + 1]);

#endif
