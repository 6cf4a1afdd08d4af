/* parquet_rle.h - the RLE / bit-packing hybrid of levels and dictionary indices.
 * Private to this wing.
 *
 * The encoded bytes must be followed by HC_PARQUET_SLACK readable bytes.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_RLE_H
#define HC_PARSERS_PARQUET_PARQUET_RLE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_rle {
    const uint8_t *at, *end; /* what has not been taken into a run yet */
    unsigned width;          /* bits a value, 0 to 32 */
    bool is_packed;
    uint64_t run_left;     /* values left in the current run */
    uint32_t value;        /* of a repeated run */
    const uint8_t *packed; /* of a packed run: its first byte, and the values taken from it */
    uint64_t taken;
};

/* width above 32 is HC_BAD_INPUT. Errors of all functions here name neither file nor place. */
enum hc_status hc_rle_init(struct hc_rle *rle, const uint8_t *at, const uint8_t *end,
                           unsigned width, struct hc_error *err);

/* Decode the next n values. */
enum hc_status hc_rle_read(struct hc_rle *rle, size_t n, uint32_t *out, struct hc_error *err);

/* If the next n values are one repeated run of value, take them and return true; else take nothing.
 * The cheap way past levels that are all the same. */
bool hc_rle_take(struct hc_rle *rle, size_t n, uint32_t value);

/* HC_BAD_INPUT unless everything has been taken, but for the padding of a last packed run. */
enum hc_status hc_rle_finish(const struct hc_rle *rle, struct hc_error *err);

#endif
