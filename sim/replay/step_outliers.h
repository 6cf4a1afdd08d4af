/* step_outliers.h - steps that take far longer than the others of a trace for a reason that is not
 * straggling: the first ones (compilation, empty caches, clocks that speed up), and single ones
 * that had more to do or stood still (a checkpoint, an evaluation, a hang). One of them can decide
 * the mean of all, so they are named and left out (docs/methods/straggler-whatif.md, "Steps that
 * stand apart").
 *
 * A step stands apart by its traced span. One that is long because few workers were slow in it is
 * not left out: it may be the fault that is looked for.
 */
#ifndef HC_SIM_REPLAY_STEP_OUTLIERS_H
#define HC_SIM_REPLAY_STEP_OUTLIERS_H

#include "core/base/status.h"
#include "sim/replay/step_choice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of fewer steps none stands apart: too few others to be told from. */
#define HC_OUTLIERS_LEAST_STEPS 7

/* Spans of the steps of a trace, ascending by step, and what is found of them. */
struct hc_step_outliers {
    size_t n;
    const int64_t *span_ns;  /* [n] */
    enum hc_step_fate *fate; /* [n] HC_STEP_USED, HC_STEP_WARM_UP or HC_STEP_OUTLIER */
    double median_ns;        /* of the steps that are used */
    /* Whether most workers share what step s takes longer than the usual ones; NULL: they do. It is
     * asked of steps that stand apart only. */
    enum hc_status (*is_shared)(bool *shared, size_t s, void *context, struct hc_error *err);
    void *context;
};

/* Find fate and median_ns. HC_INTERNAL without memory, or the status of is_shared. */
enum hc_status hc_step_outliers_find(struct hc_step_outliers *outliers, struct hc_error *err);

#endif
