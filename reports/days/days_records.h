/* days_records.h - the records of `hindcast compare --nights` and `--runs`. */
#ifndef HC_REPORTS_DAYS_DAYS_RECORDS_H
#define HC_REPORTS_DAYS_DAYS_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_days_record; /* of a struct hc_days_report, of days */
extern const struct hc_record_def hc_runs_record; /* of one of runs */

#endif
