/* lifetime_result.h - what a study of lifetimes gave beside its figures: the account of GPU-time,
 * faults by cause, lengths of stops, closed forms, other jobs of the pool, ETTR over time and one
 * life. It is the `detail` of each run; only the views of lifetimes read it. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_RESULT_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_RESULT_H

#include "sim/lifetime/lifetime.h"
#include "sim/lifetime/lifetime_trace.h"
#include "study/run/study_result.h"

#include <string.h>

/* What theory says of a config, where its assumptions hold near enough to be shown; else NaN. */
struct hc_study_reference {
    double mttf_s;     /* exposure per stop: 1 / sum of the rates ... */
    bool is_long_run;  /* ... which new nodes of times that are not exponential come to late */
    double ettr_exact; /* docs/methods/lifetime.md, "Against closed forms" */
    double ettr_first_order; /* as published (arXiv 2410.21680) */
    double young_interval_s;
    const char *outside; /* what of the scenario the closed form of the ETTR does not know, as "a
                            pool with an end"; NULL: nothing */
};

/* Several jobs on one pool: each by itself, the first is the one that the values of the run are of.
 * Those of the run have the free nodes of the pool as well; here they stand apart. */
struct hc_study_job {
    const char *name;
    int32_t nodes, priority;
    struct hc_study_value *value; /* [n_columns] */
};
struct hc_study_jobs {
    struct hc_study_job *job;
    size_t n_jobs;
    struct hc_study_value pool_idle_gpu_h;
    struct hc_study_value total_gpu_h; /* of all jobs and the pool */
};

struct hc_life_detail {
    const struct hc_lifetime_config *config;
    struct hc_lifetime_summary summary;
    struct hc_study_reference reference;
    struct hc_lifetime_curve *curve;   /* NULL: none */
    const struct hc_study_jobs *jobs;  /* NULL: one job */
    struct hc_lifetime_trace *life;    /* of the base; NULL: none */
    struct hc_life_findings *findings; /* what views show of all this: lifetime_findings.h */
};

/* The detail of a run; NULL when it is of another engine. */
static inline struct hc_life_detail *hc_life_run_detail(const struct hc_study_run *run)
{
    return run->detail && strcmp(run->engine, "lifetime") == 0 ? run->detail : NULL;
}

#endif
