/* whatif_records.h - the fields of a straggler what-if, for JSON and CSV (core/tables/record.h).
 * Private to this wing. */
#ifndef HC_REPORTS_WHATIF_WHATIF_RECORDS_H
#define HC_REPORTS_WHATIF_WHATIF_RECORDS_H

#include "core/tables/record.h"
#include "reports/whatif/whatif_report.h"

/* Of a struct hc_whatif_report: the whole document. */
extern const struct hc_record_def hc_whatif_record;

/* Of the result, at the place of a step. */
extern const struct hc_record_def hc_whatif_step_record;

/* Of a worker. */
extern const struct hc_record_def hc_whatif_worker_record;

/* Of the result at the place of a step, in a worker (at its place), in the result. */
extern const struct hc_record_def hc_whatif_worker_step_record;

/* Of a step that was left out. */
extern const struct hc_record_def hc_whatif_left_out_record;

/* Of a group of a split, in the splits of a kind at the place of the partition, in the result at 0
 * (blocking) or 1 (launch). */
extern const struct hc_record_def hc_whatif_group_record;

/* ---- whatif_depth_records.c ---- */

/* Of a result: what it says beyond the figures of the paper. */
extern const struct hc_record_def hc_whatif_depth_record;

/* Of a point of a fix curve, in the curve at the place of its kind, in the result. */
extern const struct hc_record_def hc_whatif_fix_point_record;

/* Of a Shapley share, in the result. */
extern const struct hc_record_def hc_whatif_share_record;

/* Of a test of the verdict. */
extern const struct hc_record_def hc_whatif_evidence_record;

#endif
