/* fleet_row.h - what one job adds to the report over a fleet (straggler-paper 8.2): a row of
 * figures, small enough to hold for every job of an archive.
 *
 * Rows are what is cached, what a shard writes and what merge joins; the report is a function of
 * the rows alone, taken in order of cluster, job id, attempt. So it cannot depend on how the work
 * was shared out. Rows go through text on the way, so a figure is finite or NaN and text is UTF-8.
 */
#ifndef HC_SIM_FLEET_FLEET_ROW_H
#define HC_SIM_FLEET_FLEET_ROW_H

#include "core/base/status.h"
#include "core/tables/op_type.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>
#include <stdint.h>

/* Raised whenever the same trace and options give other figures than before: rows that were kept
 * are then computed again, and partials of different versions do not merge. */
#define HC_FLEET_METHOD_VERSION 7

/* Of the text that rows are kept as: raised when members are added or mean something else. */
#define HC_FLEET_ROW_SCHEMA 4

/* What the fleet needs of the analysis of a job. */
#define HC_FLEET_DEPTH (HC_DEPTH_WORKERS | HC_DEPTH_INTERVALS | HC_DEPTH_CAUSE)

/* How far a job came: the funnel, in the order of its stages. */
enum hc_fleet_fate {
    HC_FLEET_ANALYSED,
    HC_FLEET_RESTARTED,   /* more attempts than the limit (15) */
    HC_FLEET_UNREADABLE,  /* the system refused to read its segment: it may be whole */
    HC_FLEET_DAMAGED,     /* its segment is missing or damaged */
    HC_FLEET_NO_MEMORY,   /* memory was short for it (HC_INTERNAL) */
    HC_FLEET_FEW_STEPS,   /* fewer whole steps than the limit */
    HC_FLEET_NO_REPLAY,   /* no valid dependency graph, sizes that contradict the metadata, ... */
    HC_FLEET_DISCREPANCY, /* replayed and traced differ by more than the limit (5 %), and not
                             because ops start late */
    HC_N_FLEET_FATES
};

/* Fates by which a report lacks jobs that it should have: what went wrong is not in the trace. */
static inline bool hc_fleet_is_lacking(enum hc_fleet_fate fate)
{
    return fate == HC_FLEET_UNREADABLE || fate == HC_FLEET_DAMAGED || fate == HC_FLEET_NO_MEMORY;
}

/* What `whatif --all` takes where nothing else is said: its limits, and S from which on it looks
 * where the time goes. */
#define HC_FLEET_MAX_ATTEMPTS 15
#define HC_FLEET_MIN_STEPS    5
#define HC_FLEET_THRESHOLD    1.03

/* A constant as the value of an option. */
#define HC_FLEET_TEXT_(number) #number
#define HC_FLEET_TEXT(number)  HC_FLEET_TEXT_(number)

/* Where the funnel cuts. */
struct hc_fleet_limits {
    int32_t max_attempts;   /* in the archive; more: restarted */
    int32_t min_steps;      /* whole ones; fewer: few steps */
    double max_discrepancy; /* more, and traced steps are not longer: discrepancy */
};

#define HC_FLEET_SAMPLED_STEPS 15 /* step slowdowns kept of each job (paper Fig. 4) */
#define HC_FLEET_MAX_TYPES     (HC_N_OP_TYPES)

struct hc_fleet_type {
    char name[40];   /* op type group */
    double slowdown; /* S_t; waste of the type is 1 - 1/S_t */
};

/* A host that is slow in a job: what the culprits that lie on it alone (single workers, and hosts
 * as a whole) add up to. */
#define HC_FLEET_MAX_HOSTS 6 /* kept of a job: those that cost most */
struct hc_fleet_host {
    char name[256];
    int64_t n_stretches;   /* of steps in which it is slow */
    double gpu_hours_lost; /* NaN: not known of any of its culprits */
    int32_t since_step;    /* the first slow one, by number */
    int64_t since_unix_ns; /* its date; HC_MISSING_I64: not known */
    bool lasts;            /* slow at the end of the trace */
};

/* A part of a job that is slow (struct hc_culprit), with what a table of many jobs needs. */
#define HC_FLEET_MAX_CULPRITS 8 /* kept of a job: the first as they are ranked */
struct hc_fleet_culprit {
    char name[160], fix[80]; /* in words; what --fix takes, or "" */
    enum hc_culprit_kind kind;
    enum hc_slow_ops ops;
    enum hc_straggler_cause cause;
    int32_t since, until; /* numbers of steps */
    int64_t n_slow_steps;
    bool lasts;
    double factor, alone_s, split_s, gpu_hours_lost;
};

struct hc_fleet_row {
    char *cluster, *job_id;
    int32_t attempt;
    char segment_sha256[65];
    enum hc_fleet_fate fate;
    char detail[400]; /* why it was discarded, or "" */

    /* HC_MISSING_I32, 0 and NaN where not known; figures are known for analysed jobs, and those
     * before the stage that discarded it for others. */
    int32_t dp_size, pp_size, vpp_size, tp_size;
    int64_t n_gpus, n_ops, n_steps, n_steps_left_out;
    double gpu_hours_traced, gpu_hours_lost;
    double mean_traced_s, mean_replayed_s, mean_ideal_s;
    double slowdown, waste, launch_slowdown, discrepancy;
    struct hc_interval slowdown_interval;
    double m_w, m_s;    /* m_s is NaN without pipeline parallelism */
    double correlation; /* forward against backward, of the stage that the verdict used */
    double max_worker;  /* largest exact worker slowdown */
    enum hc_straggler_cause cause;
    uint32_t also; /* bit c: cause c passes besides */

    /* Of the culprits (sim/whatif/culprits.h) the one with the largest share: in words, "" when
     * none was found; then the figures are not known and the kind says nothing. */
    char culprit[256];
    enum hc_culprit_kind culprit_kind;
    int32_t culprit_since, culprit_until; /* numbers of steps */
    double culprit_factor, culprit_duty, culprit_share;

    int64_t n_found; /* culprits, also those that are not kept */
    size_t n_culprits;
    struct hc_fleet_culprit culprits[HC_FLEET_MAX_CULPRITS];
    size_t n_types;
    struct hc_fleet_type types[HC_FLEET_MAX_TYPES];
    size_t n_hosts;
    struct hc_fleet_host hosts[HC_FLEET_MAX_HOSTS]; /* as culprits rank them */
    size_t n_sampled;
    double sampled[HC_FLEET_SAMPLED_STEPS]; /* step slowdown over S, of steps drawn by job key */
};

/* A row of a job about which nothing else is known; the strings (UTF-8) are copied. */
enum hc_status hc_fleet_row_init(struct hc_fleet_row *row, const char *cluster, const char *job_id,
                                 int32_t attempt, struct hc_error *err);

/* Nothing but the key is known any more. */
void hc_fleet_row_forget(struct hc_fleet_row *row);

/* Put the figures of an analysis into a row that was initialised: the job's key chooses the sampled
 * steps. Key, segment_sha256, fate and detail stay as they are. */
void hc_fleet_row_fill(struct hc_fleet_row *row, const struct hc_whatif_result *result);

/* ---- the funnel: the only places where a fate is decided ---- */

/* Discard a job for a reason; figures that come after that stage are forgotten. */
void hc_fleet_row_discard(struct hc_fleet_row *row, enum hc_fleet_fate fate, const char *detail);

/* Discard a job that has more attempts in its archive than the limit. True when it was. */
bool hc_fleet_row_judge_attempts(struct hc_fleet_row *row, int64_t n_attempts,
                                 const struct hc_fleet_limits *limits);

/* Hold the figures of an analysed row against the other limits. */
void hc_fleet_row_judge(struct hc_fleet_row *row, const struct hc_fleet_limits *limits);

void hc_fleet_row_fini(struct hc_fleet_row *row);

/* Whether replayed and traced steps of a job that was replayed differ so much that the paper drops
 * it (HC_DISCREPANCY_LIMIT), because its ops start late: late launches are in the trace and not in
 * the replay, and they alone make traced steps the longer ones. */
bool hc_fleet_row_is_late(const struct hc_fleet_row *row);

/* By cluster, job id, attempt: for qsort. */
int hc_fleet_row_compare(const void *a, const void *b);

#endif
