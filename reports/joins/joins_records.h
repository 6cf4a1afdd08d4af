/* joins_records.h - what joined, field by field. */
#ifndef HC_REPORTS_JOINS_JOINS_RECORDS_H
#define HC_REPORTS_JOINS_JOINS_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_joins_report. */
extern const struct hc_record_def hc_joins_record;

#endif
