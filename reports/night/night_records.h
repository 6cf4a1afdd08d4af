/* night_records.h - the record of a night. Private to this wing. */
#ifndef HC_REPORTS_NIGHT_NIGHT_RECORDS_H
#define HC_REPORTS_NIGHT_NIGHT_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_night_record; /* of a struct hc_night_report */

#endif
