/* fleet_records.h - the fields of a fleet: of its report as JSON and CSV, and of the rows of jobs,
 * which are kept and handed from shard to shard too (core/tables/record.h). */
#ifndef HC_REPORTS_FLEET_FLEET_RECORDS_H
#define HC_REPORTS_FLEET_FLEET_RECORDS_H

#include "core/tables/record.h"
#include "reports/fleet/fleet_report.h"
#include "sim/fleet/fleet_summary.h"

/* What a report is written of. */
struct hc_fleet_document {
    const struct hc_fleet_report *report;
    const struct hc_fleet_summary *summary;
    const size_t *rank; /* of each row of the report, 0: none */
};

/* Of a struct hc_fleet_document. */
extern const struct hc_record_def hc_fleet_record;

/* Of a struct hc_fleet_row, the item of a list of the document. By itself it can be stored. */
extern const struct hc_record_def hc_fleet_row_record;

/* Items of the summary, for tables: a stage of the funnel (at the place of its stage in
 * hc_fleet_stages), a distribution, cause and size; of a distribution the waste of an op type by
 * jobs (0) or GPU-hours (1), in a struct hc_fleet_type_waste; and its quantiles. */
extern const struct hc_record_def hc_fleet_stage_record, hc_fleet_cdf_record, hc_fleet_cause_record,
    hc_fleet_size_record, hc_fleet_host_total_record, hc_fleet_weighted_record,
    hc_fleet_quantile_record;

/* A culprit of a row; its parent is the row. */
extern const struct hc_record_def hc_fleet_culprit_record;

#endif
