/* segment_layout.h - names of what is in a segment, shared by its writer and its reader. */
#ifndef HC_STORE_OBJECTS_SEGMENT_LAYOUT_H
#define HC_STORE_OBJECTS_SEGMENT_LAYOUT_H

#include "core/tables/table.h"

#include <stdbool.h>

#define HC_SEGMENT_SCHEMA "hindcast-segment"

#define HC_JOB_GROUP        "job"
#define HC_PROVENANCE_GROUP "provenance"
#define HC_DICTIONARY_GROUP "dictionaries"

/* Longest text attribute. HDF5 keeps attributes below 64 KiB in checksummed object headers. */
#define HC_TEXT_MAX 16384

/* No chunk of a segment is larger, whoever wrote it: the bound on memory per thread. */
#define HC_CHUNK_ROWS_MAX  ((int64_t)1 << 20)
#define HC_CHUNK_BYTES_MAX ((int64_t)64 << 20)

#define HC_ATTRIBUTE_SCHEMA      "schema"
#define HC_ATTRIBUTE_MAJOR       "schema_major"
#define HC_ATTRIBUTE_MINOR       "schema_minor"
#define HC_ATTRIBUTE_TOOL        "tool_version"
#define HC_ATTRIBUTE_TABLE       "table"
#define HC_ATTRIBUTE_UNIT        "unit"
#define HC_ATTRIBUTE_DESCRIPTION "description"
#define HC_ATTRIBUTE_DICTIONARY  "dictionary"
#define HC_ATTRIBUTE_MISSING     "missing"

/* A value of any column. */
union hc_value {
    int32_t i32;
    int64_t i64;
    double f64;
};

/* "Missing" of a type. */
static inline union hc_value hc_missing_value(enum hc_type type)
{
    union hc_value value = {.i64 = HC_MISSING_I64};
    if (type == HC_I32)
        value.i32 = HC_MISSING_I32;
    else if (type == HC_F64)
        value.f64 = __builtin_nan("");
    return value;
}

#endif
