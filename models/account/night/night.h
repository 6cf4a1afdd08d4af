/* night.h - the account of a cluster over the days of a window: the sums of its slices, what each
 * incident cost, and how each run fared.
 *
 * It is filled attempt by attempt, slice by slice, in any order of attempts; sums are integers, so
 * that the order does not show.
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_H

#include "models/account/night/night_runs.h"
#include "models/account/tree/account_cube.h"
#include "models/account/tree/attempt_slices.h"

/* Days of a place: 23 or 25 hours long where its clocks change. */
struct hc_night_days {
    size_t n;
    int64_t *edges_ns; /* day i is from edges_ns[i] to before edges_ns[i + 1] */
    char (*names)[11]; /* "2026-03-01" */
};

/* The account's view of an attempt; texts last for the call. NULL: not recorded. */
struct hc_night_attempt {
    int64_t raw_job;
    int32_t restarts; /* or missing */
    int64_t submit_ns, eligible_ns, start_ns, end_ns;
    int32_t gpus;
    int32_t run; /* code of the run, or -1 */
    bool is_running;
    const char *user, *account, *partition, *node_list;
};

/* What a failure cost in all, on whatever day (account.md 2). */
struct hc_night_cost {
    int32_t failure;
    int32_t run; /* code of the run that paid, or -1 */
    hc_gpu_ns gpu_ns[HC_WHAT_COUNT];
    hc_gpu_ns total_gpu_ns;
    hc_gpu_ns uncertain_gpu_ns; /* widths of the intervals in which the faults lie */
};

/* What tells of an attempt, besides that it held GPUs. */
enum hc_night_cover {
    HC_COVERED_BY_RECORD, /* the scheduler's record says how many GPUs it held */
    HC_COVERED_BY_LOG,    /* a log of training joined it */
    HC_COVERED_BY_PHASES, /* phases of its start-up are marked */
    HC_COVERED_BY_TRACE,  /* a timeline of ops joined it, by which its steps are split */
    HC_N_COVERS
};

/* What the records do not say of the attempts that were looked at, and what was made of it. */
struct hc_night_gaps {
    int64_t n_never_ran;    /* jobs that held nothing */
    int64_t n_unplaced;     /* jobs that ran, and nobody knows when, or that end before they start:
                             * left out */
    int64_t n_gpus_unknown; /* attempts whose record does not say how many GPUs they held: left
                             * out */
    int64_t n_gpus_estimated; /* by their nodes, and what the site file says of the partition */
    int64_t n_suspended;      /* attempts that were suspended: that time is held, too */
    int64_t n_unjoined;       /* launches in logs that joined no attempt, or several: left out */
    int64_t n_without_clock;  /* launches that joined, in logs without times: left out */
    int64_t n_united;         /* logs of a launch of which another log tells, too */
    int64_t n_outside;        /* launches that begin when their attempt did not run: cut to it */
    int64_t n_crowded;        /* launches with more ranks than their attempt has GPUs */
    int64_t n_any_cluster; /* launches that joined, of logs that nobody said the cluster of, though
                            * the archive has jobs of several: they may be another's */
    hc_gpu_ns suspended_gpu_ns;
};

struct hc_night {
    struct hc_night_gaps gaps;
    struct hc_night_days days;
    struct hc_account_cube cube;
    struct hc_night_runs runs;
    size_t n_costs, costs_room;
    struct hc_night_cost *costs;
    struct hc_int_map cost_of;      /* a failure to its cost */
    int64_t n_attempts;             /* that held GPUs within the window */
    int64_t n_bad_lists;            /* attempts whose list of nodes cannot be read */
    int64_t n_uneven;               /* attempts whose GPUs are not equal parts of their nodes' */
    hc_gpu_ns held_gpu_ns;          /* by them: GPUs times time in the window */
    hc_gpu_ns *uncertain_gpu_ns;    /* as of costs, by the day on which detection begins; NULL:
                                     * nothing */
    hc_gpu_ns *excess_bound_gpu_ns; /* by day, what stragglers may have added at most to productive
                                     * steps beside traced ones; NULL: nothing */
    hc_gpu_ns (*covered_gpu_ns)[HC_N_COVERS]; /* by day; NULL: no attempt was taken */
    /* Of the attempt at hand: */
    int32_t codes[HC_N_CUBE_DIMENSIONS];
    size_t n_nodes, nodes_room;
    int32_t *nodes;
};

/* Take an attempt; its slices follow. */
enum hc_status hc_night_take_attempt(struct hc_night *night, const struct hc_night_attempt *attempt,
                                     const struct hc_attempt_facts *facts, struct hc_error *err);
/* Take a slice of the attempt that was taken last. cause: of its failure, or NULL. */
enum hc_status hc_night_take_slice(struct hc_night *night, const struct hc_night_attempt *attempt,
                                   const struct hc_slice *slice, const char *cause,
                                   struct hc_error *err);
/* Say what tells of the attempt that was taken last. */
enum hc_status hc_night_cover(struct hc_night *night, const struct hc_night_attempt *attempt,
                              const bool is_covered[HC_N_COVERS], struct hc_error *err);
/* Zeroed memory, but for the days, is an empty night. Frees the days too. */
void hc_night_fini(struct hc_night *night);

/* GPUs: "1", "2-7", "8", "9-63", "64-255", "256-1023", "1024+". */
const char *hc_night_size_class(int32_t gpus);

#endif
