/* scenario_data.h - finds the recorded data that a scenario names, has each source read once by a
 * provider, and ties it to the values that name it, from which binding takes it.
 * Private to this wing. */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_DATA_H
#define HC_STUDY_GRAMMAR_SCENARIO_DATA_H

#include "study/grammar/scenario_study.h"

/* Read what the variants and sweeps of a scenario name: files relative to the scenario file that
 * has the name. What is a mistake of the scenario is complained of; what the system refuses, and
 * want of memory, is the status. */
enum hc_status hc_scenario_read_data(struct hc_scenario *scenario, const struct hc_study *study,
                                     const struct hc_data_provider *provider, struct hc_error *err);

#endif
