/* top_records.h - the record of `hindcast top lost`. */
#ifndef HC_REPORTS_TOP_TOP_RECORDS_H
#define HC_REPORTS_TOP_TOP_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_top_record; /* of a struct hc_top_report */

#endif
