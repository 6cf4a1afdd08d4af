/* parquet_schema.h - the numbers of the Parquet format, and which columns a file has.
 * Private to this wing.
 *
 * Only flat columns are read. The schema is walked once; a column that is wanted is looked for
 * among the children of the root, everything else, nested or not, is only counted.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_SCHEMA_H
#define HC_PARSERS_PARQUET_PARQUET_SCHEMA_H

#include "core/base/status.h"
#include "parsers/parquet/parquet_thrift.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_PARQUET_MAX_COLUMNS 32

/* Physical types. */
enum {
    HC_PARQUET_BOOLEAN,
    HC_PARQUET_INT32,
    HC_PARQUET_INT64,
    HC_PARQUET_INT96,
    HC_PARQUET_FLOAT,
    HC_PARQUET_DOUBLE,
    HC_PARQUET_BYTE_ARRAY,
    HC_PARQUET_FIXED_LEN_BYTE_ARRAY
};

enum {
    HC_PARQUET_PLAIN = 0,
    HC_PARQUET_PLAIN_DICTIONARY = 2,
    HC_PARQUET_RLE = 3,
    HC_PARQUET_BIT_PACKED = 4,
    HC_PARQUET_DELTA_BINARY_PACKED = 5,
    HC_PARQUET_DELTA_LENGTH_BYTE_ARRAY = 6,
    HC_PARQUET_DELTA_BYTE_ARRAY = 7,
    HC_PARQUET_RLE_DICTIONARY = 8,
    HC_PARQUET_BYTE_STREAM_SPLIT = 9
};

/* Names for messages: "INT32", "PLAIN", "unknown type". */
const char *hc_parquet_type_name(int32_t type);
const char *hc_parquet_encoding_name(int32_t encoding);

/* What the annotation of a column says that its values mean. */
enum hc_parquet_meaning {
    HC_PARQUET_NO_MEANING, /* not annotated */
    HC_PARQUET_MEANS_INTEGER,
    HC_PARQUET_MEANS_TEXT,
    HC_PARQUET_MEANS_OTHER /* decimal, date, timestamp, ... */
};

/* One wanted column. */
struct hc_parquet_field {
    const char *name;
    int found;    /* children of the root with this name; the rest is about the last of them */
    int64_t leaf; /* its place among all leaf columns of the file */
    bool nested;  /* a group, or repeated */
    bool optional;
    bool ordered; /* min_value and max_value of its statistics have the order of its type */
    int32_t type; /* physical */
    enum hc_parquet_meaning meaning;
    int32_t bits; /* of an annotated integer: 8, 16, 32 or 64 */
    bool is_unsigned;
};

/* State of the walk; also the result. */
struct hc_parquet_schema {
    size_t n_columns;
    struct hc_parquet_field columns[HC_PARQUET_MAX_COLUMNS];
    int64_t n_leaves;
    int64_t n_elements;  /* seen */
    int64_t top_left;    /* children of the root still to come */
    int64_t nested_left; /* descendants of the current child of the root still to come */
};

/* A schema in which the named columns are wanted; names must outlive it. */
void hc_parquet_schema_init(struct hc_parquet_schema *schema, const char *const *names, size_t n);

/* Read the next SchemaElement. */
void hc_parquet_schema_element(struct hc_parquet_schema *schema, struct hc_thrift *thrift,
                               int type);

/* True when all elements that were announced have come. */
bool hc_parquet_schema_complete(const struct hc_parquet_schema *schema);

#endif
