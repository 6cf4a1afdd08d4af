/* lifetime_config.h - everything that a lifetime simulation is told: one job on many nodes over
 * months.
 *
 * All of it is plain: numbers with their unit in the name, enums as int32_t, and arrays of named
 * things, so that a table of offsets can describe each member. Times are seconds (`_s`), rates are
 * per day. `struct hc_distribution` marks what may be drawn; everything else is one number.
 * Strings and arrays belong to the caller and must outlive the runs.
 *
 * hc_lifetime_config_defaults() is a job without faults; hc_lifetime_config_check() says what is
 * wrong, contradictory or not modelled, and is run by the engine before anything else.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_CONFIG_H
#define HC_SIM_LIFETIME_LIFETIME_CONFIG_H

#include "core/tables/account/leaf.h"
#include "core/tables/job.h"
#include "sim/engine/distribution.h"

#include <stdbool.h>

/* ---- limits ----
 *
 * Each stands here once, for the check of a config and for the tables of who describes one
 * (study/engines/lifetime/lifetime_keys.c). The engine was tried at the largest: a job on
 * 10,000,000 nodes whose life has 72,000 stops takes 2 s and 0.14 GB a thread. */

#define HC_LIFETIME_MOST_NODES         HC_MOST_NODES /* of a job, a pool, its spares, standbys */
#define HC_LIFETIME_MOST_GPUS_PER_NODE 1024
#define HC_LIFETIME_MOST_PRIORITY      1000
#define HC_LIFETIME_MOST_DEGREE        (1 << 20) /* of tensor, pipeline or data parallelism */
#define HC_LIFETIME_MOST_S             1e9       /* any time: 31.7 years */
#define HC_LIFETIME_MOST_WORK_S        2e9       /* with code changes; in ns below HC_LIFE_NEVER */
#define HC_LIFETIME_LEAST_STOP_S       1.0       /* from planned stop to planned stop */
#define HC_LIFETIME_LEAST_SAVE_S       1e-3      /* from save to save, where that was measured */
#define HC_LIFETIME_LEAST_INFANT_S     1e-9      /* of nodes that were repaired */
#define HC_LIFETIME_MOST_PER_DAY       1000000   /* faults of one unit */
#define HC_LIFETIME_MOST_RATE_FACTOR   1000000   /* on the rate of some nodes */
#define HC_LIFETIME_MOST_BYTES         1e18      /* of a checkpoint, and of them in a second */
#define HC_LIFETIME_MOST_INSPECTIONS   1000
#define HC_LIFETIME_MOST_ROLLBACK      4
#define HC_LIFETIME_MOST_SLOW          1000 /* factor on a step, a phase, or a change of speed */
#define HC_LIFETIME_LEAST_HELP         0.001
#define HC_LIFETIME_MOST_CORRUPT       0.999
#define HC_LIFETIME_MOST_QUANTILE      0.999999
#define HC_LIFETIME_MOST_QUARANTINE    16 /* faults that are counted */
#define HC_LIFETIME_MOST_THREADS       4096
#define HC_LIFETIME_MAX_FAULTS         64 /* causes */
#define HC_LIFETIME_MAX_JOBS           32 /* that share a pool */
#define HC_LIFETIME_LADDER             4  /* remedies after the first */

/* ---- the job ---- */

/* Code that makes the steps faster, put in by a planned hot update. */
struct hc_lifetime_code_change {
    const char *name;
    double at_s;         /* wall time since submission */
    double speed_factor; /* steps a second after / before, > 0; multiplies with earlier changes */
};

/* A stop that was planned: maintenance, a change of data. */
struct hc_lifetime_planned_stop {
    const char *name;
    double first_s; /* wall time since submission */
    double every_s; /* 0: once */
    struct hc_distribution lasts_s;
    bool saves_first; /* a checkpoint is written before (blocking, save_s); nothing is lost */
    bool full_start;  /* the start after it is a full one, else a hot one */
};

/* Ranks of the job, tp first, then dp, then pp (sim/lifetime/backup_placement.h); rank r is on slot
 * r / gpus_per_node. tp 0: not given. */
struct hc_lifetime_parallel {
    int32_t tp, pp, dp;
};

#define HC_LIFETIME_PATIENCE 1000

struct hc_lifetime_job {
    int32_t nodes;
    int32_t gpus_per_node;
    int32_t priority; /* among jobs that share a pool (shared_pool.h): higher goes first */
    double work_s; /* productive seconds at the nominal step time until it is done; 0: none set */
    double work_steps; /* what work_s was said by, in steps; 0: it was said as time */
    double horizon_s;  /* wall seconds after which the replica ends in any case; 0: 1,000 times
                          work_s, so that a job which cannot get on ends as not finished */
    struct hc_lifetime_parallel parallel;
    struct hc_distribution step_s; /* mean and spread; 0: progress without steps */
    const struct hc_lifetime_code_change *code_change;
    size_t n_code_changes;
    const struct hc_lifetime_planned_stop *planned_stop;
    size_t n_planned_stops;
};

/* ---- faults ---- */

enum hc_fault_class {
    HC_FAULT_EXPLICIT, /* says what and where */
    HC_FAULT_IMPLICIT, /* hang, NaN, decline: must be noticed and placed */
    HC_FAULT_MANUAL    /* people stop the job */
};

enum hc_fault_unit { HC_PER_NODE, HC_PER_DEVICE, HC_PER_JOB, HC_PER_DOMAIN };

/* How old the first nodes of the job are, for times between faults that are not exponential. A node
 * that comes into a slot later starts anew. */
enum hc_fault_age {
    HC_AGE_NEW,
    HC_AGE_STATIONARY, /* in service for long: the rest of a renewal (forward recurrence) */
    HC_AGE_GIVEN       /* age_s of each unit: what is left of one that lasted so long already */
};

enum hc_fault_effect {
    HC_EFFECT_STOP,    /* the job stands until it is recovered */
    HC_EFFECT_SLOW,    /* it goes on, slower, until the remedy or until it passes */
    HC_EFFECT_CORRUPT, /* it goes on; what was done since is found to be worthless */
    HC_EFFECT_NONE     /* nothing happens before the remedy (a manual change of code) */
};

enum hc_remedy {
    HC_REMEDY_REATTEMPT,   /* start again on the same nodes */
    HC_REMEDY_HOT_UPDATE,  /* new code on the same nodes; with effect none it may wait to be merged
                            */
    HC_REMEDY_ROLLBACK,    /* older code, and rollback_checkpoints further back; same nodes */
    HC_REMEDY_EVICT,       /* the nodes of the fault are replaced */
    HC_REMEDY_EVICT_GROUP, /* the whole group around them is replaced */
    HC_REMEDY_REQUEUE,     /* every node is given back, the job queues again */
    HC_REMEDY_NONE         /* it passes by itself (slow faults only) */
};

/* The group of a node: group_nodes in a row, or all nodes with a rank in one of its parallel
 * groups. */
enum hc_fault_group { HC_GROUP_NODES, HC_GROUP_TP, HC_GROUP_PP, HC_GROUP_DP };

/* One incident that was recorded: replayed at its time. Of a fault that stops the job, those at the
 * same time are one stop when their nodes ascend. */
struct hc_lifetime_incident {
    double at_s;   /* wall time since submission, ascending */
    int32_t node;  /* first node, -1: any */
    int32_t nodes; /* how many in a row */
};

/* What else was recorded of it: moments, as wall time since submission in ns; -1: not recorded, so
 * that the time is drawn. A moment that is over when its turn comes is now. */
struct hc_lifetime_record {
    int64_t at_ns;        /* as at_s, exactly */
    int64_t detected_ns;  /* noticed */
    int64_t located_ns;   /* its place was known */
    int64_t recovered_ns; /* the repair of its node ended, or a slow fault passed */
    int32_t part_of;      /* those of one number, which follow each other with nodes that ascend,
                             are one fault whatever its effect; -1: of none */
};

/* Incidents of several recorded lives, one after the other: that of number first + i has the
 * incidents from begin[i] to begin[i + 1]. Replicas take them in turn, replica r that of number r
 * where there is one. */
struct hc_lifetime_recorded_lives {
    uint64_t first;
    size_t n;            /* 0: all incidents are of each life */
    const size_t *begin; /* [n + 1] */
};

struct hc_lifetime_detection {
    struct hc_distribution delay_s; /* from the fault to its notice */
    double inspect_every_s;         /* > 0: noticed at an inspection, whose phase is random ... */
    int32_t inspect_count;          /* ... at the count-th that sees it; the delay comes on top */
    double timeout_s;               /* > 0: noticed then at the latest */
    struct hc_distribution localise_s; /* from the notice to the place */
    double replay_s;     /* > 0: dual-phase replay: two replays of this length are added, and a
                            group remedy evicts only the nodes of the fault */
    double misdiagnosis; /* probability that the first remedy meets the wrong node or cause */
};

struct hc_lifetime_fault {
    const char *name;
    int32_t fault_class; /* enum hc_fault_class */
    int32_t why;         /* enum hc_why, for the account */
    int32_t effect;      /* enum hc_fault_effect */

    /* When: by rate (exponential), by a distribution of the time between faults of one unit, or by
     * record. Exactly one of the three. Rates and times count exposure (see `strikes`). */
    int32_t unit;                     /* enum hc_fault_unit */
    double per_day;                   /* rate of one unit */
    struct hc_distribution between_s; /* a renewal of each unit; starts anew with each new node */
    int32_t age;                      /* enum hc_fault_age, of between_s */
    struct hc_distribution age_s;     /* of each unit when the job is submitted */
    const struct hc_lifetime_incident *incident;
    size_t n_incidents;
    const struct hc_lifetime_record *record; /* [n_incidents], or NULL */
    struct hc_lifetime_recorded_lives lives;
    int32_t domain_nodes; /* nodes of one domain (switch, rack, power): all go at once */
    double on_healthy;    /* rate factor on ordinary nodes (1) ... */
    double on_lemon;      /* ... and on lemon nodes (1); per node and per device only */
    /* Rate factor of a node that was repaired, for its first infant_s of exposure in the job; per
     * node and per device, in a pool with an end. */
    double infant_factor, infant_s;

    struct hc_lifetime_detection detection;

    int32_t remedy;                  /* enum hc_remedy */
    struct hc_distribution remedy_s; /* work of the remedy itself, before any start-up */
    double helps; /* probability that the remedy helps (1); if not, the fault strikes
                     again at the next first step and the ladder is climbed */
    int32_t ladder[HC_LIFETIME_LADDER]; /* remedies after the first, n_ladder of them; the last is
                                           repeated; each helps with ladder_helps */
    int32_t n_ladder;
    double ladder_helps;
    int32_t group;                /* enum hc_fault_group, of evict_group */
    int32_t group_nodes;          /* of group nodes */
    int32_t rollback_checkpoints; /* how many durable checkpoints further back, 0 to 4 */

    double slow_factor;             /* effect slow: step time with / without, >= 1 */
    struct hc_distribution lasts_s; /* remedy none: until it passes */
    bool saves_first; /* effects slow and none: a checkpoint is written before the stop */
    double
        forced_after_s; /* effect none: waits to be merged with the next stop, at most this long */
};

/* ---- checkpoints ---- */

enum hc_checkpoint_mode {
    HC_CHECKPOINT_NONE,
    HC_CHECKPOINT_BLOCKING,  /* the job stands for stall_s, then the save is durable */
    HC_CHECKPOINT_ASYNC,     /* it stands for stall_s, the save is durable durable_s after the
                                snapshot */
    HC_CHECKPOINT_IN_MEMORY, /* as async, in the memory of other nodes; see memory_* */
    HC_CHECKPOINT_EVERY_STEP /* as async, after each step; every_s must be 0 */
};

enum hc_checkpoint_interval {
    HC_INTERVAL_FIXED,
    HC_INTERVAL_YOUNG_DALY,
    HC_INTERVAL_MEASURED /* intervals_s */
};

struct hc_lifetime_checkpoint {
    int32_t mode;     /* enum hc_checkpoint_mode */
    int32_t interval; /* enum hc_checkpoint_interval */
    double every_s; /* time in steps between saves; whole steps, rounded up, where the config has a
                       step time */
    /* Measured intervals: empirical. One holds for a fault-free interval, drawn with a probability
     * that goes with its length. */
    struct hc_distribution intervals_s;
    struct hc_distribution stall_s;   /* drawn once a fault-free interval */
    struct hc_distribution durable_s; /* after the snapshot, which is at the start of the stall;
                                         drawn once a fault-free interval; the next snapshot
                                         waits for no save: at most every_s + stall_s */
    struct hc_distribution load_s;    /* at each start from a checkpoint */
    double save_bytes;                /* > 0: size / bandwidth is added to the three above */
    double stall_bytes_per_s, durable_bytes_per_s, load_bytes_per_s; /* 0: nothing added */
    double corrupt; /* probability that a load finds it corrupt: one further back */
    /* In memory: evictions that take a state and its copy, or, where job.parallel is not given,
     * more nodes at once than memory_nodes_lost, fall back to remote saves this far apart. */
    int32_t memory_nodes_lost;
    double memory_remote_every_s;
};

/* ---- start-up ---- */

/* One phase: every node takes its own time, all wait for the slowest. */
struct hc_lifetime_phase {
    const char *name;
    int32_t what; /* enum hc_what: startup.image ... startup.first_step, startup.unsplit */
    struct hc_distribution first_s; /* first start of the job */
    struct hc_distribution full_s;  /* restart with everything anew */
    struct hc_distribution hot_s;   /* restart in place */
    bool per_node; /* drawn per node (the slowest of all decides), else once for the job */
    double factor; /* a remedy (prefetch, snapshot, striped read) as a factor on the phase; 1 */
};

struct hc_lifetime_startup {
    const struct hc_lifetime_phase *phase;
    size_t n_phases;
};

/* ---- recovery ---- */

enum hc_shortfall {
    HC_SHORTFALL_RESCHEDULE, /* only what is missing is scheduled */
    HC_SHORTFALL_REQUEUE     /* the whole job goes back to the queue */
};

/* When free nodes of the pool become standbys. Repaired nodes fill up the standbys in any case. */
enum hc_refill {
    HC_REFILL_ALWAYS,       /* replenish_s after a standby was used */
    HC_REFILL_AT_RESCHEDULE /* only when hosts are chosen anew */
};

/* How long a job waits for which no node is to be had. */
enum hc_wait_for {
    HC_WAIT_FOR_JOB,     /* until its own nodes are there */
    HC_WAIT_FOR_STANDBYS /* until as many are there as its standbys are to be, too */
};

struct hc_lifetime_recovery {
    int32_t warm_standbys;
    double standby_quantile;       /* > 0: standbys from the binomial instead (0.99: P99) of ... */
    double standby_p_per_day;      /* ... nodes failing in a day */
    struct hc_distribution wake_s; /* to bring in standbys */
    struct hc_distribution replenish_s; /* until a used standby is there again (pool without end) */
    int32_t shortfall;                  /* enum hc_shortfall: more nodes gone than standbys there */
    struct hc_distribution reschedule_s; /* to choose the missing nodes from the pool */
    struct hc_distribution queue_s;      /* wait of a requeue; nodes are not held meanwhile */
    bool queues_first;                   /* the first start waits in the queue as well */
    bool full_start_on_reschedule;       /* true: new hosts have nothing on them; else hot */

    bool standbys_fail; /* at the rate at which nodes of the job stop it */

    int32_t refill; /* enum hc_refill: pool with an end only */

    /* A pool with an end. 0: nodes without end, the next is always there. */
    int32_t pool_nodes;  /* for this job: in it, standbys, and free ones */
    int32_t wait_for;    /* enum hc_wait_for */
    bool takes_standbys; /* of jobs of lower priority, when no node is free (shared_pool.h) */
    int32_t spare_nodes; /* nodes of other work, which the job may take when the pool is empty */
    struct hc_distribution preempt_s; /* how long taking them lasts, for all the missing at once */
    bool spares_return; /* whether the other work gets a node back as soon as one is repaired and
                           all standbys are there; else the job keeps what it took */
};

/* A node that was evicted is repaired (pool with an end only). */
struct hc_lifetime_repair {
    struct hc_distribution automatic_s;
    double to_manual; /* share of automatic repairs that go on to a manual one */
    struct hc_distribution manual_s;
    double automatic_false, manual_false; /* share that only seems to succeed: a lemon stays one */
    double retire;             /* probability, at the end of a repair, that the node is given up */
    double quarantine_s;       /* nodes with quarantine_faults in quarantine_window_s stay out */
    int32_t quarantine_faults; /* 0: never */
    double quarantine_window_s;
    double quarantine_false; /* probability that an evicted node that is no lemon goes there too */
    struct hc_distribution innocent_s; /* check of nodes evicted without fault */
};

/* ---- elastic ---- */

/* Where more nodes are evicted than standbys are there, the job goes on with the dp replicas that
 * are whole, and the nodes are replaced meanwhile: docs/methods/lifetime.md, "Elastic jobs". */
struct hc_lifetime_elastic {
    bool on;
    int32_t dp_replicas;  /* each of nodes / dp_replicas slots in a row */
    int32_t min_replicas; /* with fewer it stands until the nodes are replaced */
    bool before_standbys; /* leave also where there are standbys; these come meanwhile */
    bool keeps_state;     /* each replica has the whole state: nothing is lost, nothing loaded;
                             else to leave and to rejoin is a hot start from a checkpoint */
    struct hc_distribution leave_s, rejoin_s; /* the job stands for it */
};

/* ---- all of it ---- */

enum hc_strikes {
    HC_STRIKES_RUNNING, /* faults come while steps run */
    HC_STRIKES_HELD,    /* also during start-up; not while noticed, placed or recovered */
    HC_STRIKES_ALWAYS   /* whenever the nodes are held: what struck while the job stood is found
                           when it starts */
};

struct hc_lifetime_config {
    struct hc_lifetime_job job;
    const struct hc_lifetime_fault *fault;
    size_t n_faults;
    int32_t strikes;    /* enum hc_strikes */
    double lemon_share; /* of nodes, fixed count rounded to the nearest; which ones is drawn */
    struct hc_lifetime_checkpoint checkpoint;
    struct hc_lifetime_startup startup;
    struct hc_lifetime_recovery recovery;
    struct hc_lifetime_repair repair;
    struct hc_lifetime_elastic elastic;
    uint64_t seed;
    uint64_t key; /* names the streams of random numbers together with the seed: equal for all that
                     is compared with common random numbers. No hash of the config. */
    uint64_t first_replica; /* number of the replica that a run calls 0: names its streams */
    int32_t replicas;       /* for whoever runs them; 0: not said */
    int32_t threads;        /* 0: as OpenMP says */
    double confidence;      /* level of the intervals of means, 0.95 */

    /* Other jobs on the same pool (shared_pool.h). What a run gives is of this job; free nodes
     * of the pool are booked to it, once. */
    const struct hc_shared_pool_job *other;
    size_t n_others;
};

/* One of several jobs. As another job, its seed, key, replicas (the first too) and threads follow
 * from the first.
 */
struct hc_shared_pool_job {
    const char *name;
    struct hc_lifetime_config config; /* without others */
};

struct hc_lifetime_config hc_lifetime_config_defaults(void);
struct hc_lifetime_fault hc_lifetime_fault_defaults(void);
struct hc_lifetime_phase hc_lifetime_phase_defaults(void);
struct hc_lifetime_planned_stop hc_lifetime_planned_stop_defaults(void);

/* HC_BAD_INPUT with the member named as a pointer ("/checkpoint/every_s"); arrays by name. */
enum hc_status hc_lifetime_config_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err);

#endif
