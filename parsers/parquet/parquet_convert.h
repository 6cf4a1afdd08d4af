/* parquet_convert.h - from the physical values of a column to int64: the one type that columns are
 * handed out in. Private to this wing.
 *
 * The lowest values are set aside to say what is not a value; integers that low are raised to
 * HC_PARQUET_LOWEST, unsigned ones above INT64_MAX are lowered to it (no id is that large).
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_CONVERT_H
#define HC_PARSERS_PARQUET_PARQUET_CONVERT_H

#include <stddef.h>
#include <stdint.h>

#define HC_PARQUET_NULL         INT64_MIN
#define HC_PARQUET_NOT_FINITE   (INT64_MIN + 1)
#define HC_PARQUET_OUT_OF_RANGE (INT64_MIN + 2)
#define HC_PARQUET_LOWEST       (INT64_MIN + 3)

enum hc_parquet_convert {
    HC_PARQUET_FROM_I32,
    HC_PARQUET_FROM_U32,
    HC_PARQUET_FROM_I64,
    HC_PARQUET_FROM_U64,
    HC_PARQUET_FROM_F32_SECONDS, /* to nanoseconds */
    HC_PARQUET_FROM_F64_SECONDS,
    HC_PARQUET_FROM_NAME /* to the code of a name; not by the functions here */
};

/* n values, little-endian and packed as in PLAIN. */
void hc_parquet_convert_plain(enum hc_parquet_convert kind, const uint8_t *in, size_t n,
                              int64_t *out);

/* n integers in place, of which the low half counts where the kind has 32 bits. */
void hc_parquet_convert_wide(enum hc_parquet_convert kind, int64_t *values, size_t n);

#endif
