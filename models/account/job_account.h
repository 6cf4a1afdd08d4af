/* job_account.h - where the GPU-time of a cluster went, as far as the accounting of its scheduler
 * alone can say.
 *
 * GPU-time is counted in whole GPU-nanoseconds: of each attempt, its GPUs times the part of its
 * time in the window. Suspended time is not counted, as Slurm's own reports do not. An attempt that
 * still ran when its record was written is counted as long as the record says that it had run.
 */
#ifndef HC_MODELS_ACCOUNT_JOB_ACCOUNT_H
#define HC_MODELS_ACCOUNT_JOB_ACCOUNT_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/tables/jobs/job_table.h"
#include "core/text/text_set.h"
#include "models/evidence/corrections.h"

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 hc_wide_ns;

enum hc_account_grouping {
    HC_ACCOUNT_BY_STATE,
    HC_ACCOUNT_BY_SIZE,
    HC_ACCOUNT_BY_PARTITION,
    HC_ACCOUNT_BY_ACCOUNT,
    HC_ACCOUNT_BY_USER,
    HC_N_ACCOUNT_GROUPINGS
};

/* "state" */
const char *hc_account_grouping_name(enum hc_account_grouping by);

/* The size class of an attempt: "9-63 GPUs"; "?" where its GPUs are missing. */
const char *hc_account_size_class(int32_t gpus);

struct hc_account_sum {
    int64_t n_attempts; /* that were in the window, with GPUs or without */
    hc_wide_ns gpu_ns, cpu_ns;
    hc_wide_ns cost;          /* in HC_ACCOUNT_PRICE_UNITS of the currency, times ns an hour */
    hc_wide_ns priced_gpu_ns; /* whose price is known */
};

/* Prices count in millionths, so that sums are exact and independent of any order. */
#define HC_ACCOUNT_PRICE_UNITS 1000000

struct hc_account_groups {
    struct hc_text_set names; /* "completed", "8", "lab1"; "?" where the record says none */
    size_t capacity;
    struct hc_account_sum *sums; /* one a name, in the order in which they were met */
};

/* How long jobs with GPUs waited, from eligible to start. */
struct hc_account_queue {
    size_t n, capacity;
    double *waits_s;
    int64_t n_from_submit;  /* whose time of becoming eligible is not recorded */
    hc_wide_ns gpu_wait_ns; /* waits times GPUs */
};

/* One row of the jobs table, its codes looked up. */
struct hc_account_attempt {
    int64_t job, submit_ns, eligible_ns, start_ns, end_ns, elapsed_ns, suspended_ns;
    int32_t array_task, het_component, restarts, gpus, cpus, state;
    const char *cluster, *partition, *account, *user; /* NULL: not recorded */
    const char *nodes;                                /* the list of them, or NULL */
    bool has_estimated_gpus;                          /* the record does not say them: its nodes' */
    int64_t price; /* of a GPU-hour, in HC_ACCOUNT_PRICE_UNITS; 0: not known */
};

struct hc_job_account {
    int64_t from_ns, to_ns; /* INT64_MIN, INT64_MAX: everything */
    struct hc_account_sum total;
    struct hc_account_groups groups[HC_N_ACCOUNT_GROUPINGS];
    struct hc_account_queue queue;
    int64_t n_records;                 /* looked at */
    int64_t n_outside;                 /* of them, not in the window */
    int64_t n_never_ran;               /* of them */
    int64_t n_unplaced;                /* of them, ran at a time that is not recorded */
    int64_t n_running;                 /* counted up to when their record was written */
    int64_t n_gpus_unknown;            /* whose record does not say what was allocated */
    int64_t n_suspended_clipped;       /* cut by the window, their suspended time in it unknown */
    int64_t first_ns, last_ns;         /* of what is counted */
    int64_t n_lost;                    /* attempts that restart counts tell of, without a record */
    int64_t n_gpus_estimated;          /* by its nodes and what the site says of the partition */
    hc_wide_ns estimated_gpu_ns;       /* of these */
    struct hc_account_sum interrupted; /* ended by a node, a boot, pre-emption or a requeue */
    struct hc_account_sum put_in, taken_out; /* there, by what people say */
    struct hc_corrections *corrections;      /* or NULL */
    hc_wide_ns large_gpu_ns;                 /* of attempts of a node's GPUs (8) or more */
    hc_wide_ns first_minutes_gpu_ns;         /* of these, the first 15 minutes of each */
    struct hc_int_map records_of_job;        /* hash of a job to its place in the next two */
    size_t jobs_capacity, restarts_capacity;
    int32_t *n_of_job, *most_restarts;
};

/* Zeroed memory, but for the window. */
enum hc_status hc_job_account_add(struct hc_job_account *account,
                                  const struct hc_account_attempt *attempt, struct hc_error *err);

/* After the last: count what is missing. */
void hc_job_account_end(struct hc_job_account *account);
void hc_job_account_fini(struct hc_job_account *account);

/* GPU-time of attempts that ended in one of n states. */
hc_wide_ns hc_job_account_of_states(const struct hc_job_account *account,
                                    const enum hc_job_state *states, size_t n);

#endif
