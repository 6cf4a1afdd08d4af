/* night_result.h - the account of a stretch of days, ready to be shown: leaves with what is
 * measured of them, the same time by group, runs with their ETTR, and what incidents cost.
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_RESULT_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_RESULT_H

#include "models/account/night/night.h"
#include "models/evidence/failures.h"

/* A leaf over the days that are reported, in GPU-hours. Rows with a `why` are parts of the row of
 * their `what` without one. */
struct hc_leaf_row {
    enum hc_what what;
    enum hc_why why; /* HC_WHY_COUNT: all of the leaf */
    enum hc_failure_evidence evidence;
    hc_gpu_ns gpu_ns;
    double gpu_hours, share;                           /* share: of all */
    double measured, estimated, unknown;               /* GPU-hours, by mark */
    double day_before, week_before, four_weeks_before; /* GPU-hours of as long a stretch, ending so
                                                        * much earlier; NaN: not in the window */
};

/* What a group of attempts did. */
struct hc_group_row {
    const char *name;
    double gpu_hours, share;
    double productive, startup, stalls, lost, faults, idle, unknown; /* GPU-hours; faults: failed
        start-up, detection, localisation, recovery; lost: lost and abandoned work */
    double productive_share; /* of its GPU-hours; NaN: it has none */
};

struct hc_group_rows {
    size_t n;
    struct hc_group_row *rows; /* most GPU-hours first, then by name */
};

/* A day of the window. */
struct hc_day_row {
    const char *day;
    double hours; /* 23 or 25 where the clocks change */
    bool is_provisional;
    struct hc_group_row all;
};

struct hc_run_row {
    const char *name, *user;
    const struct hc_night_run *run;
    double gpu_hours, day_gpu_hours; /* of the whole run; of the days that are reported */
    double day_productive_share;
    double lost_gpu_hours; /* of the whole run: lost and abandoned */
};

struct hc_incident_row {
    const struct hc_failure *failure;
    const char *cause;      /* "xid 79", "watchdog" */
    const char *node;       /* whose event is the evidence; NULL: none is */
    const char *user, *run; /* that paid; NULL: not known */
    double gpu_hours, lost, detection, recovery, startup, uncertain;
    bool is_unknown; /* no log tells what it cost */
    bool is_in_days; /* its fault lies in the days that are reported */
};

struct hc_goodput_row {
    enum hc_goodput_category category;
    hc_gpu_ns gpu_ns;
    double gpu_hours, share;
};

/* Days first to last of the night. */
struct hc_night_range {
    size_t first, last;
};

struct hc_night_result {
    const struct hc_night *night;
    struct hc_night_range range;
    hc_gpu_ns total_gpu_ns; /* sum of the leaves */
    double gpu_hours;       /* the same */
    double productive_share, measured_share, estimated_share, unknown_share;
    double held_gpu_hours;       /* GPUs of attempts times their time in the window */
    bool adds_up;                /* the leaves of the window sum to that, to the nanosecond */
    int64_t n_unknown_incidents; /* of the incidents: no log tells what they cost */
    size_t n_leaves, n_goodput, n_days, n_runs, n_incidents;
    struct hc_leaf_row *leaves;
    struct hc_goodput_row *goodput;
    struct hc_day_row *days;
    struct hc_group_rows by[HC_N_CUBE_DIMENSIONS];
    struct hc_run_row *runs;           /* that held GPUs in the days, most first */
    struct hc_incident_row *incidents; /* most GPU-hours first; of the days */
    double uncertain_gpu_hours;        /* of the days: between detection and lost work, by log
                                        * intervals */
    double excess_bound_gpu_hours;     /* of the days: as of the night */
};

/* Names and causes are looked up in what fed the night. */
struct hc_night_names {
    const struct hc_failures *failures;
    const char *(*run_name)(int32_t run, const void *context);
    const char *(*run_user)(int32_t run, const void *context);
    const char *(*cause)(int32_t failure, const void *context);
    const void *context;
    int64_t final_until_ns; /* days that end later are provisional */
};

enum hc_status hc_night_result_make(struct hc_night_result *result, struct hc_night *night,
                                    const struct hc_night_range *range,
                                    const struct hc_night_names *names, struct hc_error *err);
void hc_night_result_fini(struct hc_night_result *result);

/* A row of group sums out of GPU-time by leaf; all: GPU-hours that the share is of. */
void hc_night_group_row(struct hc_group_row *row, const char *name,
                        const hc_gpu_ns by_what[HC_WHAT_COUNT], double all);

/* "-12345678901234567890", which is in text. */
const char *hc_gpu_ns_text(hc_gpu_ns gpu_ns, char text[48]);

#endif
