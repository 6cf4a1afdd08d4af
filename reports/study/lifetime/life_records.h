/* life_records.h - what the documents of a run have of lifetimes only, field by field. */
#ifndef HC_REPORTS_STUDY_LIFETIME_LIFE_RECORDS_H
#define HC_REPORTS_STUDY_LIFETIME_LIFE_RECORDS_H

#include "core/tables/record.h"

/* Of a run: before and after its figures. */
extern const struct hc_record_def hc_life_counts_record, hc_life_run_record;

#endif
