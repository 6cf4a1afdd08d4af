/* whatif_csv.h - a straggler what-if as a directory of CSV files, one a table
 * (docs/formats/whatif-csv.md). */
#ifndef HC_REPORTS_WHATIF_CSV_H
#define HC_REPORTS_WHATIF_CSV_H

#include "core/status.h"
#include "reports/whatif_report.h"

/* Write all tables into directory, which is made if it is not there; a table of what was not done
 * has its header only. All are written under temporary names first, and renamed one after the
 * other. HC_USAGE, and nothing written, when the directory holds the tables of another job. */
enum hc_status hc_whatif_write_csv(const char *directory, const struct hc_whatif_report *report,
                                   struct hc_error *err);

#endif
