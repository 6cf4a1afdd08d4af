/* reliability_records.h - the fields of a report of incidents, for JSON and CSV
 * (core/tables/record.h). Private to this wing. */
#ifndef HC_REPORTS_RELIABILITY_RELIABILITY_RECORDS_H
#define HC_REPORTS_RELIABILITY_RELIABILITY_RECORDS_H

#include "core/tables/record.h"

/* Of a struct hc_reliability_report: the whole document. */
extern const struct hc_record_def hc_reliability_record;

/* Of a struct hc_tally of one, whose outermost item is the report. */
extern const struct hc_record_def hc_cause_tally_record, hc_node_tally_record,
    hc_month_tally_record;

/* ---- reliability_analysis_records.c ---- */

/* Of a report: what was asked for beyond counts. */
extern const struct hc_record_def hc_reliability_analysis_record;

/* Of a struct hc_estimate. */
extern const struct hc_record_def hc_estimate_record;

#endif
