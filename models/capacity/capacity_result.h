/* capacity_result.h - the installed GPU-time of a cluster and what waited for it, ready to be
 * shown.
 */
#ifndef HC_MODELS_CAPACITY_CAPACITY_RESULT_H
#define HC_MODELS_CAPACITY_CAPACITY_RESULT_H

#include "models/capacity/backlog.h"
#include "models/capacity/free_nodes.h"
#include "models/capacity/job_waits.h"
#include "models/capacity/queue_looks.h"

/* Of all, of a day, of a partition or of a node, in GPU-hours. */
struct hc_capacity_row {
    const char *name;           /* of a partition or node; NULL: of all, of a day, of none known */
    struct hc_capacity_sum sum; /* exactly */
    int64_t from_ns, to_ns;     /* of a day; else of the window */
    double hours[HC_N_CAPACITY_LEAVES];
    double installed, available; /* available: neither down, drained, in maintenance nor reserved */
    double used_of_installed, used_of_available;         /* shares; NaN: of nothing */
    double over, outside, assumed, unheard, partly_used; /* as in hc_capacity_sum */
    int64_t n_nodes;                                     /* of a partition */
};

/* Of a day, besides. */
struct hc_capacity_day {
    struct hc_capacity_row row;
    /* Whole ones; missing where no inventory is known. */
    double free_nodes; /* mean over the day */
    int64_t least_free_nodes, most_free_nodes, most_free_gpus;
    struct hc_backlog_day waiting; /* at its end */
    double backlog_hours, backlog_limit_hours;
};

/* What GPU jobs waited for, while the queue was looked at. */
struct hc_capacity_want {
    const char *name; /* static: "resources"; "?" where nothing is said */
    double gpu_hours, mean_gpus, mean_jobs;
    int64_t most_gpus;
    bool is_demand; /* they could have run on GPUs that were idle */
};

/* What the records are that it is made of, and what is wrong with them. */
struct hc_capacity_counts {
    /* Of attempts that held GPUs in the time: */
    int64_t n_attempts;
    hc_capacity_ns held;    /* by all of them, whether a list of nodes says where or not */
    hc_capacity_ns uneven;  /* of it: GPUs do not divide by nodes, so which has more is assumed */
    hc_capacity_ns by_site; /* of it: GPUs are those that the site says of their nodes */
    int64_t n_unplaced;     /* whose record has no list of nodes, or one that cannot be read */
    hc_capacity_ns unplaced;
    int64_t n_gpus_unknown; /* attempts that ran whose GPUs are not said: they are not in `held` */
    int64_t n_running;      /* counted up to when their record was written */

    int64_t n_snapshots, n_history, n_plans; /* rows of states */
    int64_t n_gone, n_by_site;    /* nodes that are no longer listed; whose GPUs the site says */
    int64_t n_queue_gpus_unknown; /* rows that wait for GPUs of nobody knows how many */
};

struct hc_capacity_result {
    int64_t from_ns, to_ns;
    struct hc_capacity_row total;
    size_t n_days, n_partitions, n_nodes, n_wants;
    struct hc_capacity_day *days;
    struct hc_capacity_row *partitions; /* most installed first; a node of two is in both */
    struct hc_capacity_row *nodes;      /* by name */
    struct hc_capacity_want wants[HC_N_LOOK_WAITS]; /* those that any job waited for */
    double queue_known;                             /* share of the time */
    int64_t n_looks;
    int64_t n_installed_nodes;
    /* No inventory is known: the tree begins at allocated, which is what would be outside of one;
     * what is installed, and the other leaves, are NaN. */
    bool begins_at_allocated;
    const struct hc_capacity *capacity;
    const struct hc_job_waits *waits;
    const struct hc_capacity_counts *counts;
    /* Private. */
    struct hc_text_set partition_names;
};

/* What a result is made of; all of it ended, and of the same days. */
struct hc_capacity_facts {
    const struct hc_capacity *capacity;
    const struct hc_free_nodes *free_nodes;
    const struct hc_backlog *backlog;
    const struct hc_queue_looks *looks;
    const struct hc_job_waits *waits;
    const struct hc_capacity_counts *counts;
};

/* "idle with demand" */
const char *hc_capacity_leaf_title(enum hc_capacity_leaf leaf);

/* The facts stay valid as long as the result. HC_INTERNAL only. */
enum hc_status hc_capacity_result_make(struct hc_capacity_result *result,
                                       const struct hc_capacity_facts *facts, struct hc_error *err);
void hc_capacity_result_fini(struct hc_capacity_result *result);

#endif
