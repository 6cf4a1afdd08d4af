/* study_views.h - what a study gave, as JSON, as text for a terminal, and as CSV tables. */
#ifndef HC_REPORTS_STUDY_VIEWS_H
#define HC_REPORTS_STUDY_VIEWS_H

#include "core/json_writer.h"
#include "core/number_format.h"
#include "reports/study_result.h"

/* Into an object that is open (docs/json.md, hindcast-simulate). */
void hc_study_write_json(const struct hc_study_result *result, struct hc_json_writer *json);

void hc_study_write_text(const struct hc_study_result *result, FILE *stream);

#endif
