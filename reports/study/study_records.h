/* study_records.h - the result of a study field by field: its JSON (docs/json.md,
 * hindcast-simulate), its CSV tables, and the page of keys. What only one engine has is in the
 * records of its views (struct hc_study_engine_views). */
#ifndef HC_REPORTS_STUDY_STUDY_RECORDS_H
#define HC_REPORTS_STUDY_STUDY_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_study_result: the document. */
extern const struct hc_record_def hc_study_record;

/* Of a row of a struct hc_study_section, which it is in: "run", "cells". */
extern const struct hc_record_def hc_study_row_record;

#endif
