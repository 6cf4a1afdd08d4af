/* collectives_records.h - the fields of a diagnosis of collectives, for JSON and CSV
 * (core/tables/record.h). Private to this wing. */
#ifndef HC_REPORTS_COLLECTIVES_COLLECTIVES_RECORDS_H
#define HC_REPORTS_COLLECTIVES_COLLECTIVES_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_collectives_report: the whole document. */
extern const struct hc_record_def hc_collectives_record;

#endif
