#include "parsers/logs/run_log.h"

#include "core/base/memory.h"

#define MOST_PENDING ((size_t)1 << 16) /* of one line */

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
