/* compare_records.h - the fields of a comparison, for JSON and CSV (core/tables/record.h).
 * Private to this wing. */
#ifndef HC_REPORTS_COMPARE_COMPARE_RECORDS_H
#define HC_REPORTS_COMPARE_COMPARE_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_compare_report: the whole document. */
extern const struct hc_record_def hc_compare_record;

/* Of a struct hc_change at the place of its figure (enum hc_compared_figure): its key and the
 * change. */
extern const struct hc_record_def hc_compared_figure_record;

#endif
