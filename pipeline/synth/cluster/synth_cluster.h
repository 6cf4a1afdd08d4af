/* synth_cluster.h - the files that a site would have of the months of a made-up cluster, and the
 * truth beside them. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_SYNTH_CLUSTER_H
#define HC_PIPELINE_SYNTH_CLUSTER_SYNTH_CLUSTER_H

#include "core/base/zone.h"
#include "sim/synth/cluster/cluster_synth.h"

struct hc_synth_cluster {
    const char *directory; /* empty, or not there */
    struct hc_cluster_options options;
    const struct hc_zone *zone; /* of the records that are written in local time */
    int32_t node_days;          /* between two looks at the nodes; 0: there is none */
    int32_t queue_days;         /* the last ones, in which somebody looks at the queue */
    bool with_dialects;         /* every other form that is read, below dialects/ */
};

/* All files, or none. HC_USAGE: something is in the directory. */
enum hc_status hc_synth_cluster_write(const struct hc_synth_cluster *synth, struct hc_error *err);

#endif
