/* oracle.h - the slow replay: a plain event simulation of one step over all dp ranks.
 *
 * It works on the graph itself, knows nothing of plans, slots or lanes, and exists to be compared
 * with the sweep: both give the same times to the last bit.
 */
#ifndef HC_TESTS_SUPPORT_ORACLE_H
#define HC_TESTS_SUPPORT_ORACLE_H

#include "core/base/status.h"
#include "models/steps/step_graph.h"

#include <stddef.h>

struct hc_oracle_step {
    const struct hc_step_graph *graph;
    size_t dp_size;
    const double *duration_ns; /* [n_ops][dp_size] by op of the graph; transfer time in groups */
    const double *delay_ns;    /* [n_ops][dp_size] launch delays, or NULL */
};

struct hc_oracle_times {
    double *start_ns, *end_ns;        /* [n_ops][dp_size]: every op, or NULL when not wanted */
    double end, span_start, span_end; /* of the step over all dp ranks; end: last optimizer */
};

/* HC_BAD_INPUT when some op never becomes ready (a cycle). */
enum hc_status hc_oracle_run(const struct hc_oracle_step *step, struct hc_oracle_times *times,
                             struct hc_error *err);

#endif
