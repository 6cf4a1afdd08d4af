/* worker_wander.h - whether the same worker is the worst in all steps. */
#ifndef HC_SIM_WHATIF_WORKER_WANDER_H
#define HC_SIM_WHATIF_WORKER_WANDER_H

#include "sim/whatif/whatif.h"

/* The worker that delays a step most when only it is as traced. worker_end_ns is known. */
size_t hc_step_worst_worker(const struct hc_whatif_result *result, size_t step);

/* How far the worst worker of a step stays the same. */
struct hc_wander {
    size_t n_workers;     /* that are the worst of some step; 0: not known */
    size_t most, n_steps; /* which is it most often, and in how many steps */
    /* Of the excess of the steps, what the worst worker of each brings alone, and what the one
     * after it does. NaN without excess. */
    double share, next_share;
};
enum hc_status hc_whatif_wander(const struct hc_whatif_result *result, struct hc_wander *wander,
                                struct hc_error *err);

/* Whether no worker is the worst in more than half of the steps. */
bool hc_wanders(const struct hc_wander *wander, size_t n_steps);

/* Whether, besides, each step has one that is slow: the worst brings half of the excess, and the
 * next at most half as much. Under plain noise the two are near each other. */
bool hc_wanders_one_by_one(const struct hc_wander *wander, size_t n_steps);

#endif
