/* queue_table.h - the table `queue`: what stood in the queue of a scheduler when somebody looked.
 *
 * A row without a job is a look: at that time the queue was read. So a look that found nobody
 * differs from a time at which nobody looked. Every other row is a job, or a task of an array, that
 * the look at its time found, in any state.
 *
 * Its key is the time and a hash of job, task and component (0 for the look itself): the same dump
 * read twice gives the same rows.
 */
#ifndef HC_CORE_TABLES_JOBS_QUEUE_TABLE_H
#define HC_CORE_TABLES_JOBS_QUEUE_TABLE_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>

/* What a pending job waits for. Names are stable: the archive keeps them. */
enum hc_queue_wait {
    HC_WAITS_RESOURCES,   /* nodes or GPUs that others hold */
    HC_WAITS_PRIORITY,    /* jobs in front of it */
    HC_WAITS_LIMIT,       /* of its user, account, QOS, partition or licence */
    HC_WAITS_DEPENDENCY,  /* another job */
    HC_WAITS_HELD,        /* somebody holds it */
    HC_WAITS_TIME,        /* its time to begin, or the delay after a requeue */
    HC_WAITS_UNAVAILABLE, /* nodes that it names, or its partition, are out of use */
    HC_WAITS_RESERVATION, /* a reservation */
    HC_WAITS_OTHER,
    HC_N_QUEUE_WAITS
};

enum hc_queue_column {
    HC_QUEUE_TIME_NS, /* of the look */
    HC_QUEUE_CLUSTER,
    HC_QUEUE_JOB, /* number that users know; missing: the row is the look itself */
    HC_QUEUE_ARRAY_TASK,
    HC_QUEUE_HET_COMPONENT,
    HC_QUEUE_PARTITION, /* or several of them: "long,short" */
    HC_QUEUE_USER,
    HC_QUEUE_ACCOUNT,
    HC_QUEUE_STATE,     /* enum hc_job_state */
    HC_QUEUE_REASON,    /* as written */
    HC_QUEUE_WAITS_FOR, /* enum hc_queue_wait; missing where it does not wait, or nobody says */
    HC_QUEUE_NODES,     /* asked for, or held */
    HC_QUEUE_GPUS,      /* the same, in all; 0 where it is said that there are none */
    HC_QUEUE_SUBMIT_NS,
    HC_QUEUE_CLOCK, /* enum hc_time_basis, of time_ns */
    HC_QUEUE_FACT,
    HC_QUEUE_SOURCE,
    HC_QUEUE_LINE,
    HC_QUEUE_N_COLUMNS
};

extern const struct hc_table_def hc_queue_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_queue_tables[];

/* The sets of the table, those of fixed codes filled. */
enum hc_status hc_queue_names_init(struct hc_table_names *names, struct hc_error *err);

/* "resources" */
const char *hc_queue_wait_name(enum hc_queue_wait wait);

/* The hash of a job that is part of the key; 0 where job is missing: the look itself. */
int64_t hc_queue_fact(int64_t job, int32_t array_task, int32_t het_component);

/* What a reason of Slurm says ("Resources", "QOSMaxGRESPerUser"); -1: nothing ("None"). */
int hc_queue_wait_of(const char *reason, size_t length);

/* Whether row a tells more than row b of the same look: where two dumps of one second differ, a
 * state that comes later. */
bool hc_queue_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b);

#endif
