#include "parsers/parquet/parquet_convert.h"

#include "core/base/clock.h"
#include "parsers/parquet/parquet_bytes.h"

#include <math.h>

#define FAST_SECONDS 9.2e9f /* less than int64 nanoseconds can hold */

static inline int64_t from_i64(uint64_t bits)
{
    int64_t value = (int64_t)bits;
    return value < HC_PARQUET_LOWEST ? HC_PARQUET_LOWEST : value;
}

static inline int64_t from_u64(uint64_t bits)
{
    return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

static int64_t from_seconds(double seconds)
{
    int64_t ns;
    switch (hc_seconds_to_ns(seconds, &ns)) {
    case HC_TIME_OK:
        return ns < HC_PARQUET_LOWEST ? HC_PARQUET_OUT_OF_RANGE : ns;
    case HC_TIME_OUT_OF_RANGE:
        return HC_PARQUET_OUT_OF_RANGE;
    default:
        return HC_PARQUET_NOT_FINITE;
    }
}

/* Seconds as float32, which most files have, by a faster way to the same result as from_seconds.
 * The product with 1e9 is exact in a double (24 bits of a float times the 21 significant bits of
 * 1e9), and where the product is so large that adding one half is inexact, it is an even whole
 * number, for which rounding changes nothing. Halves are rounded away from zero. */
static void from_floats(const uint8_t *in, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        float seconds;
        memcpy(&seconds, in + 4 * i, sizeof seconds);
        double ns = (double)seconds * 1e9;
        if (fabsf(seconds) <= FAST_SECONDS)
            out[i] = (int64_t)(ns + copysign(0.5, ns));
        else
            out[i] = from_seconds(seconds);
    }
}

static void from_doubles(const uint8_t *in, size_t n, int64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        double seconds;
        memcpy(&seconds, in + 8 * i, sizeof seconds);
        out[i] = from_seconds(seconds);
    }
}

void hc_parquet_convert_plain(enum hc_parquet_convert kind, const uint8_t *in, size_t n,
                              int64_t *out)
{
    switch (kind) {
    case HC_PARQUET_FROM_I32:
        for (size_t i = 0; i < n; i++)
            out[i] = (int32_t)hc_load_u32(in + 4 * i);
        break;
    case HC_PARQUET_FROM_U32:
        for (size_t i = 0; i < n; i++)
            out[i] = hc_load_u32(in + 4 * i);
        break;
    case HC_PARQUET_FROM_I64:
        for (size_t i = 0; i < n; i++)
            out[i] = from_i64(hc_load_u64(in + 8 * i));
        break;
    case HC_PARQUET_FROM_U64:
        for (size_t i = 0; i < n; i++)
            out[i] = from_u64(hc_load_u64(in + 8 * i));
        break;
    case HC_PARQUET_FROM_F32_SECONDS:
        from_floats(in, n, out);
        break;
    case HC_PARQUET_FROM_F64_SECONDS:
        from_doubles(in, n, out);
        break;
    case HC_PARQUET_FROM_NAME:
        break;
    }
}

void hc_parquet_convert_wide(enum hc_parquet_convert kind, int64_t *values, size_t n)
{
    switch (kind) {
    case HC_PARQUET_FROM_I32:
        for (size_t i = 0; i < n; i++)
            values[i] = (int32_t)values[i];
        break;
    case HC_PARQUET_FROM_U32:
        for (size_t i = 0; i < n; i++)
            values[i] = (uint32_t)values[i];
        break;
    case HC_PARQUET_FROM_U64:
        for (size_t i = 0; i < n; i++)
            values[i] = from_u64((uint64_t)values[i]);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            values[i] = from_i64((uint64_t)values[i]);
    }
}
