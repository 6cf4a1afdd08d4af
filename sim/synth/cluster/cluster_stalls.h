/* cluster_stalls.h - saves and evaluations of a run that take longer from a day on, as it is
 * planted. Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_STALLS_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_STALLS_H

#include "sim/synth/cluster/cluster_synth.h"

/* From when on, in Unix milliseconds, and by how much longer; 0 ms where nothing is planted. */
struct hc_cluster_stalls {
    int64_t saves_from_ms, save_more_ms, evaluations_from_ms, evaluation_more_ms;
};

/* Such that the run loses the factor of the plant, a share, of the time of its steps; nothing where
 * less than twice that share of it are steps. */
void hc_cluster_plan_stalls(struct hc_cluster_stalls *stalls, const struct hc_cluster *cluster,
                            int32_t run);

#endif
