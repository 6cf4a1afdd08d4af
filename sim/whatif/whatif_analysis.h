/* whatif_analysis.h - one analysis at work: what the files of sim/ that find its parts share.
 * Only they include it. */
#ifndef HC_SIM_WHATIF_WHATIF_ANALYSIS_H
#define HC_SIM_WHATIF_WHATIF_ANALYSIS_H

#include "core/base/status.h"
#include "sim/replay/counterfactuals.h"
#include "sim/replay/ideal.h"
#include "sim/replay/step_lanes.h"
#include "sim/whatif/whatif.h"

#include <stdint.h>

struct hc_whatif_analysis {
    struct hc_whatif_result *result;
    struct hc_step_trace *trace;
    const struct hc_whatif_options *options;
    struct hc_step_lanes lanes;
    struct hc_ideals ideals;
    struct hc_counterfactuals sweeps;
    struct hc_type_groups type_groups, launch_type_groups;
    /* Spans of the steps with the last stage ideal (traced), and with the slowest workers ideal
     * (traced): what m_s and m_w are the means of. [n_steps]; the last two NULL without m_w. */
    int64_t *stage_ideal_span_ns, *stage_traced_span_ns;
    int64_t *slowest_ideal_span_ns, *slowest_traced_span_ns;
    uint8_t *slowest_chosen; /* [n_workers] at dp_rank * n_stages + stage: those of m_w, or NULL */
    struct hc_error *err;
};

/* Sum of n values in a fixed order; exact up to 2^53 ns (104 days). */
double hc_sum_ns(const int64_t *values, size_t n);
/* Their mean in seconds. */
double hc_mean_s(const int64_t *values, size_t n);

/* The groups of the op types that are there, in alphabetical order of their names. */
void hc_type_groups_list(struct hc_type_groups *groups, const int64_t *n_by_type,
                         bool with_first_op);

/* What a set of ops explains, from the spans [n_steps] of steps with it fixed, and with it alone.
 */
void hc_explain(struct hc_explained *explained, const struct hc_whatif_result *result,
                const int64_t *removed_ns, const int64_t *added_ns);

/* The decompositions that the threshold asks for; then the workers, and m_w where there is one. */
enum hc_status hc_splits_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_workers_find(struct hc_whatif_analysis *analysis);

/* The parts, in the order in which they are found; each needs those before it where they are done.
 * HC_OK and nothing done where the trace cannot give it. */
enum hc_status hc_worker_slowdowns_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_fix_curves_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_shapley_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_intervals_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_straggler_cause_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_step_picture_find(struct hc_whatif_analysis *analysis);

#endif
