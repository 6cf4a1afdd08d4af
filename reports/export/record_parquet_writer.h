/* record_parquet_writer.h - rows of any table as Parquet: its columns under their own names,
 * numbers in the units that these say, texts as text, null where a value is missing. */
#ifndef HC_REPORTS_EXPORT_RECORD_PARQUET_WRITER_H
#define HC_REPORTS_EXPORT_RECORD_PARQUET_WRITER_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stddef.h>
#include <stdio.h>

struct hc_record_parquet;

/* Columns of a table, in the order in which they are written. */
struct hc_record_columns {
    const struct hc_table_def *def;
    size_t n;
    const size_t *columns;
};

/* Begin on stream, which stays the caller's; name is the file in messages. Memory is that of one
 * row group, whatever the number of rows and of texts. */
enum hc_status hc_record_parquet_open(struct hc_record_parquet **parquet, FILE *stream,
                                      const char *name, const struct hc_record_columns *columns,
                                      struct hc_error *err);

/* Append one row of a table, whose codes are of names. */
enum hc_status hc_record_parquet_add(struct hc_record_parquet *parquet,
                                     const struct hc_table *table, struct hc_table_names *names,
                                     size_t row, struct hc_error *err);

/* Write what is left, and the footer. */
enum hc_status hc_record_parquet_finish(struct hc_record_parquet *parquet, struct hc_error *err);

/* Free; parquet may be NULL. */
void hc_record_parquet_close(struct hc_record_parquet *parquet);

#endif
