/* scenario_check.h - holds a scenario against the table of keys: types, ranges, choices, what is
 * missing, what is not known, what contradicts. What pointers and conditions mean is the business
 * of scenario_study.h; what only the engine can say is that of its row (engine.h).
 * Private to this wing. */
#ifndef HC_STUDY_GRAMMAR_SCENARIO_CHECK_H
#define HC_STUDY_GRAMMAR_SCENARIO_CHECK_H

#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_keys.h"

/* Complain of everything in the document that the table does not allow. */
void hc_scenario_check(const struct hc_scenario_key *table, const struct hc_node *root,
                       struct hc_scenario_errors *errors);

/* Complain of everything in one value that its row of the table does not allow. path: the pointer
 * to the value, for the complaints. */
void hc_scenario_check_value(const struct hc_scenario_key *key, const struct hc_node *value,
                             struct hc_path *path, struct hc_scenario_errors *errors);

#endif
