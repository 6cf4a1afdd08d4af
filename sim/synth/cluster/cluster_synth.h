/* cluster_synth.h - the months of a made-up cluster: its jobs, the runs that span several of them,
 * its faults, and what came of each, all of it known.
 *
 * A simple scheduler (first come, first served, smaller jobs passing a large one that waits) places
 * jobs on nodes; faults strike nodes and end what runs there. The same options and seed give the
 * same life. What a site would have recorded of it is written from this (pipeline/synth/cluster).
 */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_SYNTH_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_SYNTH_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_CLUSTER_GPUS      8 /* a node */
#define HC_CLUSTER_REPAIR_S  7200
#define HC_CLUSTER_NONE      (-1)
#define HC_CLUSTER_NO_TIME_S INT64_MIN

/* A change that is planted, from a day on. */
enum hc_cluster_plant_kind {
    HC_CLUSTER_LEMON,       /* a node has ten times as many faults */
    HC_CLUSTER_XID,         /* faults of a kind that the kernels log come three times as often */
    HC_CLUSTER_PULLS,       /* images take twice as long */
    HC_CLUSTER_ETTR,        /* a run loses five points of its time to mistakes of its user */
    HC_CLUSTER_QUEUE,       /* jobs wait half as long again, since more are submitted */
    HC_CLUSTER_SAVES,       /* a run loses five points of the time of its steps to slower saves */
    HC_CLUSTER_EVALUATIONS, /* the same, to longer evaluations */
    HC_CLUSTER_LOOKS,       /* the scheduler takes half as long again from one look to the next */
    HC_CLUSTER_N_PLANTS
};
struct hc_cluster_plant {
    enum hc_cluster_plant_kind kind;
    int32_t day;     /* of the record, from 0 */
    int32_t subject; /* node, kind of fault, run; 0: there is one only */
};
#define HC_CLUSTER_MOST_PLANTS 16

/* How life is made. Bursty: what a detector or a fit that was tuned on the other must bear. */
enum hc_cluster_model {
    HC_CLUSTER_STEADY, /* faults at a constant rate, steps of the same length */
    HC_CLUSTER_BURSTY  /* faults in bursts and again on the same node, steps of random lengths that
                        * grow, runs that begin late, images that take very different times */
};

struct hc_cluster_options {
    uint64_t seed;
    int64_t start_s; /* Unix time of the first submission */
    int32_t n_days;
    int32_t n_nodes;
    int32_t n_jobs; /* submitted, those that continue a run not counted */
    int32_t n_runs; /* training runs over several jobs */
    double faults_per_1000_node_days;
    double stray_share; /* of healthy ends that a line of no consequence stands beside */
    enum hc_cluster_model model;
    int32_t n_plants;
    struct hc_cluster_plant plants[HC_CLUSTER_MOST_PLANTS]; /* subjects are chosen by the life */
    int32_t repair_s; /* median of the time for which a fault keeps a node away, of a hang a sixth
                         of it; 0: HC_CLUSTER_REPAIR_S */
    int32_t look_s;   /* from one look of the scheduler at what waits to the next; 0: at once */
    double extra_arrivals; /* from the day of HC_CLUSTER_QUEUE on, as a share; set by the life */
};

enum hc_cluster_end {
    HC_CLUSTER_PENDING,
    HC_CLUSTER_RUNNING,
    HC_CLUSTER_COMPLETED,
    HC_CLUSTER_FAILED,
    HC_CLUSTER_CANCELLED,
    HC_CLUSTER_TIMEOUT,
    HC_CLUSTER_NODE_FAIL,
    HC_CLUSTER_OUT_OF_MEMORY
};

/* What the scheduler records once. */
struct hc_cluster_attempt {
    int64_t job, raw_job;
    int32_t array_task; /* HC_CLUSTER_NONE: no array */
    int32_t restarts;
    int32_t run; /* HC_CLUSTER_NONE: no run */
    int32_t user;
    int64_t submit_s, eligible_s;
    int64_t start_s, end_s; /* HC_CLUSTER_NO_TIME_S: not yet */
    int64_t limit_s;
    int32_t n_nodes, gpus;
    size_t nodes; /* the first of its nodes in hc_cluster.nodes */
    enum hc_cluster_end end;
    int32_t fault;     /* that ended it, or HC_CLUSTER_NONE */
    size_t last_cycle; /* its last one in hc_cluster.cycles, where n_cycles is not 0 */
    int32_t n_cycles;
};

/* One launch of the training processes of a run. */
struct hc_cluster_cycle {
    int32_t attempt, number; /* the cycles of an attempt are ascending, others may lie between */
    int64_t start_s, first_step_s, end_s; /* first_step_s: HC_CLUSTER_NO_TIME_S when it made none */
    int64_t stops_s;                      /* from when on it made no more steps */
    int64_t first_iteration, last_iteration; /* resumed behind, and reached */
    int64_t saved_iteration;                 /* last checkpoint */
    int32_t fault;                           /* that ended it, or HC_CLUSTER_NONE */
    bool is_done;                            /* its training is complete */
};

struct hc_cluster_run {
    int32_t user, n_nodes;
    int32_t forked_from;                       /* another run, or HC_CLUSTER_NONE */
    int64_t step_s;                            /* at the begin, in the mean */
    int64_t checkpoint_iterations, iterations; /* those of what it is forked from included */
    int64_t stall_s;                           /* for which each save holds the steps up */
    int64_t evaluation_iterations; /* after which the model is evaluated; 0: it never is */
    int64_t evaluation_s;
    int64_t line_iterations; /* that a line of its log is for; 0: as many as make some 500 lines */
    int64_t saved_iteration; /* at the end of the life */
    bool requeues;           /* by the scheduler; else a new job is submitted */
    bool restarts_in_place;
};

enum hc_cluster_fault_kind {
    HC_CLUSTER_GPU_LOST,
    HC_CLUSTER_ECC,
    HC_CLUSTER_NVLINK,
    HC_CLUSTER_LINK,
    HC_CLUSTER_SWITCH,
    HC_CLUSTER_NODE_DOWN,
    HC_CLUSTER_N_FAULTS
};

struct hc_cluster_fault {
    int64_t time_s, notice_s, repaired_s;
    int32_t node, n_nodes; /* first of them; of a switch, 16 */
    int32_t gpu;
    enum hc_cluster_fault_kind kind;
    int32_t n_stopped; /* attempts or cycles */
};

/* A line of a kernel log that means nothing for the job beside it. */
struct hc_cluster_stray {
    int64_t time_s;
    int32_t node, gpu, code;
    bool is_of_tool; /* of a process other than the job's */
};

struct hc_cluster {
    struct hc_cluster_options options;
    size_t n_attempts, n_cycles, n_runs, n_faults, n_strays, n_nodes;
    struct hc_cluster_attempt *attempts; /* in order of submission */
    struct hc_cluster_cycle *cycles;
    struct hc_cluster_run *runs;
    struct hc_cluster_fault *faults; /* ascending by time */
    struct hc_cluster_stray *strays; /* in no order */
    int32_t *nodes;                  /* of attempts */
    int64_t end_s;                   /* of the life */
};

/* Live through it. Zeroed on failure, else the caller's to hc_cluster_fini. */
enum hc_status hc_cluster_live(struct hc_cluster *cluster, const struct hc_cluster_options *options,
                               struct hc_error *err);
void hc_cluster_fini(struct hc_cluster *cluster);

/* "lemon"; what of it becomes how many times as much (of a run: what it loses). */
const char *hc_cluster_plant_name(enum hc_cluster_plant_kind kind);
double hc_cluster_plant_factor(enum hc_cluster_plant_kind kind);
/* When it begins. */
int64_t hc_cluster_plant_s(const struct hc_cluster *cluster, const struct hc_cluster_plant *plant);

/* "gpu_lost" */
const char *hc_cluster_fault_name(enum hc_cluster_fault_kind kind);

#endif
