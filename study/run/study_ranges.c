#include "study/run/study_ranges.h"

#include <math.h>
#include <stdio.h>

/* Put where it belongs by its width; of the same width after those that are there. */
static size_t add(struct hc_study_range *range, size_t n, enum hc_study_range_kind kind, double low,
                  double high)
{
    size_t at = n;
    if (!isfinite(low) || !isfinite(high) || high <= low)
        return n;
    for (; at > 0 && high - low > range[at - 1].high - range[at - 1].low; at--)
        range[at] = range[at - 1];
    range[at] = (struct hc_study_range){kind, low, high};
    return n + 1;
}

size_t hc_study_ranges(const struct hc_study_run *run, size_t column,
                       struct hc_study_range range[HC_STUDY_RANGES])
{
    const struct hc_study_value *value = &run->value[column];
    size_t n = 0;
    if (run->inputs)
        n = add(range, n, HC_RANGE_INPUTS, run->inputs[column].low, run->inputs[column].high);
    if (run->spread && run->spread[column].n_replicas >= HC_STUDY_LEAST_SPREAD)
        n = add(range, n, HC_RANGE_BETWEEN, run->spread[column].p05.mean,
                run->spread[column].p95.mean);
    return add(range, n, HC_RANGE_SIMULATION, value->low, value->high);
}

size_t hc_study_difference_ranges(const struct hc_study_run *run, size_t column,
                                  struct hc_study_range range[HC_STUDY_RANGES])
{
    size_t n = 0;
    if (run->difference_inputs)
        n = add(range, n, HC_RANGE_INPUTS, run->difference_inputs[column].low,
                run->difference_inputs[column].high);
    return add(range, n, HC_RANGE_SIMULATION, run->difference[column].low,
               run->difference[column].high);
}

const char *hc_study_range_name(const struct hc_study_result *result, enum hc_study_range_kind kind,
                                char text[64])
{
    if (kind == HC_RANGE_SIMULATION && result->has_given_replicas)
        return "mean";
    if (kind != HC_RANGE_BETWEEN)
        return hc_study_range_key((int)kind);
    snprintf(text, 64, "between %s", result->many);
    return text;
}

const char *hc_study_range_key(int kind)
{
    static const char *const keys[] = {"simulation", "between", "inputs"}; /* as the enum */
    return keys[kind];
}
