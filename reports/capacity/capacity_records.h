/* capacity_records.h - the fields of a capacity report. */
#ifndef HC_REPORTS_CAPACITY_CAPACITY_RECORDS_H
#define HC_REPORTS_CAPACITY_CAPACITY_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_capacity_report. */
extern const struct hc_record_def hc_capacity_record;

#endif
