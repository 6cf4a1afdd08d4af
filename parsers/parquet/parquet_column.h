/* parquet_column.h - one column of a Parquet file, decoded in steps of any size: all columns of a
 * file can advance together though their pages end at different rows.
 *
 * Memory: one page and one dictionary.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_COLUMN_H
#define HC_PARSERS_PARQUET_PARQUET_COLUMN_H

#include "core/base/status.h"
#include "parsers/parquet/parquet_footer.h"
#include "parsers/parquet/parquet_page.h"
#include "parsers/parquet/parquet_rle.h"
#include "parsers/parquet/parquet_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the column holds for the caller, and so which types it may have. */
enum hc_parquet_target {
    HC_PARQUET_INTEGERS, /* INT32, INT64 -> the integer */
    HC_PARQUET_SECONDS,  /* FLOAT, DOUBLE -> nanoseconds */
    HC_PARQUET_NAMES     /* BYTE_ARRAY -> the code of the name */
};

struct hc_parquet_column {
    const struct hc_source *source;
    const struct hc_parquet_field *field;
    int64_t row; /* rows of the file that have been read */

    const struct hc_parquet_chunk *chunk;
    struct hc_parquet_pages pages;
    int64_t chunk_left; /* values of the chunk that are in no page so far */
    bool has_data;      /* a data page of the chunk has been seen */

    struct hc_parquet_page page;
    bool in_page;
    size_t page_left, page_nulls;
    struct hc_rle levels;
    struct hc_parquet_values values;

    int64_t min, max, n_nulls; /* of the chunk so far */
};

/* A column for a field that was found once; HC_BAD_INPUT when its type does not suit the target.
 * names is needed for HC_PARQUET_NAMES only. All arguments outlive the column. */
enum hc_status hc_parquet_column_init(struct hc_parquet_column *column,
                                      const struct hc_source *source,
                                      const struct hc_parquet_field *field,
                                      enum hc_parquet_target target,
                                      const struct hc_parquet_names *names, struct hc_error *err);
void hc_parquet_column_fini(struct hc_parquet_column *column);

/* Start on the column's chunk of the next row group. */
void hc_parquet_column_start(struct hc_parquet_column *column,
                             const struct hc_parquet_chunk *chunk);

/* Decode the next n values of the chunk; HC_PARQUET_NULL and the like stand for what is none. */
enum hc_status hc_parquet_column_read(struct hc_parquet_column *column, size_t n, int64_t *out,
                                      struct hc_error *err);

/* After the last value of a chunk: it must end there, and keep what its statistics promise. */
enum hc_status hc_parquet_column_finish(struct hc_parquet_column *column, struct hc_error *err);

#endif
