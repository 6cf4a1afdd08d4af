/* trial.h - trials of the search for stragglers: jobs whose cause of slowness is known, made by a
 * simulation that shares neither code nor model of noise with `hindcast synth steps`, which the
 * rules were tuned with.
 *
 * A trial is drawn from a case ("stretch", "clean-heavy", ...) and a seed: shape, noise, and what
 * is planted. Its ops have durations without plantings first (`drawn`); plantings are laid over a
 * copy of these, so that the same job with and without a planting differs by nothing else, and what
 * the planting costs is known.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trial_op {
    TRIAL_FORWARD,
    TRIAL_BACKWARD,
    TRIAL_FORWARD_SEND,
    TRIAL_FORWARD_RECV,
    TRIAL_BACKWARD_SEND,
    TRIAL_BACKWARD_RECV,
    TRIAL_GATHER,
    TRIAL_SCATTER,
    TRIAL_SEPARATE,
    TRIAL_EMBEDDING,
    TRIAL_LAYERNORM,
    TRIAL_GC,
    TRIAL_CLIP,
    TRIAL_OPTIMIZER,
    TRIAL_N_OPS
};
#define TRIAL_N_SEQUENCED 6 /* the first of these types occur once a microbatch, others once */

struct trial_shape {
    int dp, pp, microbatches, n_steps;
    int first_step, stride;         /* step numbers */
    int tp;                         /* ranks that a worker stands for */
    bool overlaps;                  /* gradients are reduced before the tail of the step */
    bool pipeline_first;            /* rank = (dp * PP + stage) * tp, else (stage * DP + dp) * tp */
    bool is_absolute;               /* starts are Unix times */
    int node_workers, switch_nodes; /* workers of a node, nodes of a switch; 0: metadata has none */
    double mean_s[TRIAL_N_OPS];
    double delay_s;    /* mean launch delay */
    double last_stage; /* passes of the last stage take so many times as long */
};

enum trial_tail { TRIAL_STUDENT, TRIAL_GAMMA, TRIAL_FLOOR, TRIAL_NORMAL, TRIAL_N_TAILS };

/* What varies without a fault; deviations are of factors. */
struct trial_noise {
    enum trial_tail tail; /* law of the noise of single passes */
    double pass_sd, outlier_rate, outlier_mean;
    double transfer_sd;
    double worker_sd;                  /* differences of workers that stay */
    double drift_sd, drift_rho;        /* of each worker, over steps; rho 1 is a random walk */
    double step_sd, step_rho;          /* of all workers alike */
    double length_sd;                  /* of the load of a microbatch, all its passes alike */
    double expert_sd;                  /* of the load of a microbatch on a stage */
    double wander_rate, wander_factor; /* in this part of the steps one worker is slow, any */
    int warm_up;                       /* steps at the start that take longer */
    double warm_up_factor;
    int planned_every; /* all workers collect garbage in one step of so many; 0: never */
    double planned_s;
};

enum trial_what {
    TRIAL_SLOW,       /* ops of its members take longer */
    TRIAL_LENGTHS,    /* microbatches have sequences of unlike lengths */
    TRIAL_PAUSES,     /* forward passes of its members pause, each at times of its own */
    TRIAL_LATE,       /* its members launch late */
    TRIAL_ADDED,      /* an op of its types takes some seconds more in each of its steps */
    TRIAL_LATE_START, /* its members start the first forward pass of a step late */
    TRIAL_MOVED, /* passes of its stage take longer, those of another stage shorter by the same */
};

enum trial_ops {
    TRIAL_OPS_FORWARD,
    TRIAL_OPS_BACKWARD,
    TRIAL_OPS_PASSES,
    TRIAL_OPS_TRANSFERS,
    TRIAL_OPS_ALL,
    TRIAL_OPS_LINK, /* P2P over the boundary behind its member, in one direction */
    TRIAL_OPS_LAUNCHES,
    TRIAL_OPS_TYPES, /* all ops of the planting's `types` */
};
#define TRIAL_TYPE(op) (1u << TRIAL_##op)
#define TRIAL_P2P                                                                                  \
    (TRIAL_TYPE(FORWARD_SEND) | TRIAL_TYPE(FORWARD_RECV) | TRIAL_TYPE(BACKWARD_SEND) |             \
     TRIAL_TYPE(BACKWARD_RECV))
#define TRIAL_COLLECTIVES                                                                          \
    (TRIAL_TYPE(GATHER) | TRIAL_TYPE(SCATTER) | TRIAL_TYPE(SEPARATE) | TRIAL_TYPE(EMBEDDING))

enum trial_pattern {
    TRIAL_ALWAYS,
    TRIAL_SINCE,
    TRIAL_UNTIL,
    TRIAL_BETWEEN,
    TRIAL_RECURRENT,
    TRIAL_PERIODIC,
    TRIAL_BURSTS,      /* some stretches */
    TRIAL_RAMP,        /* from a step on, more and more; the factor is that of the last step */
    TRIAL_SOME_PASSES, /* any, in all steps */
    TRIAL_THROTTLED,   /* the last ones of each step */
    TRIAL_LEVELS,      /* from a step on, in two or three levels, each slower than the last */
    TRIAL_N_PATTERNS
};
#define TRIAL_MOST_LEVELS 3

enum trial_kind {
    TRIAL_WORKER,
    TRIAL_DP_RANK,
    TRIAL_STAGE,
    TRIAL_HOST,
    TRIAL_SWITCH,
    TRIAL_JOB,
    TRIAL_SLOT,    /* the same place in every node (a local GPU index) */
    TRIAL_SERIES,  /* two stages of one dp rank */
    TRIAL_SEVERAL, /* two to four workers that have nothing else in common */
};

struct trial_plant {
    enum trial_what what;
    enum trial_kind kind;
    enum trial_ops ops;
    enum trial_pattern pattern;
    unsigned types;         /* of OPS_TYPES: bits by trial_op */
    const char *cause;      /* what a right verdict names: "worker", "stage", ... */
    double factor;          /* of LENGTHS the deviation; of PAUSES, LATE, ADDED and LATE_START
                               seconds over those of a forward pass */
    double rate;            /* of PAUSES: pauses a worker and step */
    double pass_share;      /* of its passes that are slow in slow steps */
    double duty, pass_duty; /* what came out: steps with slow passes, slow passes of these steps */
    double mean_factor;     /* of its slow steps */
    double wander;          /* deviation of its factor from step to step, over factor - 1 */
    double level_factor[TRIAL_MOST_LEVELS]; /* of LEVELS; `factor` is the first */
    int level_first[TRIAL_MOST_LEVELS];     /* index of the first step of each */
    int n_levels;
    int period;         /* of PERIODIC, in steps; else 0 */
    int from;           /* of MOVED: the stage that loses the work */
    bool backward;      /* of a link: its direction */
    uint8_t *is_member; /* [workers] */
    uint8_t *is_slow;   /* [steps] */
    uint32_t seed;
    int onset, end;     /* indices of the first and last slow step */
    double without_s;   /* mean step of the same job without this planting */
    double share, cost; /* that goes without it: of the excess over the ideal; of the mean step */
    double fair_share; /* of two: the mean of what goes when it is mended first and when last (their
                          Shapley value), a stage mended by cutting the same work evenly */
    double replay_share; /* the same in runs without launch delays; of one planting, or of many,
                            what goes when it alone is mended */
    double saved_s; /* of the mean step, when it alone is mended: in runs without launch delays,
                       unless it is one */
};
#define TRIAL_MAX_PLANTS  20
#define TRIAL_MAX_RECIPES 2

struct trial {
    const struct trial_case *of;
    uint64_t seed;
    struct trial_shape shape;
    struct trial_noise noise;
    int n_plants;
    int n_copies, costliest; /* of a case of many plantings: how many, and which lasts longest */
    bool is_even;            /* a stage that is not laid has its work spread over all stages */
    struct trial_plant plants[TRIAL_MAX_PLANTS];
    size_t n_slots; /* of the arrays: by trial_slot */
    double *drawn, *drawn_delay;
    double *duration, *delay; /* with plantings */
    double *start, *end;
    double *step_s;                     /* [steps] */
    double mean_s, ideal_s, launched_s; /* mean step: as it is, ideal, without launch delays */
};

/* What a trial must be to be of use; one that is not is drawn again. */
enum trial_fit {
    TRIAL_FITS_ALL,
    TRIAL_IS_FELT,          /* steps take 1.1 times the ideal */
    TRIAL_IS_LATE,          /* steps take 1.1 times as long as without launch delays */
    TRIAL_IS_COSTLY,        /* the planting costs at least 2 % of the mean step */
    TRIAL_IS_SHARED,        /* both plantings have at least 0.2 of the excess, by `share` and by
                               `fair_share`,        and it is felt */
    TRIAL_IS_LIKELY_SHARED, /* the same by the first way alone */
    TRIAL_ARE_COSTLY,       /* each planting costs at least 2 % of the mean step */
    TRIAL_IS_COSTLY_EACH,   /* the planting costs 2 % for each of its workers */
    TRIAL_IS_HIDDEN,        /* it costs 2 to 15 % of the mean step, and is not felt */
    TRIAL_IS_COSTLIEST,     /* `costliest` is costly, and costs 1.3 times as much as any other */
};

enum trial_nuisance {
    TRIAL_ORDINARY, /* noise of a job in which something is planted */
    TRIAL_LIGHT,
    TRIAL_HEAVY,     /* heavy tails */
    TRIAL_HARSH,     /* heavier ones, as no job should have */
    TRIAL_WANDERING, /* in some steps one worker is slow, each time another */
    TRIAL_DRIFTING,  /* each worker for itself */
    TRIAL_WALKING,   /* the same, without coming back */
    TRIAL_STEPS,     /* steps differ as a whole, autocorrelated */
    TRIAL_LOADS,     /* mild differences of sequence lengths */
    TRIAL_WARMING,   /* first steps take longer */
    TRIAL_PLANNED,   /* planned collections of garbage */
    TRIAL_MIXED,     /* heavy tails, drift and steps at once */
    TRIAL_SPREAD,    /* workers that differ a little, as chips do */
    TRIAL_EXPERTS,   /* load by stage and microbatch */
};

/* How a planting is drawn. */
struct trial_recipe {
    const char *cause; /* NULL: none */
    enum trial_what what;
    enum trial_kind kind;
    enum trial_ops ops;
    unsigned patterns; /* one of these (bits by trial_pattern) */
    double low, high;  /* factor */
    unsigned types;    /* of OPS_TYPES: bits by trial_op */
};

struct trial_case {
    const char *name, *group;
    int least_steps, most_steps;
    int least_dp, least_pp; /* least_dp -1: one dp rank */
    enum trial_nuisance nuisance;
    enum trial_fit fit;
    struct trial_recipe recipes[TRIAL_MAX_RECIPES];
    bool has_nodes; /* the metadata names them, in any of the layouts of trial_shape.c */
    int most_pp;    /* 0: any */
    int least_copies, most_copies; /* of the first recipe, each on another worker; 0: one */
};
extern const struct trial_case trial_cases[];
extern const size_t trial_n_cases;

/* NULL when there is none of this name. */
const struct trial_case *trial_find_case(const char *name);

static inline int trial_n_workers(const struct trial_shape *shape)
{
    return shape->dp * shape->pp;
}

/* Workers are numbered by dp rank, then stage. */
static inline int trial_worker(const struct trial_shape *shape, int dp, int stage)
{
    return dp * shape->pp + stage;
}

static inline size_t trial_slot(const struct trial_shape *shape, int step, int worker,
                                enum trial_op op, int seq)
{
    size_t at = (size_t)step * (size_t)trial_n_workers(shape) + (size_t)worker;
    size_t n = (size_t)shape->microbatches;
    return at * (TRIAL_N_SEQUENCED * n + TRIAL_N_OPS - TRIAL_N_SEQUENCED) +
           (op < TRIAL_N_SEQUENCED ? (size_t)op * n + (size_t)seq
                                   : TRIAL_N_SEQUENCED * n + (size_t)(op - TRIAL_N_SEQUENCED));
}

/* Whether workers of this stage have ops of this type, as a profiler records them. */
bool trial_has_op(const struct trial_shape *shape, enum trial_op op, int stage);
static inline int trial_op_count(const struct trial_shape *shape, enum trial_op op)
{
    return op < TRIAL_N_SEQUENCED ? shape->microbatches : 1;
}
/* The first worker that a planting hits. */
static inline int trial_first_member(const struct trial_plant *plant)
{
    int w = 0;
    while (!plant->is_member[w])
        w++;
    return w;
}
/* Global rank of a worker, the first of its tensor-parallel group. */
int trial_rank(const struct trial_shape *shape, int worker);
/* Node of a worker and switch of a node; -1 when the metadata knows none. */
int trial_node(const struct trial_shape *shape, int worker);
int trial_switch(const struct trial_shape *shape, int worker);
/* Place of a worker among those of its node; -1 when no node has several. */
int trial_slot_of_node(const struct trial_shape *shape, int worker);
/* Which pass of a stage's step the i-th is, 0 .. 2 * microbatches - 1 (1F1B). */
struct trial_pass {
    enum trial_op op;
    int microbatch;
};
struct trial_pass trial_pass_at(const struct trial_shape *shape, int stage, int i);

/* Makes the trial, drawing until it fits; false when memory or patience runs out. */
bool trial_make(struct trial *trial, const struct trial_case *of, uint64_t seed);
/* Draws all ops of a trial anew, for so many steps: the same job, traced for longer at another
 * time. False without memory, or where a planting does not last. */
bool trial_lengthen(struct trial *trial, int n_steps, uint64_t seed);
void trial_fini(struct trial *trial);

/* --- what trial_make is made of -----------------------------------------------------------------
 */

void trial_draw_shape(struct trial_shape *shape, const struct trial_case *of, gsl_rng *rng);
void trial_draw_noise(struct trial_noise *noise, enum trial_nuisance nuisance, gsl_rng *rng);
/* Durations and delays of all ops, without plantings. */
void trial_draw_ops(struct trial *trial, gsl_rng *rng);
/* Lays the plantings of the mask (bit i: plants[i]) over the drawn ops. */
void trial_lay(struct trial *trial, unsigned mask);
/* Runs the schedule: starts and ends of all ops, seconds of the steps; gives their mean. Without
 * delays, ops start at once. */
double trial_run(struct trial *trial, bool with_delays);
/* The same with every op as long as the mean (compute) or median (transfers) of its type. */
double trial_run_ideal(struct trial *trial);

/* Draws a planting by its recipe: whom, when, how strongly; false when the shape does not allow it.
 */
bool trial_draw_plant(struct trial *trial, const struct trial_recipe *recipe, gsl_rng *rng);
/* Numbers drawn for one microbatch, packed of sequences, mean about 1 (load), deviation as asked.
 */
double trial_draw_load(gsl_rng *rng, double sd);
/* A factor of noise of single ops, mean about 1. */
double trial_draw_tail(const struct trial_noise *noise, gsl_rng *rng);

/* Name of an op type in a trace. */
const char *trial_op_name(enum trial_op op);
/* Writes trace-NAME.csv, meta-NAME.yaml and truth-NAME.json into the folder. */
bool trial_write(const struct trial *trial, const char *folder, const char *name);

#endif
