/* scenario_recorded.h - values that are taken from recorded incidents, put into the config of an
 * engine. The incidents have been read before (study/engines/lifetime/scenario_records.h). Messages
 * do not say where the value stands: the caller does. */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_RECORDED_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_RECORDED_H

#include "models/incidents/incident_choice.h"
#include "sim/lifetime/lifetime_config.h"
#include "study/grammar/scenario_node.h"

/* The incidents that node, an object of `file`, `causes` and so on, chooses. groups live in arena.
 */
enum hc_status hc_recorded_choice(struct hc_incident_choice *choice, const struct hc_node *node,
                                  struct hc_arena *arena, struct hc_error *err);

/* The incidents of a fault for a job on that many nodes. */
enum hc_status hc_bind_recorded_fault(struct hc_lifetime_fault *fault, const struct hc_node *node,
                                      int32_t job_nodes, struct hc_arena *arena,
                                      struct hc_error *err);

/* A distribution of the times that incidents took, as they are or fitted, in seconds. */
enum hc_status hc_bind_recorded_times(struct hc_distribution *to, const struct hc_node *node,
                                      struct hc_arena *arena, struct hc_error *err);
enum hc_status hc_bind_fitted_times(struct hc_distribution *to, const struct hc_node *node,
                                    struct hc_arena *arena, struct hc_error *err);

#endif
