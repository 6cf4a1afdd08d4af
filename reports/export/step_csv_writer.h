/* step_csv_writer.h - a step timeline as CSV, with the columns that the what-if analysis reads
 *. Times are exact decimal seconds; missing numbers are -1.
 */
#ifndef HC_REPORTS_EXPORT_STEP_CSV_WRITER_H
#define HC_REPORTS_EXPORT_STEP_CSV_WRITER_H

#include "core/base/status.h"
#include "core/tables/table.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_step_csv;

/* Begin on stream, which stays the caller's; name is the file in messages. gzip: compressed, to the
 * same bytes for the same rows. */
enum hc_status hc_step_csv_open(struct hc_step_csv **csv, FILE *stream, const char *name, bool gzip,
                                struct hc_error *err);

/* Append the rows of an `ops` table. */
enum hc_status hc_step_csv_write(struct hc_step_csv *csv, const struct hc_table *ops,
                                 struct hc_error *err);

/* Write what is left. */
enum hc_status hc_step_csv_finish(struct hc_step_csv *csv, struct hc_error *err);

/* Free; csv may be NULL. */
void hc_step_csv_close(struct hc_step_csv *csv);

#endif
