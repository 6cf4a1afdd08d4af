/* job_usage.h - what a scheduler's own report says that each user's jobs held in a time. */
#ifndef HC_CORE_TABLES_JOBS_JOB_USAGE_H
#define HC_CORE_TABLES_JOBS_JOB_USAGE_H

#include "core/base/status.h"
#include "core/text/text_set.h"

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory is an empty report. */
struct hc_job_usage {
    int64_t from_ns, to_ns; /* Unix time; to_ns is the first moment behind it */
    int64_t unit_s;         /* each figure is a whole number of these */
    int64_t n_figures;      /* that were added up */
    struct hc_text_set users;
    size_t capacity;
    int64_t *gpu_s; /* [users.n] GPU-seconds */
};

/* Add a figure in GPU-seconds. HC_BAD_INPUT: the sum does not fit 64 bits. */
enum hc_status hc_job_usage_add(struct hc_job_usage *usage, const char *user, size_t length,
                                int64_t gpu_s, struct hc_error *err);
void hc_job_usage_fini(struct hc_job_usage *usage);

#endif
