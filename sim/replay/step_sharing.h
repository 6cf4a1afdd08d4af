/* step_sharing.h - whether what one step takes longer than usual is shared by most workers, read
 * from the rows of the trace before there are lanes.
 *
 * Time of its own has a worker while it works (passes, gc, optimizer) or has no op under way: it
 * starts late. While it is in a transfer it may wait for others, so the time of a fault of one
 * worker is its own there, and a transfer everywhere else.
 */
#ifndef HC_SIM_REPLAY_STEP_SHARING_H
#define HC_SIM_REPLAY_STEP_SHARING_H

#include "core/base/status.h"
#include "sim/replay/step_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_step_sharing {
    struct hc_step_trace *trace;
    size_t n_steps;
    const int32_t *steps;              /* [n_steps] numbers, ascending */
    const int64_t *first_ns, *span_ns; /* [n_steps] */
    double *usual_ns; /* [n_workers] own time in usual steps; NULL until it was asked for */
    double usual_span_ns;
};

/* Whether more than half of the workers have half or more of the most that any worker has of its
 * own beyond its usual steps; or that most is not half of what step s takes longer, so that it is
 * no worker's. An hc_step_outliers.is_shared; context: an hc_step_sharing. */
enum hc_status hc_step_is_shared(bool *shared, size_t s, void *context, struct hc_error *err);
void hc_step_sharing_fini(struct hc_step_sharing *sharing);

#endif
