/* whatif_csv.h - a straggler what-if as a directory of CSV files, one a table
 * (docs/formats/whatif-csv.md). */
#ifndef HC_REPORTS_WHATIF_WHATIF_CSV_H
#define HC_REPORTS_WHATIF_WHATIF_CSV_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "reports/whatif/whatif_report.h"

#include <stdio.h>

/* Add all tables and their index to the set, in directory, which is made if it is not there; a
 * table of what was not done has its header only. report->run_id is needed. HC_USAGE when the
 * directory holds the tables of another job. */
enum hc_status hc_whatif_write_csv(struct hc_outset *set, const char *directory,
                                   const struct hc_whatif_report *report, struct hc_error *err);

/* One of the tables alone, that of the job: job.csv. */
void hc_whatif_write_csv_job(FILE *stream, const struct hc_whatif_report *report);

#endif
