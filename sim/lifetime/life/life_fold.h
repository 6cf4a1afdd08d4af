/* life_fold.h - keeps the record of a long life within its bound. Private to this wing.
 *
 * The time of a life is cut into slices. Within a slice, stretches of the same state, reason and
 * cause become one, as long as all of them together; so do the marks of one cause. What reaches
 * over the end of a slice stays as it was, so all sums up to the end of a slice stay what they
 * were, to the nanosecond; within a slice nothing is known of the order any more. Where the bound
 * is passed again, slices become wider.
 *
 * The last stretch is never folded: steps that go on lengthen it.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_FOLD_H
#define HC_SIM_LIFETIME_LIFE_LIFE_FOLD_H

#include "sim/lifetime/lifetime_trace.h"

/* Whether one of the lists has reached its bound. */
static inline bool hc_life_fold_is_due(const struct hc_lifetime_trace *trace)
{
    return trace->most &&
           (trace->n_spans >= trace->fold.next_spans || trace->n_marks >= trace->fold.next_marks);
}

/* Before a life. */
void hc_life_fold_start(struct hc_lifetime_trace *trace);

/* Fold until both lists are at most half of their bound, or there is one slice only. Stretches of
 * steps hold in missing_ns the nodes that they ran without, of so many. */
void hc_life_fold(struct hc_lifetime_trace *trace, int32_t nodes);

/* While a life is taken down, missing_ns of a stretch that stands for itself alone holds the number
 * of nodes that the job ran without. Make it their share of the time in steps. */
void hc_life_weigh_missing(struct hc_lifetime_span *span, int32_t nodes);

#endif
