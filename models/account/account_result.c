#include "models/account/account_result.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS 3600e9

static double hours(hc_wide_ns ns)
{
    return (double)ns / HOUR_NS;
}

static double cost_of(const struct hc_account_sum *sum)
{
    return sum->priced_gpu_ns ? (double)sum->cost / HC_ACCOUNT_PRICE_UNITS / HOUR_NS : NAN;
}

/* ---- groups ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct hc_account_row *x = a, *y = b;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    if (x->cpu_hours != y->cpu_hours)
        return x->cpu_hours > y->cpu_hours ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum hc_status fill_rows(struct hc_account_rows *rows,
                                const struct hc_account_groups *groups,
                                const struct hc_account_sum *total, struct hc_error *err)
{
    rows->rows = hc_new_array(groups->names.n ? groups->names.n : 1, sizeof *rows->rows, err);
    if (!rows->rows)
        return err->status;
    for (size_t i = 0; i < groups->names.n; i++) {
        const struct hc_account_sum *sum = &groups->sums[i];
        hc_wide_ns part = total->gpu_ns ? sum->gpu_ns : sum->cpu_ns;
        hc_wide_ns whole = total->gpu_ns ? total->gpu_ns : total->cpu_ns;
        rows->rows[rows->n++] =
            (struct hc_account_row){.name = groups->names.text[i],
                                    .n_attempts = sum->n_attempts,
                                    .gpu_hours = hours(sum->gpu_ns),
                                    .cpu_hours = hours(sum->cpu_ns),
                                    .cost = cost_of(sum),
                                    .share = whole ? (double)part / (double)whole : NAN};
    }
    qsort(rows->rows, rows->n, sizeof *rows->rows, compare_rows);
    return HC_OK;
}

/* ---- the queue ---- */

/* The smallest wait that a share of all waits is not above. */
static double quantile(double *waits, size_t n, double share)
{
    size_t k = (size_t)ceil(share * (double)n);
    return n ? hc_select(waits, n, k > 0 ? k - 1 : 0) : NAN;
}

static void fill_queue(struct hc_account_result *result, struct hc_account_queue *queue)
{
    double sum = 0;
    for (size_t i = 0; i < queue->n; i++)
        sum += queue->waits_s[i];
    result->n_waits = (int64_t)queue->n;
    result->wait_mean_s = queue->n ? sum / (double)queue->n : NAN;
    result->wait_median_s = quantile(queue->waits_s, queue->n, 0.5);
    result->wait_p90_s = quantile(queue->waits_s, queue->n, 0.9);
    result->wait_p99_s = quantile(queue->waits_s, queue->n, 0.99);
    result->gpu_wait_hours = hours(queue->gpu_wait_ns);
}

/* ---- what is not known ---- */

static const enum hc_job_state failed[] = {HC_JOB_FAILED, HC_JOB_NODE_FAIL, HC_JOB_OUT_OF_MEMORY,
                                           HC_JOB_BOOT_FAIL};
#define N_OF(states) (sizeof(states) / sizeof *(states))

static int compare_needs(const void *a, const void *b)
{
    const struct hc_account_need *x = a, *y = b;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    return strcmp(x->input, y->input);
}

static void fill_needs(struct hc_account_result *result)
{
    const struct hc_job_account *account = result->account;
    const struct hc_account_need needs[HC_ACCOUNT_N_NEEDS] = {
        {"logs of the training runs",
         "how much of the time of jobs of 8 GPUs or more made steps that counted",
         hours(account->large_gpu_ns)},
        {"kernel logs and node states", "whether the machine or the program ended failed jobs",
         hours(hc_job_account_of_states(account, failed, N_OF(failed)))},
        {"checkpoints in the logs of the runs",
         "what interrupted jobs lost: now a bound from nothing to all of their time",
         result->interrupted_high_gpu_hours},
        {"phase marks of prologs and job scripts",
         "what start-up took; the figure is the first 15 minutes of each job of 8 GPUs or more",
         hours(account->first_minutes_gpu_ns)},
    };
    memcpy(result->needs, needs, sizeof needs);
    qsort(result->needs, HC_ACCOUNT_N_NEEDS, sizeof *result->needs, compare_needs);
}

static void fill_interrupted(struct hc_account_result *result)
{
    const struct hc_job_account *account = result->account;
    result->n_interrupted = account->interrupted.n_attempts;
    result->interrupted_low_gpu_hours = 0;
    result->interrupted_high_gpu_hours = hours(account->interrupted.gpu_ns);
    result->n_put_in = account->put_in.n_attempts;
    result->n_taken_out = account->taken_out.n_attempts;
}

enum hc_status hc_account_result_make(struct hc_account_result *result,
                                      struct hc_job_account *account, struct hc_error *err)
{
    *result = (struct hc_account_result){.account = account};
    result->gpu_hours = hours(account->total.gpu_ns);
    result->cpu_hours = hours(account->total.cpu_ns);
    result->cost = cost_of(&account->total);
    result->unpriced_gpu_hours = hours(account->total.gpu_ns - account->total.priced_gpu_ns);
    result->estimated_gpu_hours = hours(account->estimated_gpu_ns);
    for (int by = 0; by < HC_N_ACCOUNT_GROUPINGS; by++)
        if (fill_rows(&result->by[by], &account->groups[by], &account->total, err)) {
            hc_account_result_fini(result);
            return err->status;
        }
    fill_queue(result, &account->queue);
    fill_interrupted(result);
    fill_needs(result);
    return HC_OK;
}

void hc_account_result_fini(struct hc_account_result *result)
{
    for (int by = 0; by < HC_N_ACCOUNT_GROUPINGS; by++)
        free(result->by[by].rows);
    *result = (struct hc_account_result){0};
}
