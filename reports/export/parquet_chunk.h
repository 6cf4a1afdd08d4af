/* parquet_chunk.h - one column of one row group, encoded: what parquet_writer.c puts together.
 * Private to this wing. */
#ifndef HC_REPORTS_EXPORT_PARQUET_CHUNK_H
#define HC_REPORTS_EXPORT_PARQUET_CHUNK_H

#include "reports/export/byte_buffer.h"
#include "reports/export/parquet_writer.h"
#include "reports/export/thrift_compact.h"

/* Parquet's numbers for its own types and encodings. */
enum hc_parquet_physical {
    HC_PHYSICAL_INT32 = 1,
    HC_PHYSICAL_INT64 = 2,
    HC_PHYSICAL_FLOAT = 4,
    HC_PHYSICAL_DOUBLE = 5,
    HC_PHYSICAL_BYTE_ARRAY = 6
};

/* What the footer says of a chunk. */
struct hc_parquet_chunk {
    int64_t offset;      /* of its first page in the file */
    int64_t data_offset; /* of its first data page */
    int64_t n_values, n_nulls;
    int64_t plain_size, stored_size; /* of all its pages with their headers */
    bool has_dictionary, has_range;
    size_t range_size; /* of least and most, in bytes; text refers to words instead */
    unsigned char least[8], most[8];
    const char *least_word, *most_word;
};

/* Memory that chunks are encoded in, one after the other. */
struct hc_parquet_scratch {
    struct hc_bytes pages; /* the encoded chunk */
    struct hc_bytes plain, packed, header;
    uint32_t *codes, *levels; /* [page_rows] */
    uint32_t *code_of;        /* [HC_PARQUET_DICTIONARY_SPAN] */
};

/* Integers within such a span get a dictionary. */
#define HC_PARQUET_DICTIONARY_SPAN 65536

enum hc_parquet_physical hc_parquet_physical(enum hc_parquet_type type);

/* Bytes of one value as given to the writer. */
size_t hc_parquet_value_size(enum hc_parquet_type type);

/* The values of one column in a row group. */
struct hc_parquet_held {
    const struct hc_parquet_column *column;
    const void *values;
    size_t n;
};

/* Encode the values into scratch->pages and fill chunk, with offsets from the start of the chunk.
 * Fails on a missing value in a column that is not optional, and on a code without a word. */
enum hc_status hc_parquet_encode_chunk(struct hc_parquet_chunk *chunk,
                                       struct hc_parquet_scratch *scratch,
                                       const struct hc_parquet_held *held,
                                       const struct hc_parquet_options *options,
                                       struct hc_error *err);

#endif
