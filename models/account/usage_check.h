/* usage_check.h - the GPU-time that the records of jobs add up to, beside what the scheduler says
 * that it was (account.md 2: more than 0.1 % of difference is a finding). */
#ifndef HC_MODELS_ACCOUNT_USAGE_CHECK_H
#define HC_MODELS_ACCOUNT_USAGE_CHECK_H

#include "core/tables/jobs/job_usage.h"
#include "models/account/job_account.h"

#include <stdbool.h>

#define HC_USAGE_MOST_DIFFERENCE 0.001 /* of what the scheduler says */

struct hc_usage_row {
    const char *user;
    double gpu_hours, scheduler_gpu_hours;
    double difference_gpu_hours; /* of the records, to the scheduler */
};

struct hc_usage_check {
    const char *file; /* that has the report */
    int64_t from_ns, to_ns;
    double gpu_hours, scheduler_gpu_hours, difference_gpu_hours;
    double share;              /* the difference, of what the scheduler says; NaN: of nothing */
    double rounding_gpu_hours; /* what the units of the report alone may make of difference */
    bool is_finding;           /* more than both */
    size_t n;
    struct hc_usage_row *rows; /* largest difference first, then by name */
};

/* The account must be of the window of the report. Names are those of account and usage, which must
 * stay. */
enum hc_status hc_usage_check_make(struct hc_usage_check *check, const struct hc_job_usage *usage,
                                   const struct hc_job_account *account, struct hc_error *err);
void hc_usage_check_fini(struct hc_usage_check *check);

#endif
