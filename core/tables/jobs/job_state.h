/* job_state.h - how an attempt stands or ended: the states of Slurm's accounting, which those of
 * other schedulers are mapped to. Names are stable: the archive keeps them, not the numbers. */
#ifndef HC_CORE_TABLES_JOBS_JOB_STATE_H
#define HC_CORE_TABLES_JOBS_JOB_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_job_state {
    HC_JOB_PENDING,
    HC_JOB_RUNNING,
    HC_JOB_SUSPENDED,
    HC_JOB_REQUEUED, /* ended, and queued once more under the same number */
    HC_JOB_RESIZING,
    HC_JOB_COMPLETED,
    HC_JOB_FAILED,
    HC_JOB_OUT_OF_MEMORY,
    HC_JOB_TIMEOUT,
    HC_JOB_DEADLINE,
    HC_JOB_CANCELLED,
    HC_JOB_REVOKED,
    HC_JOB_PREEMPTED,
    HC_JOB_NODE_FAIL,
    HC_JOB_BOOT_FAIL,
    HC_JOB_LAUNCH_FAILED,
    HC_N_JOB_STATES
};

/* "node_fail" */
const char *hc_job_state_name(enum hc_job_state state);

/* Whether nothing follows it in the same record. */
bool hc_job_state_is_end(enum hc_job_state state);

/* Whether it tells of a failure: failed, out of memory, a node's, a boot's or a launch's failure, a
 * requeue; not what people, limits and pre-emption stop. */
bool hc_job_state_is_failure(int32_t state);

/* The state that a word of Slurm names, long ("NODE_FAIL") or short ("NF"), in any case; the words
 * of a job on its way into or out of a state are the state. -1: no such word. */
int hc_job_state_find(const char *word, size_t length);

#endif
