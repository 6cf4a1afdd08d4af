/* reliability_analysis.h - what a report of incidents says beyond counts: distributions fitted to
 * the time between failures and to repairs, whether there is a trend, whether two times differ, and
 * which nodes fail too often (docs/methods/reliability.md). Failures are those of the
 * infrastructure. */
#ifndef HC_MODELS_INCIDENTS_RELIABILITY_ANALYSIS_H
#define HC_MODELS_INCIDENTS_RELIABILITY_ANALYSIS_H

#include "models/incidents/reliability.h"
#include "models/stats/survival_fit.h"

/* ---- fits ---- */

struct hc_group_fit {
    int32_t source, group; /* source -1: all groups */
    int64_t nodes;
    int64_t n_failures, n_censored, n_zeros, n_overlapping; /* of the times between */
    int64_t n_repairs, n_no_end;
    const char *lacks; /* why there are no fits, or NULL */
    struct hc_fits between, repair;
    /* The times themselves, and the best fit at their points. */
    struct hc_survival_curve between_curve, repair_curve;
    bool has_trend_test;
    double trend, trend_p; /* Laplace's statistic; late failures positive */
};

struct hc_group_fits {
    size_t n;
    struct hc_group_fit *rows; /* all groups first, where there are several */
};

#define HC_TREND_P 0.05 /* below, a trend is said to be there */

/* Per group of known nodes and time of watching. */
enum hc_status hc_reliability_fit(struct hc_group_fits *fits, const struct hc_incident_set *set,
                                  const struct hc_reliability_options *options,
                                  struct hc_error *err);
void hc_group_fits_fini(struct hc_group_fits *fits);

/* ---- two times ---- */

/* The rate of the second time over that of the first. */
struct hc_rate_comparison {
    int64_t first, second; /* failures */
    double first_days, second_days;
    struct hc_estimate ratio; /* NaN where it cannot be told; the high end may be infinite */
    double p_value;           /* exact, both sides */
};

/* One for each rule of rates, of two reports of the same sources. */
struct hc_rate_comparison hc_compare_rates(const struct hc_reliability *first,
                                           const struct hc_reliability *second,
                                           enum hc_rate_rule rule);

/* ---- nodes that fail too often ---- */

struct hc_lemon_options {
    double factor;      /* rate of a lemon over that of its group, > 1 */
    double window_days; /* counted back from the end of watching */
    double fdr;         /* expected share of those named that are none */
};

/* A node in one window, with at least one failure. */
struct hc_lemon {
    int32_t source, group, node;
    int64_t from_ns, to_ns;
    double days;             /* watched in the window */
    double failures;         /* those that several nodes share count their part */
    int64_t n_failures;      /* each counted whole */
    int64_t n_shared;        /* of these, shared ones */
    int64_t n_incidents;     /* of any origin */
    int32_t n_causes, cause; /* different causes of failures; the most frequent */
    double per_1000;         /* mean of what its rate can be, per 1,000 days */
    double probability;      /* that it is above factor times the rate of the group */
    bool is_named;
};

struct hc_lemon_group {
    int32_t source, group;
    double per_1000;   /* failures per 1,000 node-days */
    double shape;      /* of the gamma distribution of rates; infinite: no node differs */
    int64_t n_windows; /* nodes times windows */
};

struct hc_lemons {
    struct hc_lemon_options options;
    size_t n, n_named, n_groups;
    struct hc_lemon *rows; /* the most probable first */
    struct hc_lemon_group *groups;
    int64_t n_windows;     /* of all groups */
    double expected_false; /* of those named */
};

enum hc_status hc_find_lemons(struct hc_lemons *lemons, const struct hc_incident_set *set,
                              const struct hc_reliability_options *options,
                              const struct hc_lemon_options *how, struct hc_error *err);
void hc_lemons_fini(struct hc_lemons *lemons);

#endif
