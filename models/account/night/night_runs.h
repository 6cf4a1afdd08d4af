/* night_runs.h - what the runs of an account held and made of it: their ETTR under its names.
 *
 * All sums are over the whole of a run, as far as it is known, not over a window. Times are those
 * of the run: GPU-time over the GPUs of its attempts.
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_RUNS_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_RUNS_H

#include "models/account/tree/attempt_slices.h"

enum hc_ettr {
    HC_ETTR_META,       /* productive over time run and queued (arXiv 2410.21680) */
    HC_ETTR_BYTEROBUST, /* productive over time since the first start (arXiv 2509.16293) */
    HC_ETTR_GOODPUT,    /* by the categories of ml-goodput: productive over GPU-time held */
    HC_ETTR_NOMINAL,    /* steps kept, times the time of an undisturbed one, over that of
                         * byterobust */
    HC_N_ETTRS
};

/* "meta" */
const char *hc_ettr_name(enum hc_ettr ettr);
/* What it counts, in a sentence. */
const char *hc_ettr_sentence(enum hc_ettr ettr);
/* Whether a leaf counts as productive. */
bool hc_ettr_counts(enum hc_ettr ettr, enum hc_what what);

/* A stretch of the life of an attempt. */
struct hc_run_stretch {
    int64_t from_ns, to_ns;
    int32_t kind; /* 0 run, 1 queued, 2 held: the least counts where several are at once */
};

struct hc_night_run {
    int64_t n_attempts, n_launches, n_stops; /* stops: launches that a failure ended */
    int64_t first_submit_ns, first_start_ns, last_end_ns;
    int64_t steps, kept_steps, lost_steps; /* that logs tell */
    int32_t most_gpus;
    bool is_running;
    bool is_concurrent; /* attempts of it ran at once: ratios of its time mean nothing */
    int64_t n_missing;  /* attempts that restart counts tell and no record has, and gaps in lineage:
                         * no ETTR of meta */
    size_t n_jobs, jobs_room;
    struct hc_run_job {
        int64_t raw_job;
        int64_t n;
        int32_t most_restarts;
    } * jobs;
    hc_gpu_ns gpu_ns[HC_WHAT_COUNT]; /* of all its slices */
    double productive_s[HC_N_ETTRS]; /* GPU-time that counts, over the GPUs of its attempts */
    /* Of the attempt at hand, so that it does not show into how many slices its time is cut: */
    hc_gpu_ns counted_gpu_ns[HC_N_ETTRS];
    int32_t counted_gpus;
    size_t n_stretches, stretches_room;
    struct hc_run_stretch *stretches;
    size_t n_times, times_room;
    struct hc_run_times {
        int32_t gpus;
        int64_t step_ns, n; /* of so many steady steps of a line each */
    } * times;
    size_t n_sizes, sizes_room;
    struct hc_run_size {
        int32_t gpus;
        int64_t kept_steps;
    } * sizes;
    /* Filled by hc_night_runs_end: */
    double ran_s, queued_s, held_s, off_s; /* of the time since the first submission */
    double wall_s;                         /* since the first start */
    double reference_step_s;               /* of a step that was kept, in the mean: the 10th
                                              percentile of the steady steps of its size; NaN: unknown */
    double ettr[HC_N_ETTRS];               /* NaN: unknown */
};

struct hc_night_runs {
    size_t n, room;
    struct hc_night_run *list; /* by the code of the run */
};

/* An attempt of a run: what it held when. */
struct hc_run_attempt {
    int64_t raw_job;
    int32_t restarts; /* or missing */
    int64_t submit_ns, eligible_ns, start_ns, end_ns;
    int32_t gpus;
    bool is_running;
};

enum hc_status hc_night_runs_take_attempt(struct hc_night_runs *runs, int32_t run,
                                          const struct hc_run_attempt *attempt,
                                          const struct hc_attempt_facts *facts,
                                          struct hc_error *err);
void hc_night_runs_take_slice(struct hc_night_runs *runs, int32_t run, int32_t gpus,
                              const struct hc_slice *slice);
/* After the last: ETTRs. */
void hc_night_runs_end(struct hc_night_runs *runs);
void hc_night_runs_fini(struct hc_night_runs *runs);

#endif
