/* ideal_slopes.h - how much the times of a step grow when the ideal of one op type does
 * (docs/methods/intervals.md). Private to this wing. */
#ifndef HC_SIM_WHATIF_IDEAL_SLOPES_H
#define HC_SIM_WHATIF_IDEAL_SLOPES_H

#include "core/base/status.h"
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/whatif_analysis.h"

/* Growth of a mean over steps, in ns for each ns by which the ideal of the op type grows; 0 for
 * types whose ideal no step moves (sim/replay/ideal_moves.h). */
struct hc_ideal_slopes {
    double end[HC_N_OP_TYPES];           /* of the ideal end */
    double span[HC_N_OP_TYPES];          /* of the ideal span */
    double stage_ideal[HC_N_OP_TYPES];   /* of the span with the last stage ideal */
    double slowest_ideal[HC_N_OP_TYPES]; /* of the span with the slowest workers ideal, if found */
};

enum hc_status hc_ideal_slopes_find(struct hc_ideal_slopes *slopes,
                                    const struct hc_whatif_analysis *analysis,
                                    const struct hc_ideal_moves *moves);

#endif
