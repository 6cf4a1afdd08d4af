/* whatif.h - the straggler what-if of one job: what stragglers cost, by replaying its steps with
 * and without them (Lin et al., OSDI'25, arXiv 2505.05713; docs/methods/straggler-whatif.md).
 *
 * Timelines of a step (and what the artifact calls them):
 * - traced: as recorded ("base")
 * - replayed: traced durations, no launch delays ("nodelay")
 * - ideal: every duration replaced by the ideal of its op type ("noblk")
 * - mixed: ideal but for one group of ops, or the other way round
 *
 * A step has two times: its span (latest end - earliest start over all ops) and its end (latest end
 * of an optimizer op, counted from the start of the step).
 * Ratios are of sums over steps, not means of ratios.
 */
#ifndef HC_SIM_WHATIF_WHATIF_H
#define HC_SIM_WHATIF_WHATIF_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/job_places.h"
#include "core/tables/op_type.h"
#include "core/tables/row_report.h"
#include "sim/replay/step_choice.h"
#include "sim/replay/step_trace.h"
#include "sim/whatif/whatif_depth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The slowdown, and the launch slowdown, from which on a job straggles (paper section 5). */
#define HC_STRAGGLING 1.1

struct hc_whatif_result;

/* Fixes to be replayed, each of the workers that its name means. */
struct hc_fix_request {
    size_t n;
    const char *const *names;
    /* Mark the workers that a name means: chosen [n_workers] is all 0 before. The result has
     * workers, places and job. HC_USAGE, with what there is, if it means none. */
    enum hc_status (*choose)(uint8_t *chosen, const struct hc_whatif_result *result,
                             const char *name, struct hc_error *err);
};

struct hc_whatif_options {
    struct hc_replay_options replay; /* steps, bad rows, threads */
    double threshold;                /* decompose when the overall ratio reaches it; 1.03 */
    unsigned depth;                  /* enum hc_depth bits: parts beyond the figures of the paper */
    int32_t picture_step;      /* HC_DEPTH_PICTURE: the step, or HC_MISSING_I32: that of median S */
    struct hc_fix_request fix; /* asks for HC_DEPTH_CAUSE */
};

/* S by the groups of one partition of the ops, each "only these ops keep their traced durations,
 * everything else is ideal" (blocking), or "only these keep their launch delays" (launch). These
 * are separate counterfactuals and do not add up. */
enum hc_partition { HC_BY_DP_RANK, HC_BY_STAGE, HC_BY_OP_TYPE, HC_N_PARTITIONS };

struct hc_split_group {
    int32_t id;       /* dp rank or stage; for op types the place in the partition */
    const char *name; /* of an op type ("forward-pp-comm" is send and recv together), else NULL */
    double slowdown;
    int64_t *end_ns; /* [n_steps] step end with this group put back */
};

struct hc_split {
    size_t n_groups; /* 0 when the decomposition was not done */
    struct hc_split_group *groups;
};

/* How much of the excess a set of ops explains (paper Eq. 5): rem by fixing it, add by breaking it.
 * Times are means over steps of the span, in seconds. */
struct hc_explained {
    bool done;
    double removed_s, added_s, replayed_s, ideal_s;
    double rem, add; /* NaN without excess: hc_whatif_excess_s(), or where it is not known */
};

struct hc_worker {
    int32_t rank, dp_rank, stage;
    double slowdown; /* min(S of its dp rank, of its stage): Eq. 4 approximated; NaN if not done */
    double exact;    /* Eq. 4 itself: only this worker traced, all else ideal; NaN if not done */
};

/* Above this simulation discrepancy the paper drops a job (paper section 6). */
#define HC_DISCREPANCY_LIMIT 0.05

struct hc_whatif_result {
    /* Sizes: of the metadata where it gave them, else of the trace, else missing. */
    struct hc_job job;
    int32_t dp_size, pp_size, vpp_size; /* of the trace */
    bool uses_dp, overlaps_dp;          /* DP collectives in the graph; separate-grads-all-reduce */
    int64_t n_ops;                      /* rows analysed */
    size_t n_structures;                /* different sets of ops among the analysed steps */
    size_t n_graph_ops, n_graph_edges, n_graph_groups, n_graph_roots; /* of the first one */

    size_t n_steps;                               /* analysed */
    int32_t *steps;                               /* ascending */
    int64_t *traced_ns, *replayed_ns, *ideal_ns;  /* [n_steps] spans */
    int64_t *replayed_end_ns, *ideal_end_ns;      /* [n_steps] ends */
    double *step_slowdown, *step_launch_slowdown; /* [n_steps] */
    /* Unix times at which the steps began [n_steps], or NULL where they are not known: of a trace
     * on a Unix clock, or counted from the start that the metadata gives. dates_are_estimated: of a
     * trace with a clock for each step, as if steps followed each other without a pause, and those
     * that the trace lacks took as long as its mean step. */
    int64_t *step_unix_ns;
    bool dates_are_estimated;

    size_t n_left_out; /* steps not analysed, with the reason */
    struct hc_left_out_step *left_out;

    double traced_s, replayed_s, ideal_s; /* mean span */
    double slowdown;                      /* S (Eq. 1) */
    double waste;                         /* 1 - 1/S (Eq. 3) */
    bool hides_waiting;     /* the trace shows transfers without the wait before: launch delays are
                               unknown, launch_slowdown is NaN, and there is no launch split */
    double launch_slowdown; /* traced span over replayed end */
    double discrepancy;     /* |mean replayed end - mean traced span| / mean traced span */
    int64_t delayed_error_ns; /* largest |traced - replayed with launch delays| over the steps */

    double threshold;
    struct hc_split blocking[HC_N_PARTITIONS], launch[HC_N_PARTITIONS];

    size_t n_workers;          /* dp_size * pp_size */
    struct hc_worker *workers; /* by dp rank, then stage */
    struct hc_job_places
        places;              /* hosts, GPUs and switches of the workers; names are those of job */
    int64_t *worker_end_ns;  /* [n_workers][n_steps] step end with only this worker traced, all else
                                ideal (over ideal_end_ns: its slowdown in that step); or NULL */
    struct hc_explained m_s; /* last stage; its shares are NaN with one stage */
    struct hc_explained m_w; /* the slowest 3 % of the workers; not done without decomposition */
    size_t n_slowest;
    int32_t *slowest; /* indices into workers, worst first */

    /* Of the types present; transfer time for communication. */
    int64_t ideal_duration_ns[HC_N_OP_TYPES];
    int64_t n_by_type[HC_N_OP_TYPES];          /* analysed rows of each type */
    int64_t clamped_transfers, clamped_delays; /* values <= -10 ms set to 0 */

    /* Cost of the analysed steps; 0 and NaN when the number of GPUs is not known. */
    int64_t n_gpus;
    double gpu_hours_traced; /* GPUs times traced spans */
    double gpu_hours_lost;   /* GPUs times (replayed - ideal spans): what stragglers took */

    struct hc_whatif_depth depth;
    struct hc_whatif_findings findings;

    struct hc_row_report rows; /* read, bad, ignored */
};

/* A trace of fewer rows than this is swept by one thread: it takes some 20 ms, and threads that
 * wait for each other between the sweeps would cost more time than they save. */
#define HC_LEAST_SHARED_ROWS (1 << 20)

/* Analyse a loaded trace. HC_BAD_INPUT when no step is left, or the graph is not valid. result is
 * filled on success only and then the caller's to hc_whatif_result_fini. */
enum hc_status hc_whatif_run(struct hc_whatif_result *result, struct hc_step_trace *trace,
                             const struct hc_whatif_options *options, struct hc_error *err);
void hc_whatif_result_fini(struct hc_whatif_result *result);

/* Find what follows from the rest of a result, anew where it was found before: the last part of
 * hc_whatif_run. HC_INTERNAL without memory. */
enum hc_status hc_whatif_find(struct hc_whatif_result *result, struct hc_error *err);

/* The name of a worker in a sentence: "rank 18 (dp 1, stage 2) on gpu-042, GPU 3"; where it stands
 * for several GPUs "rank 16 (dp 1, stage 2, with the 3 ranks after it) on gpu-042, GPUs 0 to 3".
 * Without a rank in the trace "the worker of dp 1, stage 2". Names of hosts are foreign text. */
#define HC_WORKER_NAME 208
void hc_worker_name(const struct hc_whatif_result *result, size_t worker,
                    char text[HC_WORKER_NAME]);

/* A step in a sentence: "step 114", with its date where that is known "step 114 (2026-11-21
 * 10:14:05 UTC)", "step 114 (about ... UTC)" where it is an estimate. */
#define HC_STEP_NAME 56
void hc_step_name(const struct hc_whatif_result *result, size_t step, char text[HC_STEP_NAME]);

/* What --fix takes to fix a culprit that is a host, dp rank, worker, slot or stage: "node:n2",
 * "rank:1,5,9,13". False where it is something else, or cannot be named so. */
#define HC_FIX_NAME 512
bool hc_culprit_fix_name(const struct hc_whatif_result *result, const struct hc_culprit *culprit,
                         char name[HC_FIX_NAME]);

/* The fix to try first: of the first culprit that has a name for it. False: there is none. */
bool hc_fix_to_try(const struct hc_whatif_result *result, char name[HC_FIX_NAME]);

/* The Unix time at which an analysed step began; HC_MISSING_I64 where it is not known. */
int64_t hc_step_unix_ns(const struct hc_whatif_result *result, size_t step);

/* Slowdown of one step with only this worker as traced; NaN when not known. */
double hc_worker_step_slowdown(const struct hc_whatif_result *result, size_t worker, size_t step);
/* The largest of these over the dp ranks of a stage, and over n stages of a dp rank; NaN when none
 * is known. */
double hc_stage_step_slowdown(const struct hc_whatif_result *result, size_t stage, size_t step);
double hc_dp_rank_step_slowdown(const struct hc_whatif_result *result, size_t dp_rank,
                                size_t first_stage, size_t n, size_t step);

/* Slowdown of one step with one group put back: of the groups of `blocking` over the ideal step, of
 * those of `launch` over the replayed one. */
double hc_blocking_step_slowdown(const struct hc_whatif_result *result,
                                 const struct hc_split_group *group, size_t step);
double hc_launch_step_slowdown(const struct hc_whatif_result *result,
                               const struct hc_split_group *group, size_t step);

/* rem and add as the artifact has them: shares of any excess but 0, however small or negative; NaN
 * where it is 0. */
struct hc_explained_shares {
    double rem, add;
};
struct hc_explained_shares hc_explained_of_any_excess(const struct hc_explained *explained);

/* The slowdown of the group of that name; NaN when there is none. */
double hc_split_group_slowdown(const struct hc_split *split, const char *name);

/* Whether any row is a send or receive between stages. */
bool hc_whatif_has_p2p(const struct hc_whatif_result *result);

/* The indices of n values by descending value; equal values keep their order, NaN comes last. The
 * caller frees it. NULL with err filled when memory is short. */
size_t *hc_descending(const double *values, size_t n, struct hc_error *err);

/* The index of the step of median slowdown: of two middle ones the faster, of equal ones the
 * earlier. Of no steps 0. */
enum hc_status hc_median_step(size_t *index, const struct hc_whatif_result *result,
                              struct hc_error *err);

/* Shares are given of an excess of at least this part of the ideal step. */
#define HC_LEAST_EXCESS 0.001

/* By how much the mean step is longer than the ideal one, of spans; NaN when by less than
 * HC_LEAST_EXCESS of it, or by no more than rounding gives: ideal durations are whole ns, so a path
 * of n ops is off by up to n / 2 ns. Shares of such an excess, or of a negative one, say nothing.
 */
double hc_whatif_excess_s(const struct hc_whatif_result *result);

#endif
