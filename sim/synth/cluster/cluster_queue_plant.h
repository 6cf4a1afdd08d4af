/* cluster_queue_plant.h - a life with the arrivals that its options say, of which lives without a
 * queue to grow consist; the others live until the arrivals are found (hc_cluster_live).
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_QUEUE_PLANT_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_QUEUE_PLANT_H

#include "sim/synth/cluster/cluster_synth.h"

/* As hc_cluster_live, with extra_arrivals as they are. */
enum hc_status hc_cluster_live_once(struct hc_cluster *cluster,
                                    const struct hc_cluster_options *options, struct hc_error *err);

#endif
