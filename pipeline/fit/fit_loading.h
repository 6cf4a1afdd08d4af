/* fit_loading.h - the parts of loading what parameters are fitted to. Private to this wing. */
#ifndef HC_PIPELINE_FIT_FIT_LOADING_H
#define HC_PIPELINE_FIT_FIT_LOADING_H

#include "pipeline/fit/fit_load.h"

/* A launch of training in an attempt; those that several logs tell of are one. */
struct hc_fit_launch {
    int32_t attempt, run, cycle;             /* cycle: in the joins, that of the first log */
    int64_t start_ns, first_step_ns, end_ns; /* first_step_ns: missing where it made none */
};

/* A job that is called as one of a run is, by the same user from the same directory: it may be
 * another try of it that no log tells of. */
struct hc_fit_namesake {
    uint64_t key; /* hash of user, name, directory and number of nodes */
    int64_t start_ns, submit_ns, raw_job;
};

struct hc_fit_loading {
    const struct hc_fit_choice *choice;
    struct hc_failure_records *failures;
    struct hc_fit_records *records;
    size_t n_launches;
    struct hc_fit_launch *launches; /* by attempt and time */
    size_t n_namesakes, namesakes_room;
    struct hc_fit_namesake *namesakes; /* by key and start */
    size_t n_tries;
    struct hc_fit_try {
        int32_t run, attempt;
        int64_t start_ns;
    } * tries;     /* attempts of runs, by run and start */
    int32_t *side; /* of an attempt of the joins whose end is a failure: 1 + enum hc_failure_side */
};

/* The times of jobs, and what of the nodes they used: window, exposure, uses. */
enum hc_status hc_fit_load_jobs(struct hc_fit_loading *loading, struct hc_error *err);
/* Launches, runs, starts, saves. */
enum hc_status hc_fit_load_runs(struct hc_fit_loading *loading, struct hc_error *err);
/* Attempts in the order of their runs, and those that are called alike. After the runs. */
enum hc_status hc_fit_load_tries(struct hc_fit_loading *loading, struct hc_error *err);
/* The attempt of its run after an attempt of the joins: by their logs, or one that no log tells of
 * but is called alike, after end_ns. False: there is none. */
bool hc_fit_next(const struct hc_fit_loading *loading, int32_t attempt, int64_t end_ns,
                 struct hc_fit_namesake *next);
/* Fills side, too. */
enum hc_status hc_fit_load_strikes(struct hc_fit_loading *loading, struct hc_error *err);
/* Other ends of the attempts of runs. After the strikes. */
enum hc_status hc_fit_load_stops(struct hc_fit_loading *loading, struct hc_error *err);
/* Steps and saves of the run that was asked for, if any, and the lines of steps around strikes. */
enum hc_status hc_fit_load_steps(struct hc_fit_loading *loading, struct hc_error *err);
enum hc_status hc_fit_load_phases(struct hc_fit_loading *loading, struct hc_error *err);
enum hc_status hc_fit_load_repairs(struct hc_fit_loading *loading, struct hc_error *err);

#endif
