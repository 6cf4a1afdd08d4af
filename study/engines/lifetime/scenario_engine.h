/* scenario_engine.h - what the engine says of a scenario that the table of keys allows. */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_ENGINE_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_ENGINE_H

#include "sim/lifetime/lifetime_config.h"
#include "study/grammar/scenario_study.h"

/* Bind the scenario and each variant, when nothing is wrong with them so far, and run the check of
 * the engine's config. What it refuses is complained of at the place that it names, as near as the
 * text has it. HC_INTERNAL only when there is no memory. */
enum hc_status hc_scenario_check_engine(struct hc_scenario *scenario, const struct hc_study *study,
                                        struct hc_error *err);

/* Hold a document that was made of others (a point of a sweep) against the table of keys, bind it
 * and ask the engine. Mistakes are added to the errors of the scenario; config is filled when there
 * are none. HC_INTERNAL only when there is no memory. */
enum hc_status hc_scenario_check_point(struct hc_scenario *scenario, struct hc_node *root,
                                       struct hc_lifetime_config *config, struct hc_error *err);

/* Load a scenario, read its study and the recorded incidents that it names, and ask the engine: all
 * that is to be done before a run. As hc_scenario_load. */
struct hc_scenario_request {
    const char *path;
    const struct hc_words *settings;
    const char
        *archive; /* as -a gives it, or NULL: the default one. Opened only where it is named */
};
enum hc_status hc_scenario_prepare_from(struct hc_scenario *scenario, struct hc_study *study,
                                        const struct hc_scenario_request *request,
                                        struct hc_error *err);

/* The same with the default archive. */
enum hc_status hc_scenario_prepare(struct hc_scenario *scenario, struct hc_study *study,
                                   const char *path, const struct hc_words *settings,
                                   struct hc_error *err);

#endif
