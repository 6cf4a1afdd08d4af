/* compare.h - two step timelines: what changed from A to B, and whether it got better
 * (docs/methods/compare.md).
 *
 * All differences are B less A. A and B are two independent samples of steps: of two jobs, of two
 * runs of a job, or of one run before and after something was done.
 */
#ifndef HC_SIM_COMPARE_COMPARE_H
#define HC_SIM_COMPARE_COMPARE_H

#include "core/base/status.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an analysis has to find (hc_whatif_options) so that it can be compared: every part but those
 * that no comparison shows, and the decomposition whatever the slowdown is. */
#define HC_COMPARE_DEPTH                                                                           \
    (HC_DEPTH_WORKERS | HC_DEPTH_INTERVALS | HC_DEPTH_CAUSE | HC_DEPTH_DURATIONS)
#define HC_COMPARE_THRESHOLD 0

#define HC_COMPARE_LEVEL 0.95

/* Whether the steps show a change. Of the n figures of a table that were compared, each is asked at
 * the level 1 - 0.05 / n (Bonferroni), so that one table in twenty shows a change where there is
 * none, however many rows it has. */
enum hc_change_sign { HC_CHANGE_UNKNOWN, HC_CHANGE_NONE, HC_CHANGE_UP, HC_CHANGE_DOWN };

struct hc_change {
    double a, b;                                  /* NaN: not known */
    double difference, low, high;                 /* B - A with its 95 % interval; NaN: not known */
    double relative, relative_low, relative_high; /* B over A, less 1, above -1; NaN where A or B is
                                                     not above 0 */
    enum hc_change_sign sign;
    bool is_by_range; /* no step of A is as long as one of B, or the other way round; nothing else
                         shows the change */
};

/* ---- the job as a whole ---- */

enum hc_compared_figure {
    HC_COMPARED_STEP,     /* mean span of a step as traced, s */
    HC_COMPARED_REPLAYED, /* without launch delays, s */
    HC_COMPARED_IDEAL,    /* without stragglers, s; without an interval */
    HC_COMPARED_SLOWDOWN, /* S */
    HC_COMPARED_WASTE,    /* 1 - 1/S */
    HC_COMPARED_LAUNCH,   /* launch slowdown */
    HC_COMPARED_M_W,
    HC_COMPARED_M_S,
    HC_N_COMPARED
};

/* ---- sides that change within ---- */

struct hc_step_range {
    double least, most; /* mean step: of a single one, s */
};

/* Steps of one side that follow each other, held against all steps of the other side. Of a side
 * that changes its level its stretches are all of its steps; of one that drifts, those that lie
 * beyond the other side, where the mean step shows no change. */
struct hc_compared_stretch {
    bool in_b;
    size_t first, last; /* by their place in hc_whatif_result.steps of the side */
    double mean_s;
    enum hc_change_sign sign; /* UP: slower than the other side, whichever this one is */
};

/* ---- its parts ---- */

struct hc_compared_type {
    int op_type;
    struct hc_change duration_s; /* mean of an op; of communication, of its transfer */
    struct hc_change busy_s;     /* time that a worker spends in its ops in a step, mean of all */
    double share_a, share_b;     /* busy_s over the mean span of a step */
    double ideal_a_s, ideal_b_s; /* ideal duration of an op; NaN where there is none */
};

struct hc_compared_stage {
    int32_t stage;
    struct hc_change forward_s, backward_s; /* mean duration of a pass */
    struct hc_change slowdown;              /* S with only this stage as traced */
};

struct hc_compared_worker {
    int32_t dp_rank, stage, rank_a, rank_b; /* ranks: HC_MISSING_I32 without rows */
    const char *host_a, *host_b;            /* of the metadata, or NULL */
    struct hc_change forward_s, backward_s; /* mean duration of a pass */
    struct hc_change pass_ratio; /* time of its passes over what the middle dp rank of its stage
                                    takes in the same step; NaN with one dp rank */
    struct hc_change slowdown;   /* exact S with only this worker as traced */
};

struct hc_compared_host {
    const char *host;
    size_t workers_a, workers_b; /* 0: not in that job */
    struct hc_change pass_ratio; /* of all its workers together */
};

/* ---- causes ---- */

enum hc_culprit_change {
    HC_CULPRIT_GONE,
    HC_CULPRIT_NEW,
    HC_CULPRIT_STRONGER,
    HC_CULPRIT_WEAKER,
    HC_CULPRIT_SAME,
    HC_CULPRIT_UNSURE, /* named in one trace only, and its passes show no change, or it is not known
                           whether the other has such a part */
    HC_N_CULPRIT_CHANGES
};

/* A culprit of A, of B, or of both. */
struct hc_compared_culprit {
    enum hc_culprit_change change;
    const struct hc_culprit *a, *b;                  /* NULL: not in that trace */
    char name[sizeof((struct hc_culprit *)0)->name]; /* as in B, else as in A */
    struct hc_change factor; /* how many times as long its ops take, while it is slow */
    struct hc_change duty;   /* share of the steps in which it is slow */
};

/* ---- all of it ---- */

enum hc_comparison_verdict {
    HC_VERDICT_FASTER, /* B is */
    HC_VERDICT_SLOWER,
    HC_VERDICT_MIXED,  /* A or B changes within, and a part of it is faster or slower */
    HC_VERDICT_SAME,   /* no difference that the steps can show */
    HC_VERDICT_UNSURE, /* too few steps to say */
    HC_N_COMPARISON_VERDICTS
};

#define HC_COMPARE_NOTE 320

struct hc_comparison {
    const struct hc_whatif_result *a, *b; /* not owned; they outlive the comparison */
    enum hc_comparison_verdict verdict;   /* of the mean step, and of stretches */
    char sentence[960];                   /* "did it get better?", answered: "HEAD: DETAIL" */
    size_t detail;                        /* where in it DETAIL begins */
    struct hc_change figures[HC_N_COMPARED];
    struct hc_step_range range[2]; /* of A and of B */
    size_t n_stretches;
    struct hc_compared_stretch *stretches; /* of A, then of B, each in the order of its steps */
    size_t n_types, n_stages, n_workers, n_hosts, n_culprits;
    struct hc_compared_type *types;       /* that A or B has, by name */
    struct hc_compared_stage *stages;     /* none where the jobs have other numbers of them */
    struct hc_compared_worker *workers;   /* by dp rank, then stage; none where dp or pp differ */
    struct hc_compared_host *hosts;       /* by name; none without nodes in the metadata of both */
    struct hc_compared_culprit *culprits; /* what is gone, new, stronger, weaker, the same */
    bool has_culprits;                    /* both analyses looked for them */
    size_t n_notes;
    char (*notes)[HC_COMPARE_NOTE]; /* what cannot be compared, and what to keep in mind */
};

/* Compare two analyses, made with HC_COMPARE_DEPTH and HC_COMPARE_THRESHOLD. is_same_source: of one
 * and the same source, so that they may share steps. Filled on success only, and then the caller's
 * to hc_comparison_fini. */
enum hc_status hc_compare(struct hc_comparison *comparison, const struct hc_whatif_result *a,
                          const struct hc_whatif_result *b, bool is_same_source,
                          struct hc_error *err);
void hc_comparison_fini(struct hc_comparison *comparison);

/* "faster", "slower", "mixed", "same", "unsure"; "up", "down", "no", "unknown"; "gone", "new", ...:
 * for JSON and CSV. */
const char *hc_comparison_verdict_key(enum hc_comparison_verdict verdict);
const char *hc_change_sign_key(enum hc_change_sign sign);
const char *hc_culprit_change_key(enum hc_culprit_change change);

#endif
