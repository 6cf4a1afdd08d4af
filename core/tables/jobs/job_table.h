/* job_table.h - the `jobs` table: what a scheduler's accounting says of the allocations of a
 * cluster.
 *
 * A row is an attempt: one allocation, which a scheduler records once. A job that was requeued has
 * several rows, an array one for each of its tasks, a heterogeneous job one for each component.
 * Times are Unix time; what a source leaves open is missing.
 */
#ifndef HC_CORE_TABLES_JOBS_JOB_TABLE_H
#define HC_CORE_TABLES_JOBS_JOB_TABLE_H

#include "core/tables/jobs/job_state.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

enum hc_jobs_column {
    HC_JOBS_JOB,           /* number that users know: of an array, of the first component */
    HC_JOBS_RAW_JOB,       /* number of this allocation */
    HC_JOBS_ARRAY_TASK,    /* missing where it is no array */
    HC_JOBS_HET_COMPONENT, /* missing where it is not heterogeneous */
    HC_JOBS_RESTARTS,      /* how often it was requeued before */
    HC_JOBS_RECORD,        /* number of the record in the accounting database */
    HC_JOBS_CLUSTER,
    HC_JOBS_PARTITION,
    HC_JOBS_QOS,
    HC_JOBS_ACCOUNT,
    HC_JOBS_USER,
    HC_JOBS_NAME,
    HC_JOBS_STATE, /* enum hc_job_state */
    HC_JOBS_EXIT_CODE,
    HC_JOBS_EXIT_SIGNAL,
    HC_JOBS_CANCELLED_BY, /* uid */
    HC_JOBS_REASON,
    HC_JOBS_SUBMIT_NS,
    HC_JOBS_ELIGIBLE_NS,
    HC_JOBS_START_NS,
    HC_JOBS_END_NS,     /* missing while it runs */
    HC_JOBS_ELAPSED_NS, /* it had run for, as the record was written; suspended time is not in it */
    HC_JOBS_SUSPENDED_NS,
    HC_JOBS_TIME_LIMIT_NS,
    HC_JOBS_NODES,
    HC_JOBS_CPUS,
    HC_JOBS_GPUS, /* 0 where the record says what was allocated, and no GPU is among it */
    HC_JOBS_GPU_TYPE,
    HC_JOBS_REQUESTED_GPUS,
    HC_JOBS_NODE_LIST, /* as written: "node[01-04,07]" */
    HC_JOBS_FAILED_NODE,
    HC_JOBS_RESERVATION,
    HC_JOBS_WORK_DIR,
    HC_JOBS_STDOUT,
    HC_JOBS_STDERR,
    HC_JOBS_COMMENT,
    HC_JOBS_SOURCE, /* file that says so */
    HC_JOBS_LINE,   /* of that file, from 1 */
    HC_JOBS_N_COLUMNS
};

extern const struct hc_table_def hc_jobs_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_job_tables[];

/* The dictionaries of the table, in the order of its columns. That of states is fixed. */
enum hc_job_dictionary {
    HC_JOB_NAMES_CLUSTER,
    HC_JOB_NAMES_PARTITION,
    HC_JOB_NAMES_QOS,
    HC_JOB_NAMES_ACCOUNT,
    HC_JOB_NAMES_USER,
    HC_JOB_NAMES_NAME,
    HC_JOB_NAMES_STATE,
    HC_JOB_NAMES_REASON,
    HC_JOB_NAMES_GPU_TYPE,
    HC_JOB_NAMES_NODE_LIST,
    HC_JOB_NAMES_NODE,
    HC_JOB_NAMES_RESERVATION,
    HC_JOB_NAMES_PATH,
    HC_JOB_NAMES_COMMENT,
    HC_JOB_NAMES_SOURCE,
    HC_N_JOB_DICTIONARIES
};

/* The sets of the table, that of states filled. */
enum hc_status hc_job_names_init(struct hc_table_names *names, struct hc_error *err);

/* Which dictionary the codes of a column belong to, or -1. */
int hc_job_column_dictionary(enum hc_jobs_column column);

/* Whether row a tells of a later moment of the same attempt than row b of another table: an end
 * wins over what goes on, a later end over an earlier one, then what had run for longer. */
bool hc_job_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                     size_t row_b);

/* The number of the allocation of a row; where the record does not give it, that which users know,
 * should the job be no array and have no components. Or missing. */
int64_t hc_jobs_raw_job(const struct hc_table *jobs, size_t row);

/* GPU-nanoseconds that the record of a row says it held; 0 where it does not say. */
int64_t hc_jobs_held_gpu_ns(const struct hc_table *jobs, size_t row);

/* Append n rows whose every value is missing; the table must have room. Index of the first. */
size_t hc_jobs_add(struct hc_table *jobs, size_t n);

#endif
