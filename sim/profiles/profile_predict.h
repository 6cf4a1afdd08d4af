/* profile_predict.h - each step predicted from the others: what its work takes there instead, by
 * the same dependencies. How far that is off says how far other answers of the replay may be.
 * Private to this wing.
 *
 *     for each part of a build: hc_predict_note(&predict, &build, err);
 *     hc_predict_run(&predict, &window, &result, err);    // builds the parts once more
 *     hc_predict_fini(&predict);
 */
#ifndef HC_SIM_PROFILES_PROFILE_PREDICT_H
#define HC_SIM_PROFILES_PROFILE_PREDICT_H

#include "sim/profiles/profile_build.h"

/* Fewer parts than these say too little of each other. */
#define HC_PREDICT_FEWEST 3

#define HC_PREDICT_LARGE UINT32_MAX

/* What the works of one rank took, all parts together. */
struct hc_predict_rank {
    struct hc_int_map twins; /* from the twin of a work to its row */
    size_t n, capacity, n_large, large_capacity;
    uint32_t *row;     /* of each work; until the weights are sorted, as the next two */
    uint32_t *w_ns;    /* HC_PREDICT_LARGE: the next one of large_ns */
    int64_t *large_ns; /* those that 32 bits do not hold, in order */
    /* By hc_predict_run: the weights of row i, ascending, from first[i] to first[i + 1]. */
    size_t *first;
    int64_t *sorted_ns;
};

/* Zeroed memory before. */
struct hc_predict {
    size_t n_ranks;
    struct hc_predict_rank *ranks;
};

/* Remember the works of the part at hand, as traced. */
enum hc_status hc_predict_note(struct hc_predict *predict, const struct hc_profile_build *build,
                               struct hc_error *err);

/* Fill predictions, n_predictions and the errors of the result; not called with fewer parts than
 * HC_PREDICT_FEWEST. */
enum hc_status hc_predict_run(struct hc_predict *predict, const struct hc_scan_window *window,
                              struct hc_profile_whatif_result *result, struct hc_error *err);
void hc_predict_fini(struct hc_predict *predict);

#endif
