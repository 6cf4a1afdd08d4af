/* account_result.h - the account of a cluster's GPU-time, ready to be shown. */
#ifndef HC_MODELS_ACCOUNT_ACCOUNT_RESULT_H
#define HC_MODELS_ACCOUNT_ACCOUNT_RESULT_H

#include "models/account/job_account.h"

#define HC_ACCOUNT_N_NEEDS 4

/* A group, in hours. */
struct hc_account_row {
    const char *name; /* of the account */
    int64_t n_attempts;
    double gpu_hours, cpu_hours;
    double cost;  /* in the currency of the site; NaN: no price is known */
    double share; /* of all GPU-hours, or of CPU-hours where there are no GPUs; NaN: of nothing */
};

struct hc_account_rows {
    size_t n;
    struct hc_account_row *rows; /* largest first, then by name */
};

/* Further input, and what it would turn into numbers. */
struct hc_account_need {
    const char *input, *answers; /* static */
    double gpu_hours;            /* that are unknown without it */
};

struct hc_account_result {
    const struct hc_job_account *account;
    double gpu_hours, cpu_hours;
    double cost, unpriced_gpu_hours; /* NaN and all: no price is known */
    double estimated_gpu_hours;      /* of attempts whose GPUs are those of their nodes */
    int64_t n_put_in, n_taken_out;   /* interrupted ones, by what people say */
    struct hc_account_rows by[HC_N_ACCOUNT_GROUPINGS];
    int64_t n_waits;
    double wait_mean_s, wait_median_s, wait_p90_s, wait_p99_s; /* NaN: no job waited */
    double gpu_wait_hours;
    /* What node failures, pre-emptions and requeues cost: the records alone prove nothing of the
     * work that such an attempt did (it may have saved all of it), and at most all was lost. */
    int64_t n_interrupted;
    double interrupted_low_gpu_hours, interrupted_high_gpu_hours;
    struct hc_account_need needs[HC_ACCOUNT_N_NEEDS]; /* most GPU-hours first */
};

/* The account stays valid as long as the result; its waits are put in another order. */
enum hc_status hc_account_result_make(struct hc_account_result *result,
                                      struct hc_job_account *account, struct hc_error *err);
void hc_account_result_fini(struct hc_account_result *result);

#endif
