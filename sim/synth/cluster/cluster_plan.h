/* cluster_plan.h - what of the life of a cluster is fixed before it begins. Private to this wing.
 */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_PLAN_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_PLAN_H

#include "core/random/philox.h"
#include "sim/synth/cluster/cluster_synth.h"

/* Streams of random numbers. */
enum {
    HC_CLUSTER_JOB_STREAM = 1,
    HC_CLUSTER_FAULT_STREAM,
    HC_CLUSTER_RUN_STREAM,
    HC_CLUSTER_LIFE_STREAM,
    HC_CLUSTER_STALL_STREAM,       /* a block a run */
    HC_CLUSTER_RESUME_STREAM,      /* a block a launch */
    HC_CLUSTER_START_STREAM,       /* blocks by attempt and node */
    HC_CLUSTER_EXTRA_STREAM,       /* jobs of a queue that grows */
    HC_CLUSTER_PLANT_STREAM = 100, /* and as many behind it as plants */
    HC_CLUSTER_STEP_STREAM = 1000  /* and as many behind it as runs */
};

/* A job that will be submitted. */
struct hc_cluster_submission {
    int64_t submit_s, work_s, limit_s;
    int32_t run, user, gpus, n_tasks;
    enum hc_cluster_end end; /* how it would end without a fault */
};

/* Jobs without a run, in order of submission; *n of them. With extra_arrivals, those besides. */
enum hc_status hc_cluster_plan_jobs(struct hc_cluster_submission **jobs, size_t *n,
                                    const struct hc_cluster_options *options, struct hc_error *err);

/* Fill runs and faults of the cluster; the runs' first submissions are at run_start_s. */
enum hc_status hc_cluster_plan_runs(struct hc_cluster *cluster, struct hc_error *err);
int64_t hc_cluster_run_start_s(const struct hc_cluster *cluster, size_t run);
enum hc_status hc_cluster_plan_faults(struct hc_cluster *cluster, struct hc_error *err);

/* A fault at time_s, of any kind and node. */
void hc_cluster_draw_fault(struct hc_cluster_fault *fault, struct hc_philox *rng, int64_t time_s,
                           const struct hc_cluster_options *options);

/* exp(mean_log + spread * normal), at least 1 and at most `most`. */
int64_t hc_cluster_draw_s(struct hc_philox *rng, double median_s, double spread, int64_t most);

#endif
