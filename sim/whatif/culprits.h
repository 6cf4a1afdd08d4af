/* culprits.h - which parts of a job are slower than their peers, and when: since which step, until
 * which, in how many of the steps, how strongly while it lasts (docs/methods/causes.md).
 *
 * A culprit is found before anything is averaged over steps: a part of the job that is slow in six
 * steps of twenty is described by these six steps. All steps are indices into the analysed steps of
 * the result (hc_whatif_result.steps gives their numbers).
 */
#ifndef HC_SIM_WHATIF_CULPRITS_H
#define HC_SIM_WHATIF_CULPRITS_H

#include "core/tables/op_type.h"
#include "sim/whatif/straggler_causes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A figure with its 95 % interval; low and high are NaN where no interval can be given. */
struct hc_measured {
    double value, low, high;
};

/* What is slow. */
enum hc_culprit_kind {
    HC_CULPRIT_WORKER,  /* one dp rank at one stage */
    HC_CULPRIT_DP_RANK, /* all stages of a dp rank */
    HC_CULPRIT_STAGE,   /* all dp ranks of a stage, in part of the steps */
    HC_CULPRIT_HOST,    /* all workers of a node (metadata: nodes) */
    HC_CULPRIT_SWITCH,  /* the network cards of several nodes of one switch (metadata: switches) */
    HC_CULPRIT_SLOT,    /* the same local GPU, or its network card, of each of several nodes */
    HC_CULPRIT_LINK,    /* transfers over one stage boundary of a dp rank, in one direction, or the
                           collectives of one worker */
    HC_CULPRIT_JOB,     /* all workers alike: a change of level of the whole job */
    HC_N_CULPRIT_KINDS
};

/* Which of its ops are slow. */
enum hc_slow_ops {
    HC_SLOW_FORWARD,   /* forward passes: the host (data loading, Python) */
    HC_SLOW_BACKWARD,  /* backward passes */
    HC_SLOW_PASSES,    /* both: the GPU */
    HC_SLOW_TRANSFERS, /* all its transfers: the network card, or a link */
    HC_SLOW_ALL,       /* passes and transfers */
    HC_SLOW_LAUNCHES,  /* ops start late */
    HC_SLOW_TYPES,     /* ops of certain types (hc_culprit.op_types) */
    HC_N_SLOW_OPS
};

/* Which transfers of a link are slow. */
enum hc_link_way {
    HC_LINK_BOTH_WAYS = -1, /* between two stages, or no link */
    HC_LINK_FORWARD,
    HC_LINK_BACKWARD,
    HC_LINK_COLLECTIVES
};

/* When it is slow. */
enum hc_slow_pattern {
    HC_SLOW_ALWAYS,      /* in all steps, or all but a few that chance explains */
    HC_SLOW_SINCE,       /* from a step on, to the end of the trace */
    HC_SLOW_UNTIL,       /* from the start of the trace to a step */
    HC_SLOW_BETWEEN,     /* one stretch with healthy steps before and after it */
    HC_SLOW_RECURRENT,   /* comes and goes from step to step */
    HC_SLOW_SOME_PASSES, /* in all or most steps some passes are slow, others are not */
    HC_N_SLOW_PATTERNS
};

/* "worker", "dp_rank", ...; "forward", "passes", ...; "always", "since", ...: for JSON and CSV. */
const char *hc_culprit_kind_key(enum hc_culprit_kind kind);
const char *hc_slow_ops_key(enum hc_slow_ops ops);
const char *hc_slow_pattern_key(enum hc_slow_pattern pattern);

struct hc_culprit;

/* Its slow ops, in words: "forward passes", "passes and optimizer", "transfers (the network):
 * backward-recv, backward-send and 5 more types". */
#define HC_OPS_TEXT 176
const char *hc_culprit_ops_text(const struct hc_culprit *culprit, char text[HC_OPS_TEXT]);

/* Why its factor has no interval, in words; NULL: it has one, or there is no factor. */
const char *hc_culprit_factor_reason(const struct hc_culprit *culprit);

/* Consecutive steps in which a culprit is slow. */
struct hc_slow_stretch {
    size_t first, last;           /* both slow */
    size_t first_low, first_high; /* 95 %: the first slow step lies in [first_low, first_high] */
    size_t last_low, last_high;
    double factor; /* mean of its slow passes (or transfers) over what peers take */
};

struct hc_culprit {
    enum hc_culprit_kind kind;
    enum hc_slow_ops ops;
    enum hc_slow_pattern pattern;
    enum hc_straggler_cause cause;  /* under which the verdict counts it */
    int32_t dp_rank, stage;         /* -1: all of them, or several (see members) */
    int32_t rank;                   /* of the trace, of its first worker; HC_MISSING_I32 without */
    int direction;                  /* of a link: enum hc_link_way */
    const char *host, *switch_name; /* NULL: not known, or several; owned by the result's job */
    size_t n_members;
    int32_t *members; /* [n_members] indices into workers */
    /* Of HC_SLOW_TYPES, and of what all workers have in common: the types of ops that are slow
     * (bits 1 << enum hc_op_type), and how many times as long as usual they take in each step:
     * [HC_N_OP_TYPES][n_steps]. Else 0 and NULL. */
    uint32_t op_types;
    double *type_ratio;
    double type_ns[HC_N_OP_TYPES]; /* what they usually take of a mean worker and step */

    /* How many times as long its slow ops take as those of peers, while it is slow. Of the ops that
     * `ops` names; by_pass and transfers are NaN where not known. */
    struct hc_measured factor, forward_factor, backward_factor, transfer_factor;
    struct hc_measured duty;      /* share of the analysed steps in which it is slow */
    struct hc_measured pass_duty; /* of the passes of these steps, the share that is slow */
    /* What an exact replay saves of the mean step with it alone mended, and the share of the excess
     * that this is. Such figures of several culprits do not add up: of workers that wait for each
     * other's slow peers each alone saves nothing. */
    double alone_s;
    struct hc_measured alone_share; /* NaN: there is no excess to speak of */
    /* Its part (Shapley value) of what mending all culprits together saves, of the mean step and in
     * GPU-hours over the analysed steps: these add up to hc_culprits.together_s. */
    double split_s, gpu_hours_lost; /* gpu_hours_lost NaN: the GPUs are not known */

    size_t since, until; /* first and last slow step */
    bool lasts;          /* slow at the end of the trace */
    bool is_told;        /* always, of those that are in the result */
    size_t n_slow_steps;
    size_t period; /* it is slow in every so many-th step; 0: at no such distance */
    /* Of HC_SLOW_LAUNCHES and HC_SLOW_TYPES: by how much its ops start late, or take longer, in a
     * mean slow step. */
    double extra_s;
    uint8_t *is_slow; /* [n_steps] 1 in slow steps */
    size_t n_stretches;
    struct hc_slow_stretch *stretches; /* by first; NULL with HC_SLOW_SOME_PASSES */
    char name[208]; /* "rank 9 (dp 2, stage 1) on gpu-042, GPU 3", "host gpu-042, all 4 workers" */
    char when[224]; /* "from step 114 on, in 6 of 20 steps"; "" when always */
    char text[640]; /* the sentence: NAME, WHEN, takes 1.60 times as long while it does; ... */
};

/* Stretches of steps between changes of level of the job as a whole (its replayed spans). One level
 * when nothing changes. */
struct hc_job_level {
    size_t first, last;
    double replayed_s;           /* mean span */
    struct hc_measured slowdown; /* S of these steps, by the ideals of the whole trace */
};

struct hc_culprits {
    bool done;
    size_t n;
    struct hc_culprit *culprits; /* by split_s, largest first */
    /* What mending all of them saves of the mean step: of those that are slow in their ops, of the
     * step without launch delays; of those that start late, of the step as traced. 0 without any.
     */
    double together_s, launches_together_s;
    size_t n_levels;
    struct hc_job_level *levels;
};

/* Those of one cause first, each part by split_s, largest first. */
void hc_culprits_sort(struct hc_culprits *culprits, enum hc_straggler_cause first);
/* The part of a culprit in what mending all of its kind (late launches, or the others) saves; NaN
 * where that is nothing. */
double hc_culprit_split_share(const struct hc_culprit *culprit, const struct hc_culprits *culprits);
void hc_culprit_fini(struct hc_culprit *culprit);
void hc_culprits_fini(struct hc_culprits *culprits);

#endif
