/* failure_rates.h - how often the infrastructure fails, by the records of a cluster: counts by
 * class of evidence over three kinds of node-time, with intervals that know of bursts, and
 * incidents with what each stopped (account.md 4).
 */
#ifndef HC_MODELS_ACCOUNT_RATES_FAILURE_RATES_H
#define HC_MODELS_ACCOUNT_RATES_FAILURE_RATES_H

#include "models/account/night/night.h"
#include "models/evidence/failures.h"

#define HC_RATES_LEVEL 0.95 /* of intervals */

/* Which failures a rate counts. */
enum hc_rate_class {
    HC_RATED_CERTAIN,
    HC_RATED_LIKELY,
    HC_RATED_BOTH,         /* certain and likely: the infrastructure's */
    HC_RATED_WITH_UNKNOWN, /* and those of which nobody knows whose they are */
    HC_N_RATE_CLASSES
};

/* Node-time that they are counted over. */
enum hc_rate_basis {
    HC_RATED_RUNNING,   /* while a launch of training ran: failures that ended one */
    HC_RATED_ALLOCATED, /* that attempts with GPUs held */
    HC_RATED_INSTALLED, /* of all nodes */
    HC_N_RATE_BASES
};

/* A day of the window. */
struct hc_rates_day {
    hc_gpu_ns node_ns[HC_N_RATE_BASES];
    int64_t n[HC_N_RATE_CLASSES][HC_N_RATE_BASES];
};

struct hc_rate_row {
    enum hc_rate_class class;
    enum hc_rate_basis basis;
    int64_t n;
    double node_days;
    double per_1000, low, high;         /* per 1,000 node-days; exact Poisson interval */
    double dispersion;                  /* variance over mean of the counts of days, at least 1 */
    double wide_low, wide_high;         /* widened by it */
    double mttf_h, mttf_low, mttf_high; /* of a node; by the widened interval. NaN: none failed */
};

/* Failures with one cause in common: what one event, or one recorded incident, stopped. */
struct hc_rated_incident {
    int32_t failure; /* the first of them */
    int64_t n_stopped;
    int32_t scope;    /* enum hc_incident_scope */
    hc_gpu_ns gpu_ns; /* that it cost in all */
};

struct hc_failure_rates {
    size_t n_days;
    const int64_t *edges_ns; /* [n_days + 1] */
    struct hc_rates_day *days;
    const struct hc_failures *failures;
    const bool *ended_launch; /* by failure */
    const hc_gpu_ns *costs;   /* by failure */
    int64_t n_attempts_without_nodes;
    /* Made by hc_rates_make: */
    struct hc_rate_row rows[HC_N_RATE_CLASSES][HC_N_RATE_BASES];
    int64_t n_user,
        n_coincident;       /* failures of users; unknown ones with an event that is no proof */
    double chance;          /* likely ones that chance alone would give; NaN: not known */
    int64_t n_chance_known; /* failures of which other days are known */
    size_t n_incidents;
    struct hc_rated_incident *incidents; /* dearest first */
};

/* Take node-time of a basis, cut by the days. */
void hc_rates_take(struct hc_failure_rates *rates, enum hc_rate_basis basis, int64_t from_ns,
                   int64_t to_ns, int32_t nodes);
enum hc_status hc_rates_make(struct hc_failure_rates *rates, struct hc_error *err);
/* Frees the days and incidents. */
void hc_rates_fini(struct hc_failure_rates *rates);

/* "certain", "likely", "infrastructure", "with_unknown"; "running", "allocated", "installed" */
const char *hc_rate_class_name(enum hc_rate_class class);
const char *hc_rate_basis_name(enum hc_rate_basis basis);

#endif
