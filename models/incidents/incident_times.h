/* incident_times.h - the times that incidents give, for a fit (models/stats/survival.h): how long
 * something took, or how long a node was in use until its next failure.
 */
#ifndef HC_MODELS_INCIDENTS_INCIDENT_TIMES_H
#define HC_MODELS_INCIDENTS_INCIDENT_TIMES_H

#include "models/incidents/incident_choice.h"
#include "models/stats/survival.h"

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
    bool is_new;            /* when watching began; else it was in service for long */
};

/* Add the times in use until each failure of a node; the last is cut by the end of watching. */
enum hc_status hc_survival_add_node(struct hc_survival *survival,
                                    const struct hc_node_history *history, struct hc_error *err);

/* What the chosen incidents give; finished. HC_BAD_INPUT as hc_watch_open, which is asked for
 * HC_TIME_BETWEEN, and for other times only when a part of the time is chosen. */
enum hc_status hc_survival_of_choice(struct hc_survival *survival,
                                     const struct hc_incident_choice *choice,
                                     enum hc_incident_time what, struct hc_error *err);

#endif
