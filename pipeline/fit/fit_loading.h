/* fit_loading.h - the parts of loading what parameters are fitted to. Private to this wing. */
#ifndef HC_PIPELINE_FIT_FIT_LOADING_H
#define HC_PIPELINE_FIT_FIT_LOADING_H

#include "pipeline/fit/fit_load.h"

/* A launch of training in an attempt; those that several logs tell of are one. */
struct hc_fit_launch {
    int32_t attempt, run;
    int64_t start_ns, first_step_ns, end_ns; /* first_step_ns: missing where it made none */
};

/* A job that is called as one of a run is, by the same user from the same directory: it may be
 * another try of it that no log tells of. */
struct hc_fit_namesake {
    uint64_t key; /* hc_fit_key */
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
};

/* The times of jobs, and what of the nodes they used: window, exposure, uses. */
enum hc_status hc_fit_load_jobs(struct hc_fit_loading *loading, struct hc_error *err);
/* Launches, runs, starts, saves. */
enum hc_status hc_fit_load_runs(struct hc_fit_loading *loading, struct hc_error *err);
/* After the runs. */
enum hc_status hc_fit_load_namesakes(struct hc_fit_loading *loading, struct hc_error *err);
/* The hash of user, name, directory and nodes of an attempt; 0: one of the texts is not known. */
uint64_t hc_fit_key(const struct hc_joins *joins, const struct hc_join_attempt *attempt);
/* The first of a key that starts at or after a time, or NULL. */
const struct hc_fit_namesake *hc_fit_next_namesake(const struct hc_fit_loading *loading,
                                                   uint64_t key, int64_t from_ns);
enum hc_status hc_fit_load_strikes(struct hc_fit_loading *loading, struct hc_error *err);
/* Of the run that was asked for, if any. */
enum hc_status hc_fit_load_steps(struct hc_fit_loading *loading, struct hc_error *err);
enum hc_status hc_fit_load_repairs(struct hc_fit_loading *loading, struct hc_error *err);

#endif
