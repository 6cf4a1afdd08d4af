/* survival.h - times until something happened, some of them cut off: until it had not happened yet.
 */
#ifndef HC_MODELS_STATS_SURVIVAL_H
#define HC_MODELS_STATS_SURVIVAL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_survival_time {
    double time; /* seconds */
    int64_t count;
    bool is_censored; /* at least this long */
    /* Counted from when watching began, of what had lasted then for a time that nobody knows: the
     * rest of a renewal that is in service for long (forward recurrence). */
    bool is_residual;
};

struct hc_survival {
    struct hc_survival_time *times; /* ascending, each once, what happened before what was cut,
                                       whole times before residual ones */
    size_t n, capacity;
    int64_t n_events, n_censored;
    int64_t n_residual;    /* of both */
    int64_t n_zeros;       /* events after no time at all: taken as half the shortest other one */
    int64_t n_unknown;     /* incidents that lack a time which the duration needs */
    int64_t n_overlapping; /* begin while the node is down: no failures of their own */
    double total;          /* sum of all times */
    /* For the trend test: n_placed failures have a place in their time of watching. Sums over these
     * of the distance from its middle, and of the variance that the distance would have if failures
     * were spread evenly. */
    int64_t n_placed;
    double sum_distance, sum_variance;
};

/* Add count times. */
enum hc_status hc_survival_add(struct hc_survival *survival, double time, bool is_censored,
                               int64_t count, struct hc_error *err);

enum hc_status hc_survival_add_residual(struct hc_survival *survival, double time, bool is_censored,
                                        int64_t count, struct hc_error *err);

/* Call after the last time was added: sorts, merges equal times, replaces zeros, counts. */
void hc_survival_finish(struct hc_survival *survival);
void hc_survival_fini(struct hc_survival *survival);

/* The share that lasts longer, after Kaplan and Meier (1958), at 0 and at each time of an event;
 * residual times are left out. */
struct hc_survival_curve {
    size_t n;
    double *time_s, *above, *fitted; /* [n]; fitted: the same share by a fitted distribution, 0
                                        until a caller fills it in */
};

/* Of finished times. The curve has no points when nothing happened. HC_INTERNAL without memory. */
enum hc_status hc_survival_curve(struct hc_survival_curve *curve,
                                 const struct hc_survival *survival, struct hc_error *err);
void hc_survival_curve_fini(struct hc_survival_curve *curve);

/* Laplace's test: how far the failures lie from the middle of the time of watching, in standard
 * deviations (late ones positive), and how likely that is without a trend, both sides. False when
 * there is nothing to test. */
bool hc_laplace_trend(const struct hc_survival *survival, double *statistic, double *p_value);

#endif
