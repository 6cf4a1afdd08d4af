/* cluster_mistake.h - mistakes of the user of a run that is planted to lose time to them.
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_MISTAKE_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_MISTAKE_H

#include "sim/synth/cluster/cluster_synth.h"

/* When the user of a run that loses time makes the next mistake in a launch, in Unix seconds. */
int64_t hc_cluster_next_mistake_s(const struct hc_cluster *cluster,
                                  const struct hc_cluster_cycle *cycle);

#endif
