/* cluster_plant.h - changes that are planted in the life of a cluster: what each adds to its plan.
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_PLANT_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_PLANT_H

#include "sim/synth/cluster/cluster_synth.h"

/* Choose the subjects of all plants; runs must be planned. HC_USAGE: there is nothing to choose
 * from, or a day lies behind the record. */
enum hc_status hc_cluster_choose_subjects(struct hc_cluster *cluster, struct hc_error *err);

/* Faults that lemons and kinds of faults have besides those of the plan, sorted among them. */
enum hc_status hc_cluster_plant_faults(struct hc_cluster *cluster, struct hc_error *err);

/* The plant of a kind that is about a subject and has begun by at_s, or NULL. */
const struct hc_cluster_plant *hc_cluster_planted(const struct hc_cluster *cluster,
                                                  enum hc_cluster_plant_kind kind, int32_t subject,
                                                  int64_t at_s);

#endif
