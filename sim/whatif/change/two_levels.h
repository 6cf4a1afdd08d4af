/* two_levels.h - whether a series changes between two levels, and when it is at the upper one. */
#ifndef HC_SIM_WHATIF_CHANGE_TWO_LEVELS_H
#define HC_SIM_WHATIF_CHANGE_TWO_LEVELS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the split of one series into two levels is held against. */
struct hc_level_rule {
    double noise;      /* standard deviation that chance gives a value, at least */
    double least_rise; /* of the upper level over the lower one, as a share of the lower one */
    bool may_be_many;  /* above the lower level there may be several: then all above the lowest one
                          are upper, and their differences are no noise */
};

struct hc_two_levels {
    bool found;
    double low, high; /* medians of the values at each level */
    double noise;     /* standard deviation around the levels */
    size_t n_high;
    uint8_t *is_high; /* [n] the caller's */
};

/* Split n positive values into those at a lower and those at an upper level. The levels are the two
 * clusters of least squares (exact, by sorting); values far above are cut first, so that one of
 * them does not stand for a level. Which value is at which level is then the path of least cost
 * (Viterbi 1967) over squared distances with a price for each change of level, so that a single
 * value in between does not break a stretch. `found` when there are at least 6 values and the upper
 * level is above the lower one by the least rise and by several standard deviations.
 * levels->is_high must point to n bytes. HC_INTERNAL without memory. */
enum hc_status hc_two_levels_find(struct hc_two_levels *levels, const double *values, size_t n,
                                  const struct hc_level_rule *rule, struct hc_error *err);

/* The spread of n values around their median: 1.4826 median absolute deviations, which is the
 * standard deviation of normal values. scratch: [n]. */
double hc_spread(const double *values, size_t n, double *scratch);

#endif
