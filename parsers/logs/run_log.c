#include "parsers/logs/run_log.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#define MOST_PENDING ((size_t)1 << 16) /* of one line */

bool hc_log_start_is_final(const struct hc_run_log *log)
{
    const struct hc_log_rows *rows = &log->rows;
    return rows->start_clock == HC_LOG_STAMPED || rows->first_iteration != HC_MISSING_I64 ||
           (rows->start_clock == HC_LOG_BETWEEN && log->startup.initialised_ns != HC_MISSING_I64);
}

enum hc_status hc_log_keep_measure(struct hc_run_log *log, const struct hc_log_measure *measure,
                                   struct hc_error *err)
{
    if (log->n_pending == MOST_PENDING) {
        log->n_dropped++;
        return HC_OK;
    }
    if (hc_reserve(&log->pending, &log->pending_capacity, log->n_pending + 1, sizeof *measure, err))
        return err->status;
    log->pending[log->n_pending++] = *measure;
    return HC_OK;
}
