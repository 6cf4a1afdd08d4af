/* ettr_result.h - the effective training time ratio (ETTR) of runs under its four names, with
 * numerator and denominator, by day and over a sliding hour, and of all of them together.
 *
 * A ratio that the records cannot give is left out with the reason: where attempts of a run are
 * missing, nobody knows what was queued or run in between, so there is no `meta` (account.md 1).
 */
#ifndef HC_MODELS_ACCOUNT_ETTR_ETTR_RESULT_H
#define HC_MODELS_ACCOUNT_ETTR_ETTR_RESULT_H

#include "models/account/ettr/run_progress.h"
#include "models/account/night/night.h"
#include "models/joins/joins.h"

/* An attempt, for those that restart counts tell and no record has. */
struct hc_ettr_attempt {
    int64_t raw_job;
    int32_t restarts;
};

/* What is gathered of a run besides its sums. */
struct hc_ettr_track {
    struct hc_run_progress progress;
    size_t n_attempts, attempts_room;
    struct hc_ettr_attempt *attempts;
};

struct hc_ettr_input {
    struct hc_night_runs runs;
    size_t n_tracks, tracks_room;
    struct hc_ettr_track *tracks; /* by the code of the run */
};

enum hc_status hc_ettr_take_attempt(struct hc_ettr_input *input, int32_t run,
                                    const struct hc_run_attempt *attempt,
                                    const struct hc_attempt_facts *facts,
                                    const struct hc_ettr_attempt *key, struct hc_error *err);
enum hc_status hc_ettr_take_slice(struct hc_ettr_input *input, int32_t run, int32_t gpus,
                                  const struct hc_slice *slice, struct hc_error *err);
/* Zeroed memory has none. */
void hc_ettr_input_fini(struct hc_ettr_input *input);

/* ---- the result ---- */

/* In hours; of goodput in GPU-hours. value: NaN: not known. */
struct hc_ettr_ratio {
    double productive, all, value;
};

struct hc_ettr_row {
    int32_t code; /* of the run */
    const char *name, *user;
    const struct hc_night_run *run;
    enum hc_run_rule rule;
    struct hc_ettr_ratio ratio[HC_N_ETTRS];
    double gpu_hours;
    struct hc_progress_window hour; /* the sliding hour */
    int64_t n_missing;              /* attempts that restart counts tell and no record has */
    int64_t n_gaps;                 /* launches that began from what no launch here had saved */
    bool is_provisional;            /* it runs: steps behind its last checkpoint are at risk */
    bool counts;                    /* in the value of the fleet */
    size_t first_day, n_days;       /* in the days of the result */
};

/* A day of a run, by byterobust. */
struct hc_ettr_day {
    size_t row; /* in the result */
    const char *day;
    struct hc_ettr_ratio ratio;
    double cumulative; /* from the first start to the end of the day */
};

struct hc_ettr_fleet {
    size_t n_runs, n_left_out; /* by the filter */
    struct hc_ettr_ratio ratio[HC_N_ETTRS];
    size_t n_of[HC_N_ETTRS]; /* runs that have it */
};

struct hc_ettr_result {
    size_t n, n_days, days_room;
    struct hc_ettr_row *rows; /* most GPU-hours first, then by name */
    struct hc_ettr_day *days; /* by row and day */
    struct hc_ettr_fleet fleet;
};

struct hc_ettr_choice {
    const char *name;                 /* of the only run, or NULL */
    int32_t least_gpus;               /* of a run that counts for the fleet */
    double least_hours;               /* since its first start, of one that counts for the fleet */
    int64_t from_ns, to_ns;           /* runs that held GPUs in between */
    const struct hc_night_days *days; /* that cover all of it */
    const struct hc_joins *joins;
};

/* HC_USAGE: there is no run of that name. */
enum hc_status hc_ettr_result_make(struct hc_ettr_result *result, struct hc_ettr_input *input,
                                   const struct hc_ettr_choice *choice, struct hc_error *err);
void hc_ettr_result_fini(struct hc_ettr_result *result);

#endif
