/* reliability_counts.h - what the files that compute a reliability report share.
 * Private to this wing. */
#ifndef HC_MODELS_INCIDENTS_RELIABILITY_COUNTS_H
#define HC_MODELS_INCIDENTS_RELIABILITY_COUNTS_H

#include "models/incidents/reliability.h"

#define HC_NS_PER_DAY 86400e9

/* A group as it was watched, options applied. */
struct hc_exposure {
    int32_t source, group;
    bool is_known; /* nodes, start and end */
    int64_t nodes, start_ns, end_ns;
    double node_days;
};

/* The incidents that count, and what is known of each. */
struct hc_reliability_work {
    const struct hc_incident_set *set;
    bool is_new; /* for fits: nodes were, when watching began */
    size_t n;
    struct hc_incident *incidents; /* by source, node, time, recovery */
    bool *is_exposed;
    size_t n_exposures;
    struct hc_exposure *exposures;
    double node_days;
};

/* Apply the options to work->set: exposures and incidents of work, and of result what they count.
 */
enum hc_status hc_reliability_work_open(struct hc_reliability_work *work,
                                        const struct hc_reliability_options *options,
                                        struct hc_reliability *result, struct hc_error *err);
void hc_reliability_work_close(struct hc_reliability_work *work);

/* Where the incidents of the node end that begin at first. */
size_t hc_node_end(const struct hc_reliability_work *work, size_t first);

/* How many nodes of an exposure have incidents; of the first incident of each its group counts. */
int64_t hc_nodes_named(const struct hc_reliability_work *work, const struct hc_exposure *exposure);

/* Whether the rule counts a cause as a failure. */
bool hc_is_failure(enum hc_rate_rule rule, int cause);

/* The exposure of a group, or NULL. */
const struct hc_exposure *hc_exposure_find(const struct hc_reliability_work *work, int32_t source,
                                           int32_t group);

/* n failures over node_days, per 1,000 node-days. */
struct hc_estimate hc_failure_rate(int64_t n, double node_days);

/* What incident i of the work is counted under; negative for nothing. */
typedef int64_t hc_tally_key(const struct hc_reliability_work *work, size_t i);

/* Count by key, ascending. With rates, each has its own. */
enum hc_status hc_tally_incidents(const struct hc_reliability_work *work, hc_tally_key *key,
                                  bool rates, struct hc_tallies *tallies, struct hc_error *err);

/* Put the most frequent first; of the same, the lowest key. */
void hc_tallies_by_count(struct hc_tallies *tallies);

#endif
