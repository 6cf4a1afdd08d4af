/* replay_result.h - what a scenario on a step timeline gave beside its figures: what each edit did,
 * the steps one by one, what their length is made of, who has slack, and what is gained. It is the
 * `detail` of each run; the views of replays show it and compute nothing. */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_RESULT_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_RESULT_H

#include "core/tables/op_type.h"
#include "sim/profiles/profile_timeline.h"
#include "sim/replay/timeline.h"
#include "study/run/study_result.h"

#include <string.h>

/* What an edit did, of the first draw; s in the mean of a step, over all workers. */
struct hc_replay_effect {
    const char *name;
    int64_t n_selected;       /* ops of all steps that it is for */
    bool is_plan;             /* it gives the job another plan: all ops are others */
    int64_t n_changed;        /* of all ops, those that last longer or shorter by it */
    double before_s, after_s; /* time of these, before it and after */
    double delay_s;           /* launches later by it, together */
    double extra_s;           /* steps longer by it as a whole, as while a worker is replaced */
    const char *ideal; /* of a pause: whether the ideal of the variant has it, in words; NULL:
                          it is none */
};

struct hc_replay_config; /* study/engines/replay/replay_wing.h */
struct hc_replay_findings;

/* Parts of the critical path: op types, and after them launch delays, and what a step takes longer
 * as a whole, as while a worker is replaced. */
#define HC_REPLAY_DELAY   HC_N_OP_TYPES
#define HC_REPLAY_EXTRA   (HC_N_OP_TYPES + 1)
#define HC_REPLAY_N_PARTS (HC_N_OP_TYPES + 2)

/* What these are called, of what kind of traces; NULL: there is no such part. Profiler traces have
 * parts of their own (enum hc_path_part, then the start of the rank on which the path begins), as
 * many groups, and ranks for workers. */
const char *hc_replay_part_name(const struct hc_replay_findings *found, int part);

/* The same parts, as few as a picture has colours. */
enum hc_replay_group {
    HC_GROUP_FORWARD,
    HC_GROUP_BACKWARD,
    HC_GROUP_BETWEEN_STAGES,
    HC_GROUP_ALL_GATHER,
    HC_GROUP_REDUCE_SCATTER,
    HC_GROUP_REDUCTIONS,
    HC_GROUP_OPTIMIZER,
    HC_GROUP_GC,
    HC_GROUP_DELAY,
    HC_GROUP_EXTRA,
    HC_REPLAY_N_GROUPS
};
const char *hc_replay_group_name(const struct hc_replay_findings *found, int group);

/* Of a worker, s a step. */
struct hc_replay_worker {
    int32_t dp_rank, stage, rank; /* rank: HC_MISSING_I32 where the trace has none */
    double untouched_s, run_s;    /* of the critical path of the untouched job, and of this run;
                                     NaN, as its slack, where the plan has no such worker */
    double slack_s;               /* the least slack of its ops in a step, mean over steps */
    double untouched_slack_s;     /* the same of the untouched job */
    double tight;                 /* share of steps in which it has none */
};

/* Times over steps, s. */
enum hc_replay_rank { HC_STEP_LEAST, HC_STEP_MEDIAN, HC_STEP_P95, HC_STEP_MOST, HC_N_STEP_RANKS };
const char *hc_replay_rank_name(int rank);

struct hc_replay_step_times {
    size_t n;
    const int32_t *number;                 /* [n] in the trace */
    double *untouched_s, *run_s, *ideal_s; /* [n] span replayed, with the edits, and their ideal */
    double untouched_rank_s[HC_N_STEP_RANKS], run_rank_s[HC_N_STEP_RANKS];
};

/* GPU-hours; NaN where the number of GPUs is not known. */
struct hc_replay_gain {
    double replayed_gpu_h;  /* over the steps replayed */
    int64_t n_period_steps; /* from the first to the last of the trace, those left out among them */
    double period_gpu_h;    /* over these: extrapolated at the gain of a replayed one */
};

/* A step of the untouched job and of a run, op by op. */
struct hc_replay_picture {
    const char *run; /* its name */
    int32_t step;
    struct hc_timeline_source source, edited_source;
    struct hc_timeline_step untouched, edited; /* edited: without ops where there are no edits */
};

/* The same of profiler traces, whose slices come as they are asked for. */
struct hc_replay_profile_picture {
    const char *run;
    const struct hc_job *job;
    int64_t step; /* its number; HC_MISSING_I64: the trace is one */
    bool has_edits;
    const struct hc_replay_config *config; /* of the run */
};
enum hc_status hc_replay_picture_each(const struct hc_replay_profile_picture *picture,
                                      bool is_edited, hc_profile_slice_sink *sink, void *context,
                                      struct hc_error *err);

/* A figure with the interval of a bootstrap over blocks of steps. */
#define HC_REPLAY_N_BOOTSTRAPPED 4
struct hc_replay_bootstrapped {
    const char *figure;
    double value, low, high;
};

struct hc_replay_findings {
    double discrepancy, max_discrepancy; /* of the untouched job: replayed over traced, less 1 */
    bool is_profile;                     /* of profiler traces */
    bool draws;                          /* random numbers matter */
    struct hc_replay_effect *effect;     /* [n_effects] in the order in which they are applied */
    size_t n_effects;
    struct hc_replay_step_times steps;
    double untouched_s, run_s; /* mean span of a step: what the parts of the path sum to */
    double untouched_slowdown; /* S of the untouched job */
    double untouched_part_s[HC_REPLAY_N_PARTS], part_s[HC_REPLAY_N_PARTS]; /* s a step */
    double untouched_group_s[HC_REPLAY_N_GROUPS], group_s[HC_REPLAY_N_GROUPS];
    struct hc_replay_worker *worker; /* [n_workers] */
    size_t n_workers, n_stages; /* of the larger of both plans, where the edits make another: worker
                                   (d, s) is at d * n_stages + s */
    size_t *by_slack;           /* [n_by_slack] indices of those of the run, least slack first */
    size_t n_by_slack;
    struct hc_replay_gain gain;
    size_t n_stops; /* edits of the scenario that stop workers, applied in this run or not */
    struct hc_replay_stop {
        const char *edit;
        int32_t step;
        double at_s, last_completed_s, stops_s, lost_s, timeout_s;
    } * stop;
    size_t n_bootstrapped; /* 0: not asked for */
    struct hc_replay_bootstrapped bootstrapped[HC_REPLAY_N_BOOTSTRAPPED];
    struct hc_replay_picture *picture;                 /* of the first run; NULL: none was drawn */
    struct hc_replay_profile_picture *profile_picture; /* likewise */
};

struct hc_replay_detail {
    const struct hc_replay_config *config;
    struct hc_replay_findings findings;
};

/* The findings of a run; NULL when it is of another engine. */
static inline const struct hc_replay_findings *
hc_replay_run_findings(const struct hc_study_run *run)
{
    return run->detail && strcmp(run->engine, "replay") == 0
               ? &((const struct hc_replay_detail *)run->detail)->findings
               : NULL;
}

#endif
