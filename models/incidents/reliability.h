/* reliability.h - what recorded incidents say of a fleet: counts, rates, repair, availability
 * (docs/methods/reliability.md). */
#ifndef HC_MODELS_INCIDENTS_RELIABILITY_H
#define HC_MODELS_INCIDENTS_RELIABILITY_H

#include "models/incidents/incident_set.h"

#include <stdbool.h>

#define HC_RELIABILITY_LEVEL 0.95 /* of every interval */

struct hc_reliability_options {
    int64_t nodes; /* of sources that do not say, or 0 */
    bool has_from, has_to;
    bool is_relative;       /* both are on relative clocks, else on calendars */
    int64_t from_ns, to_ns; /* only what began within */
    int32_t age;            /* of the nodes when watching began, for fits: 0: in service for long;
                               1: new */
};

/* Months of a calendar are counted from it: + year * 12 + month - 1. */
#define HC_CALENDAR_MONTHS ((int64_t)1 << 40)

/* An estimate with its interval; NaN where it cannot be told. */
struct hc_estimate {
    double value, low, high;
};

/* The incidents that share something. */
struct hc_tally {
    int64_t key; /* cause, domain, class, origin, text, action, month; for nodes see node */
    int32_t source, node, cause;
    int64_t count;
    int64_t exposed;             /* of them, those whose nodes and time of watching are known */
    double share;                /* of all incidents */
    struct hc_estimate per_1000; /* per 1,000 node-days */
    int64_t n_repairs;           /* whose end is known */
    double repair_mean_s, repair_median_s;
};

struct hc_tallies {
    size_t n;
    struct hc_tally *rows;
};

/* Which incidents a rate counts. */
enum hc_rate_rule {
    HC_RATE_INFRASTRUCTURE,
    HC_RATE_WITH_UNKNOWN, /* infrastructure and unknown: how much the unknown could matter */
    HC_RATE_UNPLANNED,    /* all but planned */
    HC_N_RATES
};

struct hc_reliability_rate {
    int64_t count, exposed;
    struct hc_estimate per_1000;
    struct hc_estimate mttf_node_h;  /* time in use of a node per failure */
    struct hc_estimate mttf_fleet_h; /* time until any of the nodes fails */
    double mtbf_node_h;              /* up-time of a node per failure */
};

struct hc_reliability {
    int64_t n_incidents, n_rows, n_sources;
    int64_t n_out_of_window; /* left out by --from and --to */
    int64_t n_exposed;       /* incidents that rates can count */
    int64_t n_no_time, n_no_node, n_no_end;
    int64_t nodes; /* in groups that are known whole; 0 when none is */
    double node_days, span_days;
    size_t n_groups, n_groups_known;
    int64_t n_nodes_struck; /* with at least one incident */
    int64_t n_repeats;      /* incidents of a node that had one before */
    int64_t n_overlapping;  /* that begin while the node has an open one */
    int64_t n_outages;      /* of nodes in known groups, overlapping incidents merged */
    double down_node_days;  /* of these */
    double mttr_h;          /* mean over all incidents with a known end */
    double availability;
    struct hc_tally all;
    struct hc_reliability_rate rates[HC_N_RATES];
    struct hc_tallies domains, classes, origins;            /* in the order of the enums */
    struct hc_tallies causes, texts, actions, nodes_struck; /* the most frequent first */
    struct hc_tallies months; /* keys below HC_CALENDAR_MONTHS: the number of a period of 30 days */
};

/* HC_USAGE when an option does not go with the sources; HC_BAD_INPUT when one is of several
 * replicas of a simulation. */
enum hc_status hc_reliability_compute(struct hc_reliability *result,
                                      const struct hc_incident_set *set,
                                      const struct hc_reliability_options *options,
                                      struct hc_error *err);
void hc_reliability_fini(struct hc_reliability *result);

#endif
