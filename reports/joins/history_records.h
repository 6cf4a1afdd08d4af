/* history_records.h - all that is known of a job, a run or a node, field by field. */
#ifndef HC_REPORTS_JOINS_HISTORY_RECORDS_H
#define HC_REPORTS_JOINS_HISTORY_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_history_report. */
extern const struct hc_record_def hc_history_record;

#endif
