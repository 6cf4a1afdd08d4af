/* survival.h - times until something happened, some of them cut off: until it had not happened yet.
 */
#ifndef HC_MODELS_STATS_SURVIVAL_H
#define HC_MODELS_STATS_SURVIVAL_H

#include "models/incidents/incident_choice.h"

struct hc_survival_time {
    double time; /* seconds */
    int64_t count;
    bool is_censored; /* at least this long */
};

struct hc_survival {
    struct hc_survival_time *times; /* ascending, each once, what happened before what was cut */
    size_t n, capacity;
    int64_t n_events, n_censored;
    int64_t n_zeros;       /* events after no time at all: taken as half the shortest other one */
    int64_t n_unknown;     /* incidents whose times do not say how long it was */
    int64_t n_overlapping; /* begin while the node is down: no failures of their own */
    double total;          /* sum of all times */
    /* When the failures came, for the trend: sum over failures of the distance from the middle of
     * the time of watching, and of its variance were they spread evenly. */
    int64_t n_placed;
    double sum_distance, sum_variance;
};

enum hc_incident_time {
    HC_TIME_REPAIR,       /* begin to recovery */
    HC_TIME_DETECTION,    /* begin to notice */
    HC_TIME_LOCALISATION, /* notice to place */
    HC_TIME_BETWEEN       /* time in use of a node until its next failure */
};

/* A node while it was watched. */
struct hc_node_history {
    const struct hc_incident *incidents; /* of the node, by time */
    size_t n;
    int64_t start_ns, end_ns;
    const bool *is_failure; /* by cause; other incidents only take the node out of use */
};

/* Add the times in use until each failure of a node; the last is cut by the end of watching. */
enum hc_status hc_survival_add_node(struct hc_survival *survival,
                                    const struct hc_node_history *history, struct hc_error *err);

/* Add count times. */
enum hc_status hc_survival_add(struct hc_survival *survival, double time, bool is_censored,
                               int64_t count, struct hc_error *err);

/* Sort, merge equal times, put zeros right, count: after the last was added. */
void hc_survival_finish(struct hc_survival *survival);

/* What the chosen incidents give; finished. HC_BAD_INPUT as hc_watch_open, which is asked for
 * HC_TIME_BETWEEN, and for other times only when a part of the time is chosen. */
enum hc_status hc_survival_of_choice(struct hc_survival *survival,
                                     const struct hc_incident_choice *choice,
                                     enum hc_incident_time what, struct hc_error *err);
void hc_survival_fini(struct hc_survival *survival);

/* Laplace's test: how far the failures lie from the middle of the time of watching, in standard
 * deviations (late ones positive), and how likely that is without a trend, both sides. False when
 * there is nothing to test. */
bool hc_laplace_trend(const struct hc_survival *survival, double *statistic, double *p_value);

#endif
