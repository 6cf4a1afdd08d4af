/* profile_sweep.h - many variants of the same graph at once: value of a point = the latest of its
 * edges plus its residual, for every lane (variant). For this wing,
 * that of edits, and the tests.
 *
 * Values are whole ns in doubles, exact to 104 days from the origin; scaled weights are rounded to
 * whole ns (ties to even). So results do not depend on the number of lanes or threads.
 */
#ifndef HC_SIM_PROFILES_PROFILE_SWEEP_H
#define HC_SIM_PROFILES_PROFILE_SWEEP_H

#include "sim/profiles/profile_order.h"

#define HC_SWEEP_BLOCK 64 /* lanes that are swept together */

/* What the lanes change. Rows are of a rank, or of the work of a rank
 * (rank_index * HC_N_WORKS + enum hc_graph_work), a value a lane. */
struct hc_sweep_lanes {
    size_t n, n_ranks;
    size_t stride;       /* of rows: n rounded up to a multiple of 8, 1 for one lane */
    double *alt;         /* of a work: 1 takes the weight of the peers, 0 the traced one */
    double *factor;      /* of a work: its weights times this */
    double *moves_start; /* of a rank: 1 begins at median_start_ns, 0 as traced */
    double *residual;    /* of a lane: residuals times this, 0 or 1 */
    double median_start_ns;
};

/* All lanes as traced. */
enum hc_status hc_sweep_lanes_init(struct hc_sweep_lanes *lanes, size_t n, size_t n_ranks,
                                   struct hc_error *err);
void hc_sweep_lanes_fini(struct hc_sweep_lanes *lanes);

/* Zeroed memory before hc_sweep_init. */
struct hc_sweep {
    const struct hc_sweep_lanes *lanes;
    size_t n_blocks, n_slots;
    double *
        *values;    /* of a block: slot by slot, HC_SWEEP_BLOCK lanes (1 where there is one lane) */
    double *finish; /* of a rank: a row of lanes; -INFINITY before its first finishing point */
};

/* The lanes stay the caller's, and as they are until hc_sweep_fini. */
enum hc_status hc_sweep_init(struct hc_sweep *sweep, const struct hc_sweep_lanes *lanes,
                             struct hc_error *err);
/* Go on with the next part. */
enum hc_status hc_sweep_part(struct hc_sweep *sweep, const struct hc_profile_graph *graph,
                             const struct hc_graph_order *order, struct hc_error *err);
/* Doubles count whole ns up to here: 104 days. */
#define HC_SWEEP_MOST_NS ((int64_t)1 << 53)
/* The latest finish of all ranks in a lane, ns from the origin; at most HC_SWEEP_MOST_NS either
 * way.
 */
int64_t hc_sweep_finish(const struct hc_sweep *sweep, size_t lane);
void hc_sweep_fini(struct hc_sweep *sweep);

/* Whole ns, ties to even: |ns| < 2^51. */
static inline double hc_sweep_whole_ns(double ns)
{
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: the unit is the last bit that stays */
    return (ns + shift) - shift;
}

#endif
