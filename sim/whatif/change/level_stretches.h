/* level_stretches.h - a series that changes between two levels, as stretches of values that follow
 * each other. */
#ifndef HC_SIM_WHATIF_CHANGE_LEVEL_STRETCHES_H
#define HC_SIM_WHATIF_CHANGE_LEVEL_STRETCHES_H

#include "core/base/status.h"

#include <stddef.h>

/* The upper level is at least this part above the lower one. */
#define HC_LEAST_LEVEL_RISE 0.04
/* A series that changes more often comes and goes, and stretches say nothing of it; nor do
 * stretches of fewer values. */
#define HC_MOST_LEVEL_STRETCHES 5
#define HC_LEAST_LEVEL_STRETCH  3

struct hc_level_stretch {
    size_t first, last;
};

/* Find the stretches of n positive values, which together are all of them; *n_stretches is 0 where
 * the series does not change. HC_INTERNAL without memory. */
enum hc_status hc_level_stretches_find(struct hc_level_stretch stretches[HC_MOST_LEVEL_STRETCHES],
                                       size_t *n_stretches, const double *values, size_t n,
                                       struct hc_error *err);

#endif
