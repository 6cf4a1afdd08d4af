/* lifetime.h - months of a job, simulated: faults, detection, recovery, checkpoints, start-up.
 *
 * The simulation is driven by events; a stretch of steps with its saves is computed in one formula,
 * however long it is. Each replica draws from streams of its own, named by (seed, key, replica,
 * purpose), so that its result does not depend on threads, shards or other replicas.
 * docs/methods/lifetime.md describes the model state by state.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_H
#define HC_SIM_LIFETIME_LIFETIME_H

#include "core/base/status.h"
#include "core/tables/account/leaf.h"
#include "sim/lifetime/lifetime_config.h"
#include "sim/lifetime/stop_lengths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts of one replica. */
enum hc_lifetime_count {
    HC_COUNT_FAULTS, /* that struck, of all causes */
    HC_COUNT_STOPS,  /* times that running steps were stopped, but for rejoins */
    HC_COUNT_FAILED_STARTS,
    HC_COUNT_RECURRENCES, /* the remedy did not help */
    HC_COUNT_MERGED,      /* changes of code that went in with another stop */
    HC_COUNT_ABSORBED, /* recorded incidents and planned stops that met a job that stood anyway */
    HC_COUNT_EVICTED,  /* nodes */
    HC_COUNT_INNOCENT, /* of these, without fault */
    HC_COUNT_STANDBYS_USED,
    HC_COUNT_RESCHEDULES,
    HC_COUNT_REQUEUES,
    HC_COUNT_PREEMPTED, /* spare nodes taken */
    HC_COUNT_WAITS,     /* times that no node was to be had before a repair ended */
    HC_COUNT_REPAIRS,
    HC_COUNT_MANUAL_REPAIRS,
    HC_COUNT_RETIRED,
    HC_COUNT_QUARANTINED,
    HC_COUNT_CORRUPT_LOADS,
    HC_COUNT_LATE_FINDS,          /* silent corruptions found */
    HC_COUNT_EVENTS,              /* faults, entries of the calendar, ends of timed states */
    HC_COUNT_LEAVES,              /* times that an elastic job went on smaller */
    HC_COUNT_REJOINS,             /* times that it stood to take replicas back */
    HC_COUNT_QUARANTINED_HEALTHY, /* of those, no lemons when they were evicted */
    HC_COUNT_INFANT_FAULTS, /* that struck a node soon after its repair, of causes with a factor */
    HC_COUNT_STANDBYS_FAILED,
    HC_COUNT_COUNT
};

struct hc_lifetime_replica {
    bool finished;   /* the work was done; else the horizon came first */
    bool starved;    /* the life ended because the pool had no node left */
    int64_t wall_ns; /* from submission to the end */
    int64_t first_queue_ns;
    int64_t queue_ns;      /* all waits in the queue, the first too: nodes were not held */
    int64_t productive_ns; /* steps that count, slow ones too */
    int64_t work_done_ns;  /* at the nominal step time */
    struct hc_account account;
    hc_gpu_ns absent_gpu_ns; /* of evicted nodes that an elastic job went on without: not held */
    int64_t count[HC_COUNT_COUNT];
    int64_t faults[HC_LIFETIME_MAX_FAULTS];              /* of each config->fault */
    int64_t unproductive_ns[HC_LIFETIME_MAX_FAULTS + 1]; /* work lost and time stood because of
                                                            each fault; the last entry: because of
                                                            no fault (the first start, planned
                                                            stops, checkpoints) */
    int64_t longest_stop_ns; /* from a stop to the next step, or to the end that came first */
    int64_t stopped_ns;      /* of all stops */
    uint32_t stops_of[HC_STOP_LENGTHS]; /* stops by length: sim/lifetime/stop_lengths.h */
};

/* Run replicas [first, first + n) into result[0..n), on config->threads threads. */
enum hc_status hc_lifetime_run(const struct hc_lifetime_config *config, uint64_t first, size_t n,
                               struct hc_lifetime_replica *result, struct hc_error *err);

/* ---- figures, and their means over replicas ---- */

enum hc_lifetime_figure {
    HC_FIGURE_ETTR_META,       /* productive / wall, the first queue in the denominator */
    HC_FIGURE_ETTR_BYTEROBUST, /* productive / wall since the first start */
    HC_FIGURE_GOODPUT,         /* productive / (wall - queues): of the time that nodes were held */
    HC_FIGURE_WALL_S,
    HC_FIGURE_WORK_DONE_S,
    HC_FIGURE_TOTAL_GPU_H, /* standbys and free nodes of the pool too */
    HC_FIGURE_LOST_GPU_H,
    HC_FIGURE_STANDBY_IDLE_GPU_H,
    HC_FIGURE_POOL_IDLE_GPU_H,
    HC_FIGURE_FAULTS,
    HC_FIGURE_STOPS,
    HC_FIGURE_COUNT
};

double hc_lifetime_figure(const struct hc_lifetime_replica *replica,
                          enum hc_lifetime_figure figure);
const char *hc_lifetime_count_name(enum hc_lifetime_count count);

/* Mean and spread of what was added. */
struct hc_moments {
    double n, mean, squares; /* squares: sum of squared distances from the mean */
};

void hc_moments_add(struct hc_moments *m, double value);
double hc_moments_sd(const struct hc_moments *m);
/* Half the width of Student's interval of the mean; infinite below two values. */
double hc_moments_half_width(const struct hc_moments *m, double confidence);

/* Many replicas. Adding in the order of replicas gives the same bytes for any thread count. */
struct hc_lifetime_summary {
    uint64_t n, n_finished, n_starved;
    struct hc_moments figure[HC_FIGURE_COUNT];
    struct hc_moments count[HC_COUNT_COUNT];
    struct hc_moments faults[HC_LIFETIME_MAX_FAULTS];
    struct hc_moments unproductive_s[HC_LIFETIME_MAX_FAULTS + 1];
    struct hc_account account;        /* sum */
    hc_gpu_ns productive_ns, wall_ns; /* sums: their ratio is the ETTR of sums */
    int64_t longest_stop_ns;          /* of all */
    uint64_t stops_of[HC_STOP_LENGTHS];
};

void hc_lifetime_summary_add(struct hc_lifetime_summary *summary,
                             const struct hc_lifetime_replica *replica);

/* ---- what follows from a config before anything is drawn ---- */

/* For closed forms and for reports, which want the numbers that the replicas use. */
struct hc_lifetime_derived {
    int32_t standbys; /* given, or from the binomial */
    int64_t every_ns; /* time in steps between saves, in whole steps; INT64_MAX / 4: none */
    /* Size of a save over bandwidth, which comes on top of the time that the config gives. */
    double stall_extra_s, durable_extra_s, load_extra_s;
};

/* HC_BAD_INPUT as hc_lifetime_config_check() says it, for what only several members together
 * make impossible. The config was checked; of a config with others, its own job. */
enum hc_status hc_lifetime_derive(struct hc_lifetime_derived *derived,
                                  const struct hc_lifetime_config *config, struct hc_error *err);

/* ---- closed forms, printed beside what was simulated ---- */

/* Faults that stop the job, per second of exposure, all causes together; NaN with records. */
double hc_lifetime_stop_rate(const struct hc_lifetime_config *config);

/* Expected ETTR for faults at rate_per_s, saves every every_s that take write_s, restart_s exposed
 * to faults and queue_s not: exact for exponential faults and an endless run, and of first order.
 */
struct hc_ettr_terms {
    double rate_per_s, every_s, write_s, restart_s, queue_s;
};
double hc_ettr_exact(const struct hc_ettr_terms *terms);
double hc_ettr_first_order(const struct hc_ettr_terms *terms);
/* Young's interval between saves of write_s at a mean time between faults. */
double hc_young_interval_s(double write_s, double between_faults_s);

/* Smallest k such that Binomial(n, p) is at most k with probability quantile or more. */
int32_t hc_binomial_quantile(int32_t n, double p, double quantile);

#endif
