/* step_dates.h - when the steps of a timeline were.
 *
 * Timelines have one of three clocks: Unix time; a clock of the trace, which counts from a
 * beginning of its own; or a clock of each step, which counts from the start of that step. The
 * second and third become dates by the time at which the metadata says that the trace begins. Of
 * the third it is not recorded when a step began: steps are taken to follow each other without a
 * pause, and those between two that were traced to take as long as the mean of the traced ones.
 */
#ifndef HC_MODELS_STEPS_STEP_DATES_H
#define HC_MODELS_STEPS_STEP_DATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step of a timeline, from its first op to the end of its last. */
struct hc_step_span {
    int64_t from_ns, to_ns;
    int32_t step;
};

/* Make Unix times of the times of all steps of a timeline, which ascend by step. start_unix_ns:
 * when the trace begins, or missing. *are_estimated: steps have clocks of their own. A time beyond
 * 64 bits becomes missing. False, and nothing is changed: the dates cannot be known. */
bool hc_step_dates_set(struct hc_step_span *spans, size_t n, int64_t start_unix_ns,
                       bool *are_estimated);

#endif
