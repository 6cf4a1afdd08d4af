/* parquet_writer.h - flat tables as Parquet: small, and readable by everything that reads Parquet.
 * Private to this wing.
 *
 * Data pages V1; text, and integers of few different values, as dictionary codes; times and other
 * wide values PLAIN; a checksum of every page; minimum, maximum and number of nulls of every column
 * chunk. Memory is that of one row group.
 */
#ifndef HC_REPORTS_EXPORT_PARQUET_WRITER_H
#define HC_REPORTS_EXPORT_PARQUET_WRITER_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum hc_parquet_type {
    HC_PARQUET_I32,
    HC_PARQUET_I64,
    HC_PARQUET_F32,
    HC_PARQUET_F64,
    HC_PARQUET_TEXT
};

struct hc_parquet_column {
    const char *name;
    enum hc_parquet_type type;
    bool optional; /* may have nulls: HC_MISSING_I32, HC_MISSING_I64, NaN */
    size_t n_words;
    const char *const *words; /* of text, whose values are given as int32 places in this list */
    /* The list may be another one for each row group, and only what it says when the group's last
     * rows are appended counts; it has at most as many words as a group has rows. No range is kept
     * of such texts. */
    bool words_vary;
};

struct hc_parquet_options {
    size_t n_columns;
    const struct hc_parquet_column *columns; /* these and all they point to stay until close, but
                                                for words that vary */
    size_t row_group_rows;                   /* 0: 1,048,576 */
    size_t page_rows;                        /* 0: 131,072 */
    bool uncompressed;                       /* else Snappy */
};

struct hc_parquet_writer;

/* Begin a file on stream (at its start; never seeks). name is the file in messages. */
enum hc_status hc_parquet_open(struct hc_parquet_writer **writer, FILE *stream, const char *name,
                               const struct hc_parquet_options *options, struct hc_error *err);

/* Append n rows. values[c] are the n values of column c: int32_t of I32 and TEXT, int64_t of I64,
 * double of F32 and F64. A missing value in a column that is not optional is an error. */
enum hc_status hc_parquet_append(struct hc_parquet_writer *writer, const void *const *values,
                                 size_t n, struct hc_error *err);

/* Write what is left, and the footer. The stream stays the caller's. */
enum hc_status hc_parquet_finish(struct hc_parquet_writer *writer, struct hc_error *err);

/* Free; writer may be NULL. */
void hc_parquet_close(struct hc_parquet_writer *writer);

#endif
