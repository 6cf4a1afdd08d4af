/* incident_set.h - the incidents of one or several sources in memory, under common names. */
#ifndef HC_MODELS_INCIDENTS_INCIDENT_SET_H
#define HC_MODELS_INCIDENTS_INCIDENT_SET_H

#include "core/base/status.h"
#include "core/tables/incidents/incident_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As a row of `incidents`; codes are those of the set. A node of one source is never a node of
 * another. */
struct hc_incident {
    int64_t time_ns, detected_ns, located_ns, recovered_ns;
    int32_t source, group, node, cause, text, noticed, action, count;
    int32_t slot, part_of, replica; /* of lists that a simulation wrote, mostly */
};

/* As a row of `inventory`. */
struct hc_observation {
    int32_t source, group, nodes, clock;
    int64_t start_ns, end_ns;
};

struct hc_incident_set {
    struct hc_table_names names;
    size_t n, capacity;
    struct hc_incident *incidents;
    size_t n_observations, observation_capacity;
    struct hc_observation *observations;
    int32_t n_sources;
};

enum hc_status hc_incident_set_init(struct hc_incident_set *set, struct hc_error *err);
void hc_incident_set_fini(struct hc_incident_set *set);

/* Add rows of `incidents` of a source; names are those of its codes. A cause or class that this
 * version does not know is HC_BAD_INPUT. */
enum hc_status hc_incident_set_add(struct hc_incident_set *set, const struct hc_table *incidents,
                                   const struct hc_table_names *names, int32_t source,
                                   struct hc_error *err);

/* Whether the rows are of several replicas of a simulation: together they are no history of nodes.
 */
bool hc_incident_set_has_replicas(const struct hc_incident_set *set);

/* Add what was observed. */
enum hc_status hc_incident_set_observe(struct hc_incident_set *set,
                                       const struct hc_table *inventory,
                                       const struct hc_table_names *names, int32_t source,
                                       struct hc_error *err);

#endif
