/* replay_jobs.h - a scenario on the step timelines of many jobs (/input/jobs): what it brings to
 * each of them, and to all.
 *
 * The scenario is run on each job by itself, as if `/input/job` named it, so that every figure of a
 * job is the one of that scenario alone. What is kept of a job is a row; the totals are a function
 * of the rows in their order, so that they depend on no thread. Whoever has the archive runs the
 * jobs (pipeline/study/) and asks here for the three things that only this engine knows:
 *
 *     const struct hc_node *jobs = hc_replay_asks_jobs(&scenario);        NULL: it is on one job
 *     hc_replay_job_document(&scenario, "c1/4711", &arena, err)           the scenario of one of
 * them hc_replay_job_know(&row, &one); hc_replay_job_take(&row, ...)       what became of it
 *     hc_replay_jobs_sum(&jobs, err)                                      after the last of them
 */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_JOBS_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_JOBS_H

#include "study/grammar/scenario_study.h"
#include "study/run/study_result.h"

#include <stdint.h>

/* ---- rows ---- */

/* What became of a job. Those after HC_JOB_NO_MEMORY are findings about the job and the scenario;
 * the three before are jobs that the answer lacks though it should have them. */
enum hc_job_fate {
    HC_JOB_ANSWERED,
    HC_JOB_UNREADABLE,  /* the system refused to read its segment: it may be whole */
    HC_JOB_DAMAGED,     /* its segment is missing or damaged */
    HC_JOB_NO_MEMORY,   /* memory was short for it */
    HC_JOB_NO_REPLAY,   /* no valid dependency graph, none of the steps asked for, ... */
    HC_JOB_DISCREPANCY, /* its replay is off its trace by more than max_discrepancy */
    HC_JOB_REFUSED,     /* the edits mean nothing in it: no such stage, worker, node, ... */
    HC_N_JOB_FATES
};

static inline bool hc_job_is_lacking(enum hc_job_fate fate)
{
    return fate == HC_JOB_UNREADABLE || fate == HC_JOB_DAMAGED || fate == HC_JOB_NO_MEMORY;
}

/* "answered", "unreadable", "damaged", "no_memory", "no_replay", "discrepancy", "refused". */
const char *hc_job_fate_key(int fate);

/* Of the scenario or one of its variants, the figures of the same names. gained_gpu_h is NaN where
 * the number of GPUs is not known. */
struct hc_replay_job_run {
    bool is_untouched; /* it applies no edits: the job as it was, replayed */
    struct hc_study_value step_s, change, slowdown, recovered, gained_gpu_h;
};

#define HC_REPLAY_MOST_EDITS 256 /* of a scenario, as its table of keys has it */

struct hc_replay_job {
    const char *cluster, *job_id; /* the archive's */
    int32_t attempt;
    const char *segment_sha256; /* the archive's */
    enum hc_job_fate fate;
    char detail[400]; /* why it was not answered, or "" */

    /* Of the untouched job, where its steps were read; else missing, 0 and NaN. */
    int64_t n_gpus; /* 0: not known */
    int32_t dp_size, n_stages;
    int64_t n_steps;
    double discrepancy;                     /* replayed over traced, less 1 */
    double untouched_s, untouched_slowdown; /* of a step, replayed */
    double gpu_h;                           /* of the steps replayed; NaN without n_gpus */

    struct hc_replay_job_run *run;             /* [n_runs] of jobs that were answered; else NULL */
    uint64_t empty[HC_REPLAY_MOST_EDITS / 64]; /* bit e: the e-th edit selects none of its ops */
};

/* ---- totals ---- */

/* Of a run over the jobs that were answered. Where the GPUs of a job are not known it counts as a
 * job only. */
struct hc_replay_jobs_total {
    bool is_untouched;         /* in every job */
    size_t n_faster, n_slower; /* jobs whose interval of the change leaves out nought */
    size_t n_open;             /* the others */
    double median_change;      /* over jobs */
    size_t best, worst;        /* rows with the least and the largest change; HC_STUDY_NONE */
    double gained_gpu_h;       /* sum over jobs */
    double change; /* of all: less what is gained over the GPU-hours of the same steps before */
};

struct hc_replay_jobs {
    const char *archive;  /* path */
    const char *where;    /* NULL: every job */
    const char *name;     /* of the scenario: file name without directory and ending */
    const char *question; /* or NULL */
    const char *scenario; /* resolved, as JSON on one line */
    const char *run_id;   /* where it is one of several files; or NULL */
    double confidence;    /* of the intervals of a job */
    const struct hc_study_input *inputs; /* files of the scenario */
    size_t n_inputs;

    size_t n_in_archive; /* jobs that there are to choose from */
    size_t n_jobs;
    struct hc_replay_job *job; /* [n_jobs] by cluster and id */
    size_t n_runs;
    const char *const *run_name; /* [n_runs] "base", then the variants */
    size_t n_edits;
    const char *const *edit_name; /* [n_edits] */

    /* By hc_replay_jobs_sum. */
    size_t n_of[HC_N_JOB_FATES];
    size_t n_gpus_unknown;              /* of the jobs that were answered */
    double gpu_h;                       /* of the steps replayed of the others */
    struct hc_replay_jobs_total *total; /* [n_runs] */
    size_t *n_empty;                    /* [n_edits] jobs in which the edit selects nothing */
};

/* ---- the scenario ---- */

/* `/input/jobs` of a scenario of this engine; NULL: it is on one job, or could not be read. */
const struct hc_node *hc_replay_asks_jobs(const struct hc_scenario *scenario);

/* The condition in it, or NULL. */
const struct hc_node *hc_replay_jobs_where(const struct hc_scenario *scenario);

/* The document of the scenario on one of its jobs, for hc_scenario_request.document: places are
 * those of the scenario. NULL with err filled without memory. */
struct hc_node *hc_replay_job_document(const struct hc_scenario *scenario, const char *job,
                                       struct hc_arena *arena, struct hc_error *err);

/* ---- rows and totals ---- */

/* What is asked, and rows for n_jobs, of which nothing is known yet; memory but that of the rows is
 * the scenario's. Release with hc_replay_jobs_fini in any case. */
enum hc_status hc_replay_jobs_init(struct hc_replay_jobs *jobs, struct hc_scenario *scenario,
                                   const struct hc_study *study, size_t n_jobs,
                                   struct hc_error *err);

/* What is known of the job before a run: nothing where its steps were not read. */
void hc_replay_job_know(struct hc_replay_job *job, const struct hc_scenario *one);

/* The fate of a job that the scenario complains of, and why. */
void hc_replay_job_refuse(struct hc_replay_job *job, const struct hc_scenario *one);

/* What the scenario brings to the job. HC_INTERNAL without memory. */
enum hc_status hc_replay_job_take(struct hc_replay_job *job, const struct hc_replay_jobs *jobs,
                                  const struct hc_study_result *result, struct hc_error *err);

void hc_replay_job_discard(struct hc_replay_job *job, enum hc_job_fate fate, const char *why);

enum hc_status hc_replay_jobs_sum(struct hc_replay_jobs *jobs, struct hc_error *err);

/* Free the rows and the totals; texts are their owners'. */
void hc_replay_jobs_fini(struct hc_replay_jobs *jobs);

#endif
