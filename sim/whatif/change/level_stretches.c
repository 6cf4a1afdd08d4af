#include "sim/whatif/change/level_stretches.h"

#include "core/base/memory.h"
#include "sim/whatif/change/two_levels.h"

#include <stdlib.h>

/* The number of stretches; 0 where they are too many, too short, or one. */
static size_t list(struct hc_level_stretch *stretches, const uint8_t *is_high, size_t n)
{
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || is_high[i] != is_high[i - 1]) {
            if (n_found == HC_MOST_LEVEL_STRETCHES)
                return 0;
            stretches[n_found++].first = i;
        }
        stretches[n_found - 1].last = i;
    }
    for (size_t k = 0; k < n_found; k++)
        if (stretches[k].last - stretches[k].first + 1 < HC_LEAST_LEVEL_STRETCH)
            return 0;
    return n_found > 1 ? n_found : 0;
}

enum hc_status hc_level_stretches_find(struct hc_level_stretch stretches[HC_MOST_LEVEL_STRETCHES],
                                       size_t *n_stretches, const double *values, size_t n,
                                       struct hc_error *err)
{
    const struct hc_level_rule rule = {0, HC_LEAST_LEVEL_RISE, false};
    struct hc_two_levels levels = {.is_high = hc_new_array(n, 1, err)};
    *n_stretches = 0;
    if (!levels.is_high)
        return err->status;
    enum hc_status status = hc_two_levels_find(&levels, values, n, &rule, err);
    if (status == HC_OK && levels.found)
        *n_stretches = list(stretches, levels.is_high, n);
    free(levels.is_high);
    return status;
}
