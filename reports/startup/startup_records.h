/* startup_records.h - the record of `hindcast report startup`. */
#ifndef HC_REPORTS_STARTUP_STARTUP_RECORDS_H
#define HC_REPORTS_STARTUP_STARTUP_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_startup_record; /* of a struct hc_startup_report */

#endif
