/* lifetime_findings.h - what only this engine has to tell of a run, ready to be shown: where the
 * GPU-time went, by state, reason and cause; how long stops are; what happened how often; ETTR over
 * time, and one life. The views of lifetimes show it and compute nothing. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_FINDINGS_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_FINDINGS_H

#include "study/engines/lifetime/lifetime_life.h"
#include "study/engines/lifetime/lifetime_result.h"
#include "study/grammar/scenario_node.h"

/* A leaf of the account that has anything in it. */
struct hc_life_leaf {
    const char *what, *why; /* names of the account: "startup.load", "infrastructure" */
    double gpu_h, share;    /* of a life in the mean; of all */
};

/* The leaves of one what, for people. */
struct hc_life_what {
    enum hc_what what; /* HC_WHAT_COUNT: the sum of all */
    const char *title;
    double gpu_h, share, money;     /* money: NaN without a price */
    double why_gpu_h[HC_WHY_COUNT]; /* NaN: nothing */
};

/* A line of the account as a tree: groups of whats, whats, whys. */
struct hc_life_branch {
    int depth;
    const char *name; /* "startup", "startup.load", "infrastructure" */
    double gpu_h, share;
};

struct hc_life_cause {
    const char *name, *class; /* class: explicit, implicit, manual; NULL where it has none */
    struct hc_study_value faults;
    double unproductive_s;        /* lost and stood for it, of a life */
    double share;                 /* of all unproductive time */
    double unproductive_of_one_s; /* NaN where none struck */
};

/* A stage of recovery, without the first start. */
struct hc_life_stage {
    enum hc_life_state state;
    double of_stop_s;    /* wall time of a stop: GPU-time over all GPUs and all stops */
    double gpu_h, share; /* of a life; of all that is not productive */
};

struct hc_life_tally {
    const char *name, *title; /* "late_finds", "silent corruptions found" */
    struct hc_study_value value;
};

/* A list of what is more than nought, longest first; equal ones by name. */
#define HC_LIFE_RANKED 20
struct hc_life_item {
    const char *name; /* NULL: several, the last ones of a long list */
    int of;           /* by stage: enum hc_life_state; else index of the cause; -1: none, several */
    size_t n;         /* 1, or how many they are together */
    double value;
    double share; /* of the sum; 0 where values cannot be added up */
};
struct hc_life_ranking {
    struct hc_life_item *item;
    size_t n;     /* items: at most HC_LIFE_RANKED */
    size_t n_all; /* of which they are */
};

/* Lengths of all stops of all lives; n 0: nothing stopped. */
struct hc_life_stops {
    uint64_t n;
    double p50_s, p90_s, p99_s, longest_s;
};

struct hc_life_findings {
    int32_t nodes, gpus_per_node;
    double work_s, horizon_s; /* work_s 0: it runs up to the horizon */
    double save_every_s;      /* fixed interval of checkpoints, else 0 */
    uint64_t n_lives, n_finished, n_starved;

    double gpu_h; /* all that was held, of a life */
    struct hc_life_leaf *leaf;
    size_t n_leaves;
    struct hc_life_what *what; /* those with anything in them, then the sum */
    size_t n_whats;
    bool has_why[HC_WHY_COUNT];
    struct hc_life_branch *branch;
    size_t n_branches;
    double state_gpu_h[HC_STATE_COUNT]; /* of a life */
    double unproductive_gpu_h;          /* sum of the states but the productive */
    double unproductive_money;          /* NaN without a price */

    struct hc_life_cause *cause; /* [n_causes] in the order of the scenario */
    size_t n_causes;
    double unproductive_s;      /* of a life, all causes and none */
    struct hc_life_cause other; /* what has no cause, nor name: first start, planned stops, saves */
    struct hc_life_stage *stage;
    size_t n_stages;
    struct hc_life_ranking by_stage; /* unproductive GPU-hours by leaf of the account */
    struct hc_life_ranking by_cause; /* unproductive seconds; of no cause: start, plans, saves */
    struct hc_life_ranking fault_counts;  /* faults of a life by cause */
    struct hc_life_ranking fault_lengths; /* unproductive seconds of one fault by cause: the
                                             longest, the others are left out */
    struct hc_life_tally tally[HC_COUNT_COUNT];
    struct hc_life_stops stops;
    struct hc_study_reference reference;
    bool has_reference;
    const struct hc_lifetime_curve *curve; /* NULL: none */
    double half_over_s;               /* when less than half of the lives of the curve are left;
                                         NaN: more are to the end */
    const struct hc_study_jobs *jobs; /* NULL: one job */
    struct hc_life_story *life;       /* of the base; NULL: none was recorded */
};

/* Make the findings of every run of the result from its config and summary. What is made lives in
 * the arena. May be called again when numbers have changed. HC_INTERNAL only when there is no
 * memory. */
enum hc_status hc_life_find_all(struct hc_study_result *result, struct hc_arena *arena,
                                struct hc_error *err);

/* Those of a run; NULL when it is of another engine, or they were not made. */
const struct hc_life_findings *hc_life_run_findings(const struct hc_study_run *run);

#endif
