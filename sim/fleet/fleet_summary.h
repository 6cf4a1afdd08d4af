/* fleet_summary.h - the figures of a population of jobs, from their rows (straggler-paper 8.2;
 * docs/methods/fleet-report.md defines each).
 *
 * Sums run over the rows in their order, or over sorted values, so the same rows give the same
 * bits. A figure weighted by GPU-hours is over the jobs whose GPU-hours are known, and says how
 * many these are; no job is given a weight that it does not have. What is not finite in a row is
 * not known, and takes no part in that figure.
 */
#ifndef HC_SIM_FLEET_FLEET_SUMMARY_H
#define HC_SIM_FLEET_FLEET_SUMMARY_H

#include "core/base/status.h"
#include "sim/fleet/fleet_cdf.h"
#include "sim/fleet/fleet_row.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_FLEET_LEVEL 0.95

/* Jobs that pass a test, among those to which it applies. */
struct hc_fleet_part {
    size_t n, of;               /* jobs */
    double share;               /* n / of; NaN for of = 0 */
    size_t unknown, of_unknown; /* those of n, and of "of", whose GPU-hours are not known */
    double hours, of_hours;     /* GPU-hours traced of n and of "of", where known */
    double hours_share;         /* NaN without hours */
};

/* One stage of the funnel: the jobs that it discards of those that the stages before left. For
 * HC_FLEET_ANALYSED: what is left at the end, of all. */
struct hc_fleet_stage {
    struct hc_fleet_part part;
    double share_of_all, hours_share_of_all;
};

/* ---- distributions ---- */

enum hc_fleet_cdf_id {
    HC_CDF_WASTE_BY_JOBS,
    HC_CDF_WASTE_BY_HOURS,
    HC_CDF_SLOWDOWN_BY_JOBS,
    HC_CDF_SLOWDOWN_BY_HOURS,
    HC_CDF_LAUNCH_BY_JOBS,
    HC_CDF_DISCREPANCY_BY_JOBS, /* of all jobs that were replayed, also those it discards */
    HC_CDF_STEPS,               /* the rest: of straggling jobs */
    HC_CDF_M_W_BY_JOBS,
    HC_CDF_M_W_BY_HOURS,
    HC_CDF_M_W_BY_WASTE,
    HC_CDF_M_S_BY_JOBS,
    HC_CDF_M_S_BY_HOURS,
    HC_CDF_M_S_BY_WASTE,
    HC_CDF_R_BY_JOBS,
    HC_CDF_R_BY_HOURS,
    HC_CDF_R_BY_WASTE,
    HC_N_FLEET_CDFS
};

/* "waste", "slowdown", "launch_slowdown", "discrepancy", "step_slowdown", "m_w", "m_s",
 * "correlation". */
const char *hc_fleet_cdf_figure(enum hc_fleet_cdf_id id);
/* What a value weighs: "jobs", "gpu_hours", "waste"; "steps" for step slowdowns. */
const char *hc_fleet_cdf_weight(enum hc_fleet_cdf_id id);

/* ---- metrics that tell causes apart, over straggling jobs ---- */

enum hc_fleet_metric_id { HC_METRIC_M_W, HC_METRIC_M_S, HC_METRIC_R, HC_N_FLEET_METRICS };

struct hc_fleet_metric {
    double limit;                /* M_W > 0.5, M_S >= 0.5, r >= 0.9 */
    struct hc_fleet_part passed; /* of the straggling jobs where it is known */
    size_t n_unknown;            /* straggling jobs where it is not */
    double mean_slowdown;        /* mean S of those that pass; NaN without any */
};

/* ---- op types ---- */

enum hc_fleet_class {
    HC_CLASS_COMPUTE,
    HC_CLASS_PP,
    HC_CLASS_DP,
    HC_CLASS_OTHER,
    HC_N_FLEET_CLASSES
};

/* "compute", "pp_comm", "dp_comm", "other". */
const char *hc_fleet_class_key(enum hc_fleet_class op_class);

/* Waste 1 - 1/S_t over the jobs that were split by op type and have the type. */
struct hc_fleet_type_waste {
    char name[40];
    enum hc_fleet_class op_class;
    struct hc_fleet_cdf by_jobs, by_hours;
};

/* ---- sizes ---- */

struct hc_fleet_size {
    int64_t from, to;             /* GPUs: from <= n < to; 0 and 0: not known */
    struct hc_fleet_cdf slowdown; /* of its jobs */
    struct hc_fleet_part straggling;
    double hours_lost;
};

/* ---- causes ---- */

struct hc_fleet_cause {
    struct hc_fleet_part part;     /* of all analysed jobs */
    size_t n_also;                 /* jobs of another cause whose tests this one passes besides */
    double share_of_straggling;    /* its jobs that straggle, of all that do; NaN for none */
    double hours_lost, lost_share; /* GPU-hours lost by its jobs, of all lost */
    double mean_slowdown;
};

/* ---- hosts ---- */

/* A host that is slow in at least one analysed job. Hosts of one name in two clusters are two. */
struct hc_fleet_host_total {
    const char *cluster, *name; /* of the rows */
    size_t n_jobs;              /* attempts of one job count once */
    int64_t n_stretches;
    /* GPU-hours, where known; NaN: of no job. The parts of its culprits in what fixing all of the
     * job saves (hc_culprit.split_s), which add up. */
    double hours_lost;
    size_t first_row; /* index of the row that since_step is of: the earliest by date, or where no
                         date is known the first */
    int32_t since_step;
    int64_t since_unix_ns; /* HC_MISSING_I64: not known */
    bool lasts;            /* slow at the end of one of the traces */
};

struct hc_fleet_summary {
    size_t n_jobs, n_analysed, n_straggling;
    size_t n_hours_unknown; /* analysed jobs whose GPU-hours are not known */

    struct hc_fleet_stage funnel[HC_N_FLEET_FATES];
    /* Analysed jobs that the paper would drop for their discrepancy, and that have it because their
     * ops start late (hc_fleet_row_is_late); the GPU-hours that late launches took of them, beside
     * what stragglers took; and the straggling jobs by the rule of the paper, of the analysed jobs
     * without these. */
    struct hc_fleet_part late;
    double late_hours_lost;
    struct hc_fleet_part straggling_in_time;

    /* Jobs that could not be read, are damaged or found no memory (hc_fleet_is_lacking), of all. */
    struct hc_fleet_part lacking;

    struct hc_fleet_part straggling;        /* of the analysed jobs */
    struct hc_interval straggling_interval; /* exact, of the share of jobs */
    double hours_traced, hours_lost;        /* of analysed jobs, where known */
    double lost_share;                      /* hours_lost / hours_traced */

    struct hc_fleet_cdf cdf[HC_N_FLEET_CDFS];

    double mean_straggling_slowdown; /* mean S of the straggling jobs */
    struct hc_fleet_metric metric[HC_N_FLEET_METRICS];
    struct hc_fleet_part without_pp, straggling_without_pp; /* of jobs whose pp size is known */

    size_t n_split; /* analysed jobs split by op type */
    struct hc_fleet_type_waste
        class_waste[HC_N_FLEET_CLASSES]; /* a job's largest type of the class */
    size_t n_types;
    struct hc_fleet_type_waste *types; /* by class, then descending mean waste */

    size_t n_sizes;
    struct hc_fleet_size sizes[65]; /* those that have jobs, ascending; not known is last */
    size_t n_size_pairs;            /* jobs with known GPUs and slowdown */
    size_t n_size_unknown;          /* the other analysed jobs */
    size_t n_sized[2], *sized[2];   /* indices of the rows of these pairs: that do not straggle, and
                                       that do */
    double size_correlation;        /* Spearman's, of S against GPUs; NaN when undefined */

    int64_t n_culprits; /* of the analysed jobs */

    /* Hosts by jobs, then GPU-hours lost, then cluster and name. Those that are slow in several
     * jobs are a finding: a machine, and not a job, is at fault. */
    size_t n_hosts, n_shared_hosts;
    struct hc_fleet_host_total *hosts;

    struct hc_fleet_cause causes[HC_N_STRAGGLER_CAUSES];
    /* The cause other than none that lost the most GPU-hours, or has the most jobs where no hours
     * are known; HC_STRAGGLER_NONE when no job straggles. */
    enum hc_straggler_cause main_cause;

    /* Indices of analysed rows: by descending GPU-hours lost; those without, by descending waste.
     */
    size_t n_ranked, n_unranked;
    size_t *ranked, *unranked;
};

/* GPU-hours traced of a row, NaN when they (or the GPUs, or what an analysed job lost) are not
 * known. */
double hc_fleet_row_hours(const struct hc_fleet_row *row);

/* Whether a job counts as straggling wherever these are counted: analysed, and S >= HC_STRAGGLING.
 */
bool hc_fleet_is_straggling(const struct hc_fleet_row *row);

/* HC_BAD_INPUT for a row with a fate or cause that is none. summary is filled on success only, and
 * then the caller's to hc_fleet_summary_fini. */
enum hc_status hc_fleet_summarise(struct hc_fleet_summary *summary, const struct hc_fleet_row *rows,
                                  size_t n_rows, struct hc_error *err);
void hc_fleet_summary_fini(struct hc_fleet_summary *summary);

#endif
