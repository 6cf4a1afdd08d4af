/* life_json.h - what the JSON of a run has of lifetimes only. Private to this wing. */
#ifndef HC_REPORTS_STUDY_LIFETIME_LIFE_JSON_H
#define HC_REPORTS_STUDY_LIFETIME_LIFE_JSON_H

#include "core/text/json_writer.h"
#include "study/run/study_result.h"

void hc_life_json_counts(struct hc_json_writer *json, const struct hc_study_run *run);
void hc_life_json_run(struct hc_json_writer *json, const struct hc_study_result *result,
                      const struct hc_study_run *run);

#endif
