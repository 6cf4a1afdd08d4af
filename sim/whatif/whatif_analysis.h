/* whatif_analysis.h - one analysis at work: what the files of this wing that find its parts share.
 * Private to this wing. */
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
    /* [n_steps] spans with the last stage ideal, and with only it traced: what m_s is made of. The
     * same of the slowest workers for m_w; NULL without it. */
    int64_t *stage_ideal_span_ns, *stage_traced_span_ns;
    int64_t *slowest_ideal_span_ns, *slowest_traced_span_ns;
    uint8_t *slowest_chosen; /* [n_workers] at dp_rank * n_stages + stage: those of m_w, or NULL */
    struct hc_error *err;
};

/* Sum of n values in a fixed order; exact up to 2^53 ns (104 days). */
double hc_sum_ns(const int64_t *values, size_t n);
/* Their mean in seconds. */
double hc_mean_s(const int64_t *values, size_t n);

/* List the groups of the op types that the trace has, in alphabetical order of their names. */
void hc_type_groups_list(struct hc_type_groups *groups, const int64_t *n_by_type,
                         bool with_first_op);

/* What a set of ops explains (paper Eq. 5), from the spans [n_steps] of steps with the set ideal,
 * and with the set alone traced. */
void hc_explain(struct hc_explained *explained, const struct hc_whatif_result *result,
                const int64_t *removed_ns, const int64_t *added_ns);

/* The share that a set explains is not known: rem and add become NaN. */
void hc_explained_forget(struct hc_explained *explained);

/* The share of the orders of n players in which exactly a given set of n_before of them comes
 * before a player: n_before! (n - 1 - n_before)! / n! (Shapley 1953). */
double hc_shapley_weight(size_t n, size_t n_before);

/* Find the decompositions that the threshold asks for; then the workers, and m_w if there is a
 * decomposition. */
enum hc_status hc_splits_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_workers_find(struct hc_whatif_analysis *analysis);

/* Find where the workers ran and when the steps were (sim/whatif/machine.c), for all parts below.
 */
enum hc_status hc_machine_find(struct hc_whatif_analysis *analysis);

/* Choose the workers of each fix that was asked for (sim/whatif/asked_fixes.c). */
enum hc_status hc_asked_fixes_choose(struct hc_whatif_analysis *analysis);
/* Replay each of them by this rewriting, whose `arg` is its number: fills saved_s of
 * HC_SWEEP_REWRITTEN, launches_saved_s of HC_SWEEP_DELAYS_REWRITTEN. */
enum hc_status hc_asked_fixes_replay(const struct hc_whatif_analysis *analysis,
                                     enum hc_sweep_kind kind, hc_rewrite_fn *rewrite,
                                     const void *context);
/* Count the culprits of each. */
void hc_asked_fixes_count(struct hc_whatif_result *result);

/* Find one part of the depth each, in this order: a part may use those before it. HC_OK with
 * nothing done where the trace cannot give the part. */
enum hc_status hc_worker_slowdowns_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_fix_curves_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_shapley_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_intervals_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_straggler_cause_find(struct hc_whatif_analysis *analysis);
/* The stretches of steps between changes of level of the job, if there are any, and S of each
 * (result->depth.culprits.levels), for hc_straggler_cause_find; with its interval of 95 %: Student's
 * t, over the steps of the stretch and over what all steps do to the ideals. */
enum hc_status hc_job_levels_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_step_picture_find(struct hc_whatif_analysis *analysis);
enum hc_status hc_step_durations_find(struct hc_whatif_analysis *analysis);

#endif
