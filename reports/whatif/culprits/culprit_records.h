/* culprit_records.h - the fields of culprits, for JSON and CSV (core/tables/record.h). */
#ifndef HC_REPORTS_WHATIF_CULPRITS_CULPRIT_RECORDS_H
#define HC_REPORTS_WHATIF_CULPRITS_CULPRIT_RECORDS_H

#include "core/tables/record.h"
#include "sim/whatif/whatif.h"

/* Of a result: its culprits, and the levels of the job. */
extern const struct hc_record_def hc_whatif_cause_record;

/* Of a culprit at its place, in the result. */
extern const struct hc_record_def hc_whatif_culprit_record;

/* Of a stretch, in a culprit at its place, in the result. */
extern const struct hc_record_def hc_whatif_stretch_record;

#endif
