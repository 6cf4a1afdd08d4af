/* subject_records.h - the record of `hindcast report run`, `report job` and `report node`. */
#ifndef HC_REPORTS_SUBJECT_SUBJECT_RECORDS_H
#define HC_REPORTS_SUBJECT_SUBJECT_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_subject_record; /* of a struct hc_subject_report */

#endif
