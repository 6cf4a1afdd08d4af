/* change_log.h - durations of an op type that edits have changed, before and after each change:
 * what the median of the type is found from (sim/edits/changed_median.h). Private to this wing.
 *
 * It is written where a duration is put, as both values are at hand there; a duration that is
 * changed twice is there twice, with what it was between as an after and a before, which cancel. Of
 * more changes than there is room for it only knows that there are many: then all durations of the
 * type are looked at instead.
 */
#ifndef HC_SIM_EDITS_CHANGE_LOG_H
#define HC_SIM_EDITS_CHANGE_LOG_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_change_log {
    size_t n, room;
    bool has_more; /* changes than are here */
    double *before, *after;
};

enum hc_status hc_change_log_init(struct hc_change_log *log, size_t room, struct hc_error *err);
void hc_change_log_fini(struct hc_change_log *log);
void hc_change_log_empty(struct hc_change_log *log);

static inline void hc_change_log_put(struct hc_change_log *log, double before, double after)
{
    if (log->n == log->room) {
        log->has_more = true;
        return;
    }
    log->before[log->n] = before;
    log->after[log->n++] = after;
}

/* The same of lanes of a row, or of its first n where lane is NULL; what each became, and what came
 * to it. */
void hc_change_log_put_row(struct hc_change_log *log, const double *after, const double *more,
                           const uint32_t *lane, size_t n);

#endif
