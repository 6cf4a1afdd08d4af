/* step_csv_writer.h - a step timeline as CSV, with the columns that the what-if analysis reads
 * (spec straggler-whatif 1.2). Times are exact decimal seconds; missing numbers are -1.
 */
#ifndef HC_REPORTS_STEP_CSV_WRITER_H
#define HC_REPORTS_STEP_CSV_WRITER_H

#include "core/status.h"
#include "core/table.h"

struct hc_step_csv;

/* path "-" is standard output; one that ends in ".gz" is compressed. The file is in place only
 * after commit. */
enum hc_status hc_step_csv_open(struct hc_step_csv **csv, const char *path, struct hc_error *err);

/* Append the rows of an `ops` table. */
enum hc_status hc_step_csv_write(struct hc_step_csv *csv, const struct hc_table *ops,
                                 struct hc_error *err);

enum hc_status hc_step_csv_commit(struct hc_step_csv *csv, struct hc_error *err);

/* Free; without a commit before, the output file is as it was. csv may be NULL. */
void hc_step_csv_close(struct hc_step_csv *csv);

#endif
