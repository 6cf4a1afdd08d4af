/* whatif_depth.h - what a straggler what-if says beyond the figures of the paper: how sure they
 * are, what a fix would bring, what the likely cause is (docs/methods/straggler-depth.md).
 *
 * Each part is found by a file of its own in this wing, from the lanes of one analysis, and is not
 * done (zeroed) when the options leave it out or the trace cannot give it.
 */
#ifndef HC_SIM_WHATIF_WHATIF_DEPTH_H
#define HC_SIM_WHATIF_WHATIF_DEPTH_H

#include "sim/whatif/culprits.h"
#include "sim/whatif/straggler_causes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of the analysis, as bits of hc_whatif_options.depth. */
enum hc_depth {
    HC_DEPTH_WORKERS = 1 << 0,   /* exact slowdown of every worker, and of every step of it */
    HC_DEPTH_FIXES = 1 << 1,     /* fix curves */
    HC_DEPTH_SHAPLEY = 1 << 2,   /* Shapley values over op types */
    HC_DEPTH_INTERVALS = 1 << 3, /* intervals of 95 % */
    HC_DEPTH_CAUSE = 1 << 4,     /* the verdict with its evidence */
    HC_DEPTH_PICTURE = 1 << 5,   /* one step, traced against ideal, op by op */
    HC_DEPTH_DURATIONS = 1 << 6, /* durations summed by step, for comparisons */
    HC_DEPTH_ALL =
        HC_DEPTH_WORKERS | HC_DEPTH_FIXES | HC_DEPTH_SHAPLEY | HC_DEPTH_INTERVALS | HC_DEPTH_CAUSE
};

/* ---- intervals (sim/whatif/intervals.c) ---- */

struct hc_interval {
    double low, high; /* NaN when it cannot be given */
};

/* Of fewer steps no interval is given: done is false, and n_steps says why. */
#define HC_INTERVALS_LEAST_STEPS 10

/* Why an interval is not given. */
enum hc_interval_lack {
    HC_INTERVAL_GIVEN,
    HC_INTERVAL_NO_FIGURE, /* what it would be of was not found */
    HC_INTERVAL_NO_EXCESS, /* the excess is small or 0, and a share of it anything */
    HC_INTERVAL_TOO_FEW,   /* the excess lies in too few of the steps */
    HC_INTERVAL_TOO_CLOSE, /* the steps follow each other too closely */
    HC_INTERVAL_CHANGES    /* the job changes its level: S of the stretches has intervals */
};

struct hc_interval_reason {
    enum hc_interval_lack lack;
    double correlation; /* of what a step does to the figure with what the next one does */
    char text[200];     /* the lack in words; "" when the interval is given */
};

/* From how the steps differ. */
struct hc_intervals {
    bool done;
    double level;   /* 0.95 */
    size_t n_steps; /* that differ */
    /* With 95 % probability a fault that the trace does not show comes in no more of the steps. */
    double unseen_share;
    struct hc_interval slowdown, m_w, m_s;
    struct hc_interval_reason slowdown_reason, m_w_reason, m_s_reason;
};

/* ---- fix curves (sim/whatif/fix_curve.c) ---- */

enum hc_fix_kind { HC_FIX_WORKERS, HC_FIX_STAGES, HC_FIX_OP_TYPES, HC_N_FIX_KINDS };

struct hc_fix_point {
    size_t n_fixed;   /* the worst so many are ideal together, all other ops as traced */
    double step_s;    /* mean span of a step, as hc_explained.removed_s */
    double recovered; /* share of the excess replayed - ideal that is gone; NaN without excess */
};

struct hc_fix_curve {
    size_t n_groups; /* that can be fixed; 0: not done */
    int32_t *order;  /* [n_groups] worst first: index into workers, stage, or op type group */
    size_t n_points; /* n_fixed ascending from 0 to n_groups; not every number between */
    struct hc_fix_point *points;
    size_t knee; /* index into points: fixing more brings little; 0 when there is none */
};

/* ---- Shapley values (sim/whatif/shapley.c) ---- */

struct hc_shapley_share {
    const char *name; /* op type group, as in blocking[HC_BY_OP_TYPE], or "other types" */
    size_t n_types;   /* that share this value: 1 but for "other types" */
    double seconds;   /* of the mean span of a step; they add up to replayed - ideal */
    double share;     /* of their sum; NaN without excess (hc_whatif_find) */
};

struct hc_shapley {
    bool done;
    int64_t n_sweeps; /* coalitions replayed: all of them, so the values are exact */
    size_t n_groups;
    struct hc_shapley_share *groups; /* largest effect first, "other types" last */
};

/* ---- cause (sim/whatif/cause/straggler_cause.c) ---- */

/* One test: its figure, the limit it is held against, and what that means in words. */
struct hc_evidence {
    enum hc_straggler_cause cause; /* that it speaks for when passed */
    const char *key;               /* "m_w", "m_stage", "r_forward_backward", ...: a JSON key */
    double value, limit;           /* value NaN: not known; passed when value >= limit */
    bool passed;
    char text[400]; /* "1.002 of the excess goes when rank 0 (dp 0, stage 0) is fixed" */
};

#define HC_MAX_EVIDENCE 16

/* Pauses: passes that take far longer than their worker and microbatch say
 * (sim/whatif/cause/pauses.c). Garbage collection stops forward passes only. */
struct hc_pauses {
    bool done;
    int64_t n[2];              /* forward, backward */
    double excess_s[2];        /* in all steps */
    size_t n_workers, n_steps; /* that have a pause in a forward pass */
    /* Steps in which nearly all workers pause, as a job makes them do that collects garbage at
     * steps of its choice, and the forward pauses of these steps. */
    size_t n_planned_steps;
    int64_t n_planned;
};

struct hc_verdict {
    bool done;
    enum hc_straggler_cause cause;
    size_t n_also; /* further causes whose tests pass besides, by weight */
    enum hc_straggler_cause also[HC_N_STRAGGLER_CAUSES];
    char text[1536]; /* the verdict in words: "CAUSE: DETAIL; besides: CAUSE, CAUSE" */
    size_t detail;   /* where in text DETAIL begins */
    size_t n_evidence;
    struct hc_evidence evidence[HC_MAX_EVIDENCE]; /* all tests, also those that fail */
    struct hc_pauses pauses;
    size_t n_stages;
    double *pass_correlation; /* [n_stages] Pearson r of forward against backward; NaN: unknown */
    int64_t *n_pass_pairs;    /* [n_stages] */
};

/* Whether a verdict names the cause, as the first or besides. */
bool hc_verdict_names(const struct hc_verdict *verdict, enum hc_straggler_cause cause);

/* ---- one step as a picture (sim/whatif/step_picture.c) ---- */

struct hc_picture_op {
    int32_t op_type, seq_id, stage, model_chunk, microbatch, dp_rank, rank;
    /* From the start of the step. Of communication only the transfer is shown, not the wait before
     * it. */
    int64_t traced_start_ns, traced_ns, ideal_start_ns, ideal_ns;
};

struct hc_step_picture {
    bool done;
    int32_t step;
    int64_t traced_span_ns, ideal_span_ns;
    size_t n_ops;
    struct hc_picture_op *ops; /* by dp rank, stage, traced start */
};

/* ---- durations by step (sim/whatif/step_durations.c) ---- */

/* Sums over the ops of a step; of communication, of the transfer times. */
struct hc_step_durations {
    bool done;
    double *type_ns; /* [HC_N_OP_TYPES][n_stages][n_steps] over all dp ranks */
    double *n_ops;   /* the same shape: how many ops that are */
    double *pass_ns; /* [2][n_workers][n_steps] of a worker: forward passes, backward passes */
};

/* ---- fixes that were asked for (sim/whatif/asked_fixes.c) ---- */

/* What the job would gain if all that is slow on some workers were as it should be. A culprit is
 * fixed for its members that are chosen; transfers are, when a worker is that they are slow
 * because of. So fixing exactly the members of a culprit, if they have no other, saves its alone_s.
 */
struct hc_asked_fix {
    const char *name;        /* as it was asked, "node:n0"; owned by the options */
    uint8_t *chosen;         /* [n_workers] */
    size_t n_chosen;         /* workers */
    size_t n_culprits;       /* that a chosen worker belongs to */
    double saved_s;          /* of the mean step without launch delays */
    double launches_saved_s; /* of the mean step as traced, by late launches; NaN: hidden waiting */
};

/* ---- what follows from all of it (sim/whatif/whatif_findings.c) ---- */

/* Whether it is the same worker that is the worst in every step. */
struct hc_wander {
    size_t n_workers;     /* that are the worst of some step; 0: not known */
    size_t most, n_steps; /* the worker that is the worst most often, and in how many steps */
    /* The share of the excess that the worst worker of each step brings alone, and the share that
     * the second worst of each brings alone. NaN without excess. */
    double share, next_share;
    /* Of what the worst workers bring, each in its steps: the largest part of one worker, and over
     * how many workers it is spread (the inverse of the sum of squared parts). So steps of little
     * excess count little. NaN without excess. */
    double most_share, n_effective;
};

struct hc_whatif_findings {
    size_t *steps;               /* [n_steps] by descending slowdown */
    double median_step_slowdown; /* NaN without steps */
    /* What a picture shows, or would show if it was asked for: the step that was drawn, else that
     * of median slowdown. Missing without steps. */
    int32_t picture_step;
    bool has_exact;          /* the exact slowdown of every worker is known */
    double *worker_slowdown; /* [n_workers] exact where has_exact, else approximated */
    size_t *workers;         /* [n_workers] by these, descending; NaN last */
    /* Of the workers of m_w, the first n_outstanding stand out among all of them: what they are
     * slower than the median worker is more than noise, and not far below that of the worst. */
    size_t n_outstanding;
    /* By its slowest worker, the slowest dp rank, and the one in the middle of the order. */
    int32_t worst_dp_rank, typical_dp_rank;
    /* The largest difference of exact and approximated slowdowns, and its worker; NaN where no
     * worker has both. */
    double approximation_error;
    size_t approximation_worst;
    struct hc_wander wander;
    bool wanders;     /* no worker is the worst in more than half of the steps */
    double shapley_s; /* the sum of the Shapley values, for a mean step */
};

struct hc_whatif_depth {
    struct hc_fix_curve fixes[HC_N_FIX_KINDS];
    struct hc_shapley shapley;
    struct hc_intervals intervals;
    struct hc_verdict verdict;
    struct hc_culprits culprits;
    size_t n_asked_fixes;
    struct hc_asked_fix *asked_fixes; /* as they were asked */
    struct hc_step_picture picture;
    struct hc_step_durations durations;
};

void hc_whatif_findings_fini(struct hc_whatif_findings *findings);

#endif
