/* parquet_bytes.h - little-endian loads, and the room behind encoded bytes that fast loads need.
 * Private to this wing.
 *
 * x86-64 and other little-endian machines only; the build of another one fails here.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_BYTES_H
#define HC_PARSERS_PARQUET_PARQUET_BYTES_H

#include "parsers/parquet/parquet_schema.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Parquet's numbers are little-endian");

/* Readable bytes that must follow the end of what hc_rle_* and hc_delta_* decode: they load eight
 * bytes at a time. What these bytes hold does not matter. */
#define HC_PARQUET_SLACK 16

static inline uint32_t hc_load_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint64_t hc_load_u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Bytes of a value of a physical number type that is read, else 0. */
static inline size_t hc_parquet_type_width(int32_t type)
{
    switch (type) {
    case HC_PARQUET_INT32:
    case HC_PARQUET_FLOAT:
        return 4;
    case HC_PARQUET_INT64:
    case HC_PARQUET_DOUBLE:
        return 8;
    default:
        return 0;
    }
}

#endif
