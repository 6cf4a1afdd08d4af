/* json_records.h - records that several documents contain, written the same everywhere. */
#ifndef HC_CORE_TABLES_JSON_RECORDS_H
#define HC_CORE_TABLES_JSON_RECORDS_H

#include "core/tables/job.h"
#include "core/tables/row_report.h"
#include "core/text/json_writer.h"

/* The six sizes of a job ("dp_size", ...) as members of the object that is open; null where
 * missing.
 */
void hc_json_job_sizes(struct hc_json_writer *json, const struct hc_job *job);

/* "rows": what was read, what was skipped and why ("first" is null where no example is known), and
 * how many rows were absent. */
void hc_json_row_report(struct hc_json_writer *json, const struct hc_row_report *rows);

#endif
