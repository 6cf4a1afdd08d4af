#include "sim/edits/change_log.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_change_log_init(struct hc_change_log *log, size_t room, struct hc_error *err)
{
    *log = (struct hc_change_log){.room = room,
                                  .before = hc_new_aligned(room, sizeof *log->before, err),
                                  .after = hc_new_aligned(room, sizeof *log->after, err)};
    return log->before && log->after ? HC_OK : err->status;
}

void hc_change_log_fini(struct hc_change_log *log)
{
    free(log->before);
    free(log->after);
    *log = (struct hc_change_log){.n = 0};
}

void hc_change_log_empty(struct hc_change_log *log)
{
    log->n = 0;
    log->has_more = false;
}

void hc_change_log_put_row(struct hc_change_log *log, const double *after, const double *more,
                           const uint32_t *lane, size_t n)
{
    log->has_more |= n > log->room - log->n;
    if (log->has_more)
        return;
    double *to_before = log->before + log->n, *to_after = log->after + log->n;
    for (size_t i = 0; i < n; i++) {
        size_t l = lane ? lane[i] : i;
        to_before[i] = after[l] - more[l]; /* whole numbers: exact */
        to_after[i] = after[l];
    }
    log->n += n;
}
