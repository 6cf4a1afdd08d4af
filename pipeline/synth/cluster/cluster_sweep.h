/* cluster_sweep.h - the life of a made-up cluster from its beginning to its end, moment by moment:
 * what each node does, what each partition has in all, and which attempts are in the queue.
 *
 *     struct hc_cluster_sweep sweep;
 *     if (hc_cluster_sweep_open(&sweep, cluster, err))
 *         ...
 *     while (at_s < end_s) {
 *         hc_cluster_sweep_to(&sweep, at_s);     // only forwards
 *         hc_cluster_write_scontrol(stream, hc_cluster_sweep_nodes(&sweep));
 *     }
 *     hc_cluster_sweep_close(&sweep);
 *
 * At a moment, what begins then has begun, and what ends then is over. Memory goes with the number
 * of attempts. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_SWEEP_H
#define HC_PIPELINE_SYNTH_CLUSTER_CLUSTER_SWEEP_H

#include "pipeline/synth/cluster/cluster_writers.h"

enum hc_cluster_partition { HC_CLUSTER_SHARED, HC_CLUSTER_TRAIN, HC_CLUSTER_N_PARTITIONS };

/* What a GPU is at a moment, the first that holds. */
enum hc_cluster_use {
    HC_CLUSTER_ALLOCATED,
    HC_CLUSTER_IS_DOWN,
    HC_CLUSTER_IS_DRAINED,
    HC_CLUSTER_IDLE,
    HC_CLUSTER_N_USES
};

struct hc_cluster_change; /* of a moment: an attempt, a fault */

struct hc_cluster_sweep {
    const struct hc_cluster *cluster;
    struct hc_cluster_change *changes;
    size_t n_changes, next;
    struct hc_cluster_instant instant; /* at_s: the moment */
    int32_t *n_down, *n_drained;       /* faults of a node that hold now */
    int32_t *faults;                   /* those that hold now, in any order */
    size_t n_faults;
    int32_t first, last, *after, *before; /* attempts that were submitted and are not over */
    int64_t gpus[HC_CLUSTER_N_PARTITIONS][HC_CLUSTER_N_USES];
    int64_t n_wanting[HC_CLUSTER_N_PARTITIONS]; /* attempts with GPUs that could start and wait */
};

/* "train" */
const char *hc_cluster_partition_name(enum hc_cluster_partition partition);

/* Stand at the beginning of the life, before anything has happened. */
enum hc_status hc_cluster_sweep_open(struct hc_cluster_sweep *sweep,
                                     const struct hc_cluster *cluster, struct hc_error *err);
void hc_cluster_sweep_close(struct hc_cluster_sweep *sweep);

/* When the next thing happens; INT64_MAX: nothing more. */
int64_t hc_cluster_sweep_next_s(const struct hc_cluster_sweep *sweep);
/* Go on to a later moment. */
void hc_cluster_sweep_to(struct hc_cluster_sweep *sweep, int64_t at_s);

/* The nodes at the moment; the sweep's, until it goes on. */
const struct hc_cluster_instant *hc_cluster_sweep_nodes(struct hc_cluster_sweep *sweep);

/* What squeue -a -r prints at the moment, behind a line with the time. */
void hc_cluster_write_queue(FILE *stream, const struct hc_cluster_sweep *sweep);

#endif
