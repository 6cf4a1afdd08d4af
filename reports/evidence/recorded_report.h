/* recorded_report.h - the views of recorded incidents, and of the attempts that they joined. */
#ifndef HC_REPORTS_EVIDENCE_RECORDED_REPORT_H
#define HC_REPORTS_EVIDENCE_RECORDED_REPORT_H

#include "core/tables/record.h"
#include "models/evidence/recorded.h"

#include <stdio.h>

/* Of a struct hc_recorded_incident. */
extern const struct hc_record_def hc_recorded_record;

/* Sums by method, and those that joined nothing or several attempts, by GPU-hours; nothing where
 * there are none. HC_INTERNAL where memory was short. */
enum hc_status hc_recorded_put(FILE *stream, const struct hc_recorded *recorded, size_t top,
                               struct hc_error *err);
void hc_recorded_put_head(FILE *stream, const struct hc_recorded *recorded);

#endif
