#include "models/capacity/backlog.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>

/* The first day that ends after the time, or n_days. */
static size_t first_end_after(const struct hc_backlog *backlog, int64_t ns)
{
    size_t low = 0, high = backlog->n_days;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (backlog->day_ns[middle + 1] < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum hc_status hc_backlog_add(struct hc_backlog *backlog, const struct hc_backlog_job *job,
                              struct hc_error *err)
{
    bool by_limit = job->run_ns == HC_MISSING_I64;
    int64_t work_ns = by_limit ? job->limit_ns : job->run_ns;
    if (!backlog->days) {
        backlog->days = hc_new_array(backlog->n_days, sizeof *backlog->days, err);
        if (!backlog->days)
            return err->status;
    }
    if (job->gpus <= 0)
        return HC_OK;
    for (size_t day = first_end_after(backlog, job->eligible_ns); day < backlog->n_days; day++) {
        struct hc_backlog_day *end = &backlog->days[day];
        if (job->until_ns != HC_MISSING_I64 && job->until_ns <= backlog->day_ns[day + 1])
            break;
        end->jobs++;
        end->gpus += job->gpus;
        if (work_ns == HC_MISSING_I64 || work_ns < 0) {
            end->n_unknown++;
            continue;
        }
        hc_capacity_ns work = (hc_capacity_ns)job->gpus * (hc_capacity_ns)work_ns;
        end->work_gpu_ns += work;
        end->limit_gpu_ns += by_limit ? work : 0;
    }
    return HC_OK;
}

void hc_backlog_fini(struct hc_backlog *backlog)
{
    free(backlog->days);
    backlog->days = NULL;
}
