/* cluster_queue_plant.h - how many more jobs make the queue of a cluster grow by half.
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_QUEUE_PLANT_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_QUEUE_PLANT_H

#include "sim/synth/cluster/cluster_synth.h"

typedef enum hc_status hc_cluster_live_once(struct hc_cluster *cluster,
                                            const struct hc_cluster_options *options,
                                            struct hc_error *err);

/* Mean wait, in seconds, of attempts with GPUs that could start at from_s or later; of one that
 * waits at the end of the life, until then. */
double hc_cluster_mean_wait_s(const struct hc_cluster *cluster, int64_t from_s);

/* Set extra_arrivals so that from the day of HC_CLUSTER_QUEUE on the mean wait is as long as that
 * of the same life without them times the factor of the plant, within 2 %: by living a dozen times.
 * Nothing is done without such a plant. HC_USAGE: nobody waits, so no queue can grow. */
enum hc_status hc_cluster_set_queue(struct hc_cluster_options *options, hc_cluster_live_once *live,
                                    struct hc_error *err);

#endif
