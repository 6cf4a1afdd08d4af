/* rates_records.h - the record of `hindcast report reliability --records`. */
#ifndef HC_REPORTS_RATES_RATES_RECORDS_H
#define HC_REPORTS_RATES_RATES_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_rates_record; /* of a struct hc_rates_report */

#endif
