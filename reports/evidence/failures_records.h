/* failures_records.h - failures and their evidence, field by field. */
#ifndef HC_REPORTS_EVIDENCE_FAILURES_RECORDS_H
#define HC_REPORTS_EVIDENCE_FAILURES_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_failures_report. */
extern const struct hc_record_def hc_failures_record;

#endif
