/* scenario_prepare.h - from a file to points that can be run: everything that is done before a run.
 *
 * Each variant, and each point of a sweep, is merged, held against the table of keys, bound and
 * checked by its engine once. */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_PREPARE_H
#define HC_STUDY_GRAMMAR_SCENARIO_PREPARE_H

#include "study/grammar/scenario_study.h"

/* Load a scenario, read its study and the recorded data that it names, bind each variant and ask
 * the engine. As hc_scenario_load: mistakes are in scenario->errors. */
enum hc_status hc_scenario_prepare(struct hc_scenario *scenario, struct hc_study *study,
                                   const struct hc_scenario_request *request, struct hc_error *err);

/* The two halves of it, for who has to know what is asked before any data are read: load and read
 * the study; then read the data, bind and ask the engine. */
enum hc_status hc_scenario_read(struct hc_scenario *scenario, struct hc_study *study,
                                const struct hc_scenario_request *request, struct hc_error *err);
enum hc_status hc_scenario_bind(struct hc_scenario *scenario, struct hc_study *study,
                                const struct hc_data_provider *data, struct hc_error *err);

/* Bind a document that was made of a variant and values of a sweep: hold it against the table, bind
 * it and ask the engine. Mistakes are added to scenario->errors; point is filled when there are
 * none, with its memory in scenario->arena. HC_INTERNAL only when there is no memory. */
enum hc_status hc_scenario_bind_point(struct hc_scenario *scenario, const struct hc_study *study,
                                      const struct hc_study_variant *variant, struct hc_node *root,
                                      struct hc_engine_point *point, struct hc_error *err);

/* Put new settings into a bound point. */
void hc_scenario_settle(const struct hc_scenario *scenario, struct hc_engine_point *point,
                        int threads);

#endif
