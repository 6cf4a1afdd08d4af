/* findings_judge.h - how one kind of finding is judged on one day. Private to this wing.
 *
 * A judge gets all series of its kind, ordered by subject, and a day; it reads no day after that
 * one. It fills a verdict for each series, and knows nothing of findings that are open.
 */
#ifndef HC_MODELS_FINDINGS_FINDINGS_JUDGE_H
#define HC_MODELS_FINDINGS_FINDINGS_JUDGE_H

#include "models/findings/findings.h"

#include <math.h>

/* Of one series on one day; the members are those of struct hc_finding. */
struct hc_finding_verdict {
    bool is_tested;
    bool is_withheld;
    bool is_steady;
    double p_value, by_chance, probability;
    double value, expected, dispersion;
    int window_days, n_baseline;
    int32_t n_runs, n_sources;
};

struct hc_finding_batch {
    const struct hc_findings_input *input;
    const struct hc_findings_options *options;
    enum hc_finding_kind kind;
    const struct hc_finding_series *const *series; /* [n] */
    size_t n;
    int day;
    struct hc_finding_verdict *verdicts; /* [n], not tested */
};

/* by_chance of each is then its p value times the number of those that were tested. */
typedef enum hc_status hc_finding_judge(const struct hc_finding_batch *batch, struct hc_error *err);
hc_finding_judge hc_judge_counts, hc_judge_levels, hc_judge_sums, hc_judge_sources;

/* Fills by_chance, too: nodes are judged together. */
hc_finding_judge hc_judge_lemons;

/* No cluster has more of anything on a day, and squares of it are numbers. */
#define HC_FINDING_MOST 1e15

/* Whether a day of a series was watched and its numbers can be. */
static inline bool hc_finding_is_watched(const struct hc_finding_series *series, int day)
{
    double exposure = series->exposure[day];
    if (!(exposure > 0) || exposure > HC_FINDING_MOST)
        return false;
    if (!series->amount)
        return true;
    double amount = series->amount[day];
    if (series->kind == HC_FINDING_RUN_ETTR && amount > exposure * (1 + 1e-9))
        return false;
    bool may_be_below_0 = series->kind == HC_FINDING_STARTUP || series->kind == HC_FINDING_QUEUE;
    return fabs(amount) <= HC_FINDING_MOST && (may_be_below_0 || amount >= 0);
}

/* Of a run, what its stops did not take, as a series of its own. */
static inline struct hc_finding_series hc_finding_steady(const struct hc_finding_series *series)
{
    struct hc_finding_series steady = *series;
    steady.amount = series->steady_amount;
    steady.exposure = series->steady_exposure;
    return steady;
}

/* The first of n_days days that end with this one, or the first that there is. */
static inline int hc_finding_first_day(int day, int n_days)
{
    return day - n_days + 1 > 0 ? day - n_days + 1 : 0;
}

/* Day of the week, 0 to 6, of a place in the series. */
static inline int hc_finding_weekday(const struct hc_findings_input *input, int day)
{
    return (int)(((input->first_day + day) % 7 + 7) % 7);
}

/* ---- failures together ---- */

#define HC_CLUSTER_LEVEL HC_N_FINDING_PLACES
#define HC_N_LEVELS      (HC_N_FINDING_PLACES + 1)

struct hc_end {
    const struct hc_failure_end *end;
    int32_t job, user, place; /* numbers of their names */
    bool is_first;            /* of its user at that place for the length of the window */
};

/* The ends of which that kind of place is known, by place, then time, job and user. */
struct hc_end_level {
    struct hc_end *rows;
    size_t n;
};
struct hc_ends {
    struct hc_end_level level[HC_N_LEVELS]; /* the last one has one place, the cluster */
    size_t n_bad; /* without a job or a user, or outside of the days: left out */
    int32_t
        *counts; /* [2 n of the cluster], by number of a user and of a job; all 0 between calls */
};
enum hc_status hc_ends_open(struct hc_ends *ends, const struct hc_findings_input *input,
                            int64_t window_ns, struct hc_error *err);
void hc_ends_close(struct hc_ends *ends);

/* A time in which jobs of several users at one place ended, each within the window of another. */
struct hc_cofailure {
    int level;
    size_t first, end; /* of the ends of the level */
    int64_t time_ns, last_ns;
    int n_jobs, n_users; /* different ones */
    double by_chance;    /* such moments on a day, at all places */
    double dispersion;   /* of failures by hour */
    double gpu_hours;
    size_t n_caused;   /* ends of which another source tells the fault */
    const char *cause; /* the fault of most of these, of equally many the first by name */
    const char *scope; /* "node", "rack" ... "cluster" */
    const char *place; /* its name; NULL: the cluster */
};

/* Whether faults that other sources tell ended at least half of them. */
static inline bool hc_cofailure_is_explained(const struct hc_cofailure *cofailure)
{
    return cofailure->n_caused && 2 * cofailure->n_caused >= cofailure->end - cofailure->first;
}

/* Those whose first end is on the day of the batch, by what ended up to the end of that day; rows
 * grow. */
struct hc_cofailures {
    size_t n, capacity;
    struct hc_cofailure *rows;
};
enum hc_status hc_find_cofailures(struct hc_cofailures *found, const struct hc_ends *ends,
                                  const struct hc_finding_batch *batch, struct hc_error *err);

/* Fills place and scope: a node that each of them ran on, or the place of the level; and the cause.
 */
enum hc_status hc_cofailure_scope(struct hc_cofailure *cofailure, const struct hc_ends *ends,
                                  struct hc_error *err);

/* Sentences; NULL with err filled without memory. */
char *hc_finding_sentence(const struct hc_finding_series *series,
                          const struct hc_finding_verdict *verdict,
                          const struct hc_findings_options *options, struct hc_error *err);
char *hc_cofailure_sentence(const struct hc_cofailure *cofailure,
                            const struct hc_findings_options *options, struct hc_error *err);

#endif
