/* recorded_data.h - values that are taken from recorded data, for any engine: which incidents an
 * object chooses, distributions of their times, and what the straggler what-if says of a job. The
 * data have been read before (study/grammar/scenario_data.h). */
#ifndef HC_STUDY_BINDING_RECORDED_DATA_H
#define HC_STUDY_BINDING_RECORDED_DATA_H

#include "models/incidents/incident_choice.h"
#include "study/binding/key_binding.h"

#define HC_WITHIN 64

/* The incidents that node, an object of `file`, `causes` and so on, chooses. groups live in arena.
 * Of HC_BAD_INPUT, `within` says where in node: "/causes/0", or "". */
enum hc_status hc_recorded_choice(struct hc_incident_choice *choice, const struct hc_node *node,
                                  struct hc_arena *arena, char within[HC_WITHIN],
                                  struct hc_error *err);

/* A distribution of the times that incidents took, as they are or fitted, in seconds. For binding:
 * false where a function of a row is (key_binding.h). */
bool hc_bind_recorded_times(struct hc_key_binder *binder, const struct hc_node *node,
                            struct hc_distribution *to);
bool hc_bind_fitted_times(struct hc_key_binder *binder, const struct hc_node *node,
                          struct hc_distribution *to);

/* The step times of a variant of a scenario on a step timeline, in seconds; the same. */
bool hc_bind_replayed_steps(struct hc_key_binder *binder, const struct hc_node *node,
                            struct hc_distribution *to);

/* The factor that whatif, an object of `job` or `file` and `figure`, stands for. HC_BAD_INPUT when
 * it is none that makes steps longer. */
enum hc_status hc_whatif_factor(double *factor, const struct hc_node *whatif, struct hc_error *err);

/* The same for a key that takes {"whatif": {...}} (hc_whatif_number_keys). */
bool hc_bind_whatif_number(struct hc_key_binder *binder, const struct hc_node *object, double *to);

/* "the slowdown of job ...", of a source that was read; NULL when there is no memory. The caller
 * frees it. */
char *hc_whatif_factor_words(const struct hc_node *whatif, struct hc_error *err);

#endif
