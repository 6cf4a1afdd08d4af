/* step_parquet_writer.h - a step timeline as Parquet, with the columns that the what-if analysis
 * reads. Times are seconds; missing numbers are -1.
 */
#ifndef HC_REPORTS_EXPORT_STEP_PARQUET_WRITER_H
#define HC_REPORTS_EXPORT_STEP_PARQUET_WRITER_H

#include "core/base/status.h"
#include "core/tables/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hc_step_parquet_options {
    bool float32_times; /* as the published traces have them: 7 digits; else float64, exact */
    bool required;      /* columns that cannot be null; else optional, as the published ones are */
    bool uncompressed;  /* else Snappy */
    size_t row_group_rows; /* 0: 1,048,576 */
};

struct hc_step_parquet;

/* Begin on stream, which stays the caller's; name is the file in messages. options may be NULL. */
enum hc_status hc_step_parquet_open(struct hc_step_parquet **parquet, FILE *stream,
                                    const char *name, const struct hc_step_parquet_options *options,
                                    struct hc_error *err);

/* Append the rows of an `ops` table. */
enum hc_status hc_step_parquet_write(struct hc_step_parquet *parquet, const struct hc_table *ops,
                                     struct hc_error *err);

/* Write what is left, and the footer. */
enum hc_status hc_step_parquet_finish(struct hc_step_parquet *parquet, struct hc_error *err);

/* Free; parquet may be NULL. */
void hc_step_parquet_close(struct hc_step_parquet *parquet);

#endif
