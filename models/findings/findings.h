/* findings.h - what changed in a fleet, with a bound on how often that is said wrongly.
 *
 * A finding is a sentence of the nightly report: a node fails too often, an event comes more often
 * than it did, a phase of start-up or a queue takes longer, the ETTR of a run fell, jobs of several
 * users ended together, two sums differ, a source is silent. This wing has the statistics of it,
 * over plain daily series that end with the day of the report; it reads no archive and no clock, so
 * what it says is a function of its input alone, whatever the order of the series.
 *
 *     struct hc_findings_options options = hc_findings_defaults();
 *     struct hc_findings found;
 *     if (hc_findings_run(&found, &input, &options, &err)) ...
 *     for (size_t i = 0; i < found.n; i++) puts(found.rows[i].text);
 *     hc_findings_fini(&found);
 *
 * **The bound.** Each kind may spend a share of options.false_per_week. On each day each series of
 * a kind gets `by_chance`: how many series of that kind would look so bad on that day if nothing
 * had changed (p value times the number of series that were tested). A finding opens at a seventh
 * of what the kind may spend in a week, and stays open until by_chance is above keep_factor times
 * that for keep_days days in a row. So at most that many findings a week open by chance, however
 * many series there are, as far as the p values are right; docs/methods/findings.md says what they
 * assume, and tests/unit/test_findings_calibration.c measures it where that does not hold.
 */
#ifndef HC_MODELS_FINDINGS_FINDINGS_H
#define HC_MODELS_FINDINGS_FINDINGS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ids are made of the names of kinds: never change one. */
enum hc_finding_kind {
    HC_FINDING_LEMON_NODE,
    HC_FINDING_EVENT_RATE,
    HC_FINDING_STARTUP,
    HC_FINDING_RUN_ETTR,
    HC_FINDING_QUEUE,
    HC_FINDING_COFAILURE,
    HC_FINDING_RECONCILIATION,
    HC_FINDING_STALE_SOURCE,
    HC_N_FINDING_KINDS
};

/* "lemon_node" ... "stale_source" */
const char *hc_finding_kind_name(enum hc_finding_kind kind);

enum hc_finding_severity { HC_FINDING_INFO, HC_FINDING_WARNING, HC_FINDING_CRITICAL };

/* "info", "warning", "critical" */
const char *hc_finding_severity_name(enum hc_finding_severity severity);

/* ---- input ---- */

/* One failure of a node. */
struct hc_finding_failure {
    int32_t day;    /* place in the series, from 0 */
    int32_t source; /* which source says so, any number */
    uint64_t run;   /* which run it stopped, any number; 0: none */
    double weight;  /* its part in a failure of several nodes, above 0 and at most 1 */
};

/* A subject over the days of the input. Arrays have n_days values; a day on which exposure is not
 * above 0 was not watched.
 *
 * | kind           | subject        | amount                            | exposure             |
 * |----------------|----------------|-----------------------------------|----------------------|
 * | lemon_node     | node           | (NULL; its failures are given)    | node-days in use     |
 * | event_rate     | class of event | events, not below 0               | node-days in use     |
 * | startup, queue | phase, queue   | location of hc_day_summary        | its number of values |
 * | run_ettr       | run            | productive GPU-hours              | GPU-hours held       |
 * | reconciliation | what is summed | GPU-hours of the account          | of the scheduler     |
 * | stale_source   | source         | age of its last stamp at the end of the day (h)|above 0  |
 *
 * Cofailures come from hc_failure_end. Events that one fault repeats within minutes should be one.
 */
struct hc_finding_series {
    enum hc_finding_kind kind;
    const char *subject;
    const double *amount;
    const double *exposure;
    /* run_ettr: the same two without what its stops took, judged besides; NULL: not known. */
    const double *steady_amount, *steady_exposure;
    const double *error;     /* startup, queue: standard error of the location; NULL: 0 */
    const double *gpu_hours; /* at stake on each day; NULL: none known */
    const struct hc_finding_failure *failures;
    size_t n_failures;
};

/* Places that may be what failures have in common, the narrowest first. */
enum hc_finding_place {
    HC_PLACE_RACK,
    HC_PLACE_SWITCH,
    HC_PLACE_FILE_SYSTEM,
    HC_PLACE_PARTITION,
    HC_N_FINDING_PLACES
};

/* An attempt that ended in failure. */
struct hc_failure_end {
    int64_t time_ns;
    const char *job, *user;
    const char *const *nodes;
    size_t n_nodes;
    const char *place[HC_N_FINDING_PLACES]; /* the one that holds all of the job; NULL: none */
    double gpu_hours;                       /* at stake */
    const char
        *cause; /* a fault that another source tells and that ended it, as "link"; NULL: none */
};

struct hc_findings_input {
    int n_days;        /* the last one is the day of the report */
    int64_t first_day; /* days from 1970-01-01 of the first one, in the zone of the site */
    const struct hc_finding_series *series;
    size_t n_series;
    const struct hc_failure_end *ends; /* in any order */
    size_t n_ends;
    const int64_t *day_start_ns; /* [n_days + 1], ascending; NULL only without ends */
};

/* ---- options ---- */

#define HC_FINDING_MOST_BASELINE 112 /* days */
#define HC_FINDING_RECENT_DAYS   7   /* before the day judged that are in no baseline */

struct hc_findings_options {
    double false_per_week;            /* findings that open by chance, at most */
    double share[HC_N_FINDING_KINDS]; /* of these, what a kind may spend; at most 1 together */
    double keep_factor;               /* by_chance up to which an open finding stays, over that at
                                         which it opens */
    int keep_days;                    /* days in a row above that close it */
    int baseline_days;  /* of the past that days are compared with; HC_FINDING_MOST_BASELINE at most
                         */
    int least_baseline; /* days of it that must have been watched; of a run a half of them */
    int lookback_days;  /* that are judged anew to tell when a finding was first seen */
    int lemon_window_days;
    double lemon_factor;     /* rate of a lemon over that of the fleet, above 1 */
    double lemon_prevalence; /* share of nodes that are lemons, assumed */
    double lemon_fdr;        /* 1 - posterior probability, at most */
    double least_growth_events, least_growth_startup, least_growth_queue; /* factors: no finding */
    double least_fall_ettr;                                               /* below these */
    double reconciliation_limit; /* share that may differ */
    int64_t cofailure_window_ns;
    int cofailure_least_jobs, cofailure_least_users;
    double warning_gpu_hours, critical_gpu_hours; /* at stake, from which a finding is one */
};

struct hc_findings_options hc_findings_defaults(void);

/* What the days before the report need for nothing to be cut short: the days of look-back, of the
 * baseline of the first of them, and those between. */
int hc_findings_days_wanted(const struct hc_findings_options *options);

/* ---- result ---- */

#define HC_FINDING_ID_SIZE 17

struct hc_finding {
    char id[HC_FINDING_ID_SIZE]; /* 16 hex digits of kind and subject: the same each night */
    enum hc_finding_kind kind;
    enum hc_finding_severity severity;
    char *subject;
    int64_t first_seen;         /* day from 1970-01-01 on which it opened */
    bool is_first_seen_earlier; /* it was open at the first day that was judged */
    bool is_new;                /* it opened on the day of the report */
    bool is_explained;          /* cofailure: faults that other sources tell ended most of them */
    bool is_steady;             /* run_ettr: what its stops did not take decided */
    bool is_ongoing;            /* below the opening threshold today, and kept open */
    double value, expected;     /* docs/methods/findings.md says in which unit */
    double p_value;             /* of this series alone; NaN: no test */
    double probability;         /* lemon_node: that its rate is above the factor; else NaN */
    double by_chance;           /* series of this kind that look so on a day, nothing changed */
    double dispersion;          /* variance over that of Poisson; of a level its standard
                                   deviation between days; NaN: none was used */
    int window_days;            /* that decided */
    int n_baseline;             /* days that they were compared with */
    int32_t n_runs, n_sources;  /* lemon_node: independent evidence */
    double gpu_hours;           /* at stake in the window */
    char *text;                 /* a sentence with the numbers; foreign names are as they came */
};

/* What became of the series of a kind on the day of the report. */
struct hc_finding_counts {
    size_t n_series, n_tested;
    size_t n_short;    /* not tested: too little of the past, or not watched that day */
    size_t n_withheld; /* nodes that would be named if more than one run or source said so */
    size_t n_findings;
};

struct hc_findings {
    size_t n;
    struct hc_finding *rows; /* most severe first, then most GPU-hours, then kind and subject */
    struct hc_finding_counts counts[HC_N_FINDING_KINDS];
    size_t n_bad_values;     /* days or failures that are left out, as their numbers cannot be */
    const char *bad_subject; /* the first of them, in the order of kind and subject; of the */
    enum hc_finding_kind bad_kind; /* input; NULL: none */
};

/* Judge the last day. HC_BAD_INPUT: options or days out of range, or two series of one kind and
 * subject. HC_INTERNAL: no memory. */
enum hc_status hc_findings_run(struct hc_findings *findings, const struct hc_findings_input *input,
                               const struct hc_findings_options *options, struct hc_error *err);
void hc_findings_fini(struct hc_findings *findings);

/* ---- what it would have said ---- */

struct hc_finding_onset {
    enum hc_finding_kind kind;
    const char *subject; /* of the input; of cofailures the user-independent name of the scope */
    int day;             /* place in the series */
};

struct hc_findings_backtest {
    int from_day, n_days;
    size_t n;
    struct hc_finding_onset *rows; /* findings that opened, by day, kind and subject */
    size_t n_opened[HC_N_FINDING_KINDS];
    size_t n_tested[HC_N_FINDING_KINDS]; /* series times days */
};

/* Judge each of the last n_days, by the days up to it only; findings open before the first of them
 * are found as in hc_findings_run and are no onsets. Errors as there. */
enum hc_status hc_findings_backtest(struct hc_findings_backtest *backtest,
                                    const struct hc_findings_input *input,
                                    const struct hc_findings_options *options, int n_days,
                                    struct hc_error *err);
void hc_findings_backtest_fini(struct hc_findings_backtest *backtest);

/* ---- the bound ---- */

struct hc_findings_bound {
    double false_per_week; /* findings of nothing, at most */
    double true_per_week;  /* findings of changes, at that power */
    double false_share;    /* of all findings; NaN: there are none */
};

/* What to expect where a share `prevalence` (0 to 1) of the series change in a week, and a change
 * is found with this power. n_series counts by kind. */
struct hc_findings_bound hc_findings_expected(const struct hc_findings_options *options,
                                              const size_t n_series[HC_N_FINDING_KINDS],
                                              double prevalence, double power);

/* What by_chance may be at most for a finding of this kind to open on a day. */
double hc_finding_budget(const struct hc_findings_options *options, enum hc_finding_kind kind);

#endif
