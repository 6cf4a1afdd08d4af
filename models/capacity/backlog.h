/* backlog.h - how much work waited at the end of each day. */
#ifndef HC_MODELS_CAPACITY_BACKLOG_H
#define HC_MODELS_CAPACITY_BACKLOG_H

#include "models/capacity/installed.h"

/* At the end of a day: jobs that could have begun and had not. */
struct hc_backlog_day {
    int64_t jobs, gpus;          /* that waited, and what they asked for */
    hc_capacity_ns work_gpu_ns;  /* GPUs times how long each ran later, or its limit */
    hc_capacity_ns limit_gpu_ns; /* of that: by limits, which most jobs do not use up */
    int64_t n_unknown;           /* of the jobs: neither is known, and they are not in the work */
};

/* A job that waited from eligible_ns on, until it began, left the queue, or (HC_MISSING_I64) to the
 * end of all days. */
struct hc_backlog_job {
    int64_t eligible_ns, until_ns;
    int64_t gpus;
    int64_t run_ns, limit_ns; /* HC_MISSING_I64: not known; run_ns goes before */
};

/* Zeroed memory but for the days, whose boundaries are those of hc_capacity. */
struct hc_backlog {
    const int64_t *day_ns;
    size_t n_days;
    struct hc_backlog_day *days; /* [n_days] after the first job, or NULL */
};

/* HC_INTERNAL only. */
enum hc_status hc_backlog_add(struct hc_backlog *backlog, const struct hc_backlog_job *job,
                              struct hc_error *err);
void hc_backlog_fini(struct hc_backlog *backlog);

#endif
