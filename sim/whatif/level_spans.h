/* level_spans.h - what of the differences between steps is of the steps, and what of single ops
 * (docs/methods/intervals.md). Private to this wing.
 *
 * Ops of a step that vary each for itself tell how much their mean varies from step to step. Where
 * it varies clearly more, the ops of the step have a level in common: a worker that is slow now
 * more, now less. Such levels may last from step to step; single ops do not.
 */
#ifndef HC_SIM_WHATIF_LEVEL_SPANS_H
#define HC_SIM_WHATIF_LEVEL_SPANS_H

#include "core/base/status.h"
#include "sim/whatif/whatif_analysis.h"

#include <stdbool.h>
#include <stdint.h>

/* Spans [n_steps] of the steps replayed with nothing left in them but levels: each op takes its
 * mean over all steps times the level of its kind (op type of a worker) in the step, which is 1
 * where that kind has none. Kinds with fewer than three ops a step have levels where these
 * follow each other. As traced, with the last stage ideal, and with the slowest workers ideal (NULL
 * without them). */
struct hc_level_spans {
    bool any; /* some kind has levels; else nothing is filled */
    int64_t *replayed_ns, *stage_ideal_ns, *slowest_ideal_ns;
};

enum hc_status hc_level_spans_find(struct hc_level_spans *levels,
                                   const struct hc_whatif_analysis *analysis);
void hc_level_spans_fini(struct hc_level_spans *levels);

#endif
