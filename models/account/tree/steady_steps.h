/* steady_steps.h - from which line of a log on the steps of a launch are steady. */
#ifndef HC_MODELS_ACCOUNT_TREE_STEADY_STEPS_H
#define HC_MODELS_ACCOUNT_TREE_STEADY_STEPS_H

#include "models/account/tree/attempt_slices.h"

struct hc_steady_steps {
    size_t n_warm;     /* rows before the steps are steady */
    int64_t median_ns; /* of one step, from there on; missing: there are too few */
};

/* The rows at the beginning that take longer than the median of the later half and three scaled
 * median absolute deviations (at least 2 %) are those of the warm-up, as long as they follow one
 * another. With fewer than 8 rows, or where nothing but warm-up is there, none is. */
struct hc_steady_steps hc_steady_steps_find(const struct hc_step_row *rows, size_t n);

#endif
