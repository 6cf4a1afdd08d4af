/* launch_delays.h - how late each worker starts its ops in each step, against what is usual.
 * Private to this wing.
 *
 * The launch delay of an op is its start less the end of the last op that it waits for, so a worker
 * that waits for a late one is not late itself.
 */
#ifndef HC_SIM_WHATIF_CAUSE_LAUNCH_DELAYS_H
#define HC_SIM_WHATIF_CAUSE_LAUNCH_DELAYS_H

#include "sim/whatif/whatif_analysis.h"

#include <stdint.h>

/* Workers are numbered dp_rank * n_stages + stage. */
struct hc_launch_delays {
    size_t n_workers, n_stages, n_steps;
    double *mean_ns;  /* [n_workers][n_steps] mean launch delay of the ops of the worker */
    uint32_t *n_ops;  /* [n_stages][n_steps] ops of a worker */
    double usual_ns;  /* of an op of a worker that is not late: the lower quartile over workers of
                         their medians over the steps, which three late workers of four leave */
    double noise_ns;  /* robust standard deviation of mean_ns around it */
    uint8_t *is_late; /* [n_workers][n_steps] */
    double
        *late_ns; /* [n_workers] by how much its ops start late beyond the usual, all late steps */
};

/* Find all of it. A worker is late in a step when its mean delay is above the usual by 6 robust
 * standard deviations, and what that makes over its ops is a tenth of what launch delays cost the
 * mean step. HC_INTERNAL without memory. */
enum hc_status hc_launch_delays_find(struct hc_launch_delays *delays,
                                     const struct hc_whatif_analysis *analysis);
void hc_launch_delays_fini(struct hc_launch_delays *delays);

#endif
