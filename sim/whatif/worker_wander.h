/* worker_wander.h - whether the same worker is the worst in all steps. */
#ifndef HC_SIM_WHATIF_WORKER_WANDER_H
#define HC_SIM_WHATIF_WORKER_WANDER_H

#include "sim/whatif/whatif.h"

/* The worker that delays a step most when only it is as traced. result->worker_end_ns must be
 * there. */
size_t hc_step_worst_worker(const struct hc_whatif_result *result, size_t step);

/* HC_INTERNAL without memory. */
enum hc_status hc_whatif_wander(const struct hc_whatif_result *result, struct hc_wander *wander,
                                struct hc_error *err);

/* Whether no worker brings more than half of what the worst worker of each step brings; without
 * excess, whether none is the worst in more than half of the steps. */
bool hc_wanders(const struct hc_wander *wander, size_t n_steps);

/* Whether, besides, one worker of each step is slow: the worst brings at least half of the excess,
 * and the second worst at most half as much as it. Under plain noise the two are near each other.
 */
bool hc_wanders_one_by_one(const struct hc_wander *wander, size_t n_steps);

#endif
