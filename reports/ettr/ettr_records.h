/* ettr_records.h - the record of `hindcast report ettr`. */
#ifndef HC_REPORTS_ETTR_ETTR_RECORDS_H
#define HC_REPORTS_ETTR_ETTR_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_ettr_record; /* of a struct hc_ettr_report */

#endif
