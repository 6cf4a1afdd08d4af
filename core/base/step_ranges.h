/* step_ranges.h - a choice of steps as it is written everywhere: "12,20-23" is step 12 and the
 * steps 20 to 23, both ends included. The one parser and the one test of membership of the program.
 *
 * An empty choice (a zeroed struct, or NULL) means all steps.
 */
#ifndef HC_CORE_BASE_STEP_RANGES_H
#define HC_CORE_BASE_STEP_RANGES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_step_ranges {
    size_t n, capacity;
    int32_t (*range)[2]; /* [n] first and last step, in the order given; they may overlap */
    const char *text;    /* as given, not owned; or NULL */
};

/* Read text into ranges, which holds nothing or an earlier choice. HC_USAGE for anything but
 * numbers from 0 to INT32_MAX, ranges that ascend, and single commas between them; ranges is then
 * still the caller's to hc_step_ranges_fini. */
enum hc_status hc_step_ranges_parse(struct hc_step_ranges *ranges, const char *text,
                                    struct hc_error *err);
void hc_step_ranges_fini(struct hc_step_ranges *ranges);

/* Whether a step is chosen; of no choice (NULL or empty) every step is. */
bool hc_step_ranges_include(const struct hc_step_ranges *ranges, int32_t step);

/* Whether a step lies in one range. */
bool hc_step_range_includes(const int32_t range[2], int32_t step);

#endif
