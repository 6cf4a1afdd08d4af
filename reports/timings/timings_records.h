/* timings_records.h - the fields of a report on timed collectives, for JSON and CSV
 * (core/tables/record.h). Private to this wing. */
#ifndef HC_REPORTS_TIMINGS_TIMINGS_RECORDS_H
#define HC_REPORTS_TIMINGS_TIMINGS_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_timings_report: the whole document. */
extern const struct hc_record_def hc_timings_record;

#endif
