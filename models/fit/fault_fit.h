/* fault_fit.h - how often each cause stops what runs on a node.
 *
 * The rate of a cause is its incidents over the time in which nodes had attempts with GPUs (several
 * at once counted once): what a job meets on each of its nodes. Its interval is the exact one of a
 * Poisson number (Garwood), of as many fewer incidents as these come in bursts: by the variance of
 * all causes together, in spans of days, over that of Poisson numbers, where it is significant.
 *
 * Where an incident takes several nodes (a switch, a rack), it is one of a domain of as many nodes.
 * Which nodes are one domain is not known, so that its rate is that at which attempts are struck,
 * over the time of domains that attempts of n nodes cover: n over the nodes of a domain, rounded
 * up, as the lifetime engine lays domains over a job. Its interval is that of n' = (sum m)^2 / sum
 * m^2 incidents, rounded down, where an incident struck m attempts; strikes / n' is the dispersion
 * of such a compound Poisson number.
 */
#ifndef HC_MODELS_FIT_FAULT_FIT_H
#define HC_MODELS_FIT_FAULT_FIT_H

#include "models/fit/duration_fit.h"
#include "models/fit/fit_records.h"

#define HC_FIT_INCIDENT_NS ((int64_t)120 * 1000000000)

struct hc_fault_fit {
    char name[64]; /* "xid_79", "infiniband_domain", "rare_causes" */
    int64_t n_strikes, n_likely, n_incidents;
    double dispersion;       /* of domains sum m^2 / sum m; both times bursts */
    double n_counted;        /* incidents of single nodes, strikes of domains */
    double domain_nodes;     /* of one incident, the median; 1: it takes single nodes */
    double exposure_days;    /* node-days, or domain-days */
    struct hc_estimate rate; /* strikes in 1,000 of these */
    /* Times between the strikes of a node: n of them, how often they were not known of which node;
     * twice the gain of the logarithm of the likelihood that a shape brings. */
    int64_t n_renewals, n_without_node;
    double gain;                      /* NaN: not fitted */
    bool is_weibull;                  /* the gain is significant: the rate is not all there is */
    struct hc_estimate mean_h, shape; /* then */
};

struct hc_fault_fits {
    size_t n;
    struct hc_fault_fit *fit; /* by name, "rare_causes" last */
    int32_t *of_strike;       /* [n_strikes] which fit a strike of the records went to */
    int64_t *incident;        /* [n_strikes] number of its incident, over all causes */
    int64_t n_incidents;
    double bursts; /* how much more than Poisson numbers they vary from span to span; 1 and more */
};

/* Fit all causes of records, whose strikes are in order of time. Causes of fewer than `least`
 * incidents are put together as "rare_causes". HC_INTERNAL only. */
enum hc_status hc_fault_fits_make(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                                  int64_t least, struct hc_error *err);
/* Incidents, of which a Poisson number is as well known as those of a fit: their number over the
 * dispersion, rounded down, 1 and more. */
double hc_fault_independent(const struct hc_fault_fit *fit);

/* All causes together, by node-days; of records that have strikes and exposure. */
struct hc_fault_fit hc_fault_total(const struct hc_fault_fits *fits,
                                   const struct hc_fit_records *records);
/* Zeroed memory has none. */
void hc_fault_fits_fini(struct hc_fault_fits *fits);

#endif
