/* parquet_delta.h - DELTA_BINARY_PACKED. Private to this wing.
 *
 * The encoded bytes must be followed by HC_PARQUET_SLACK readable bytes. Arithmetic wraps around,
 * as the format wants; a column of 32 bits takes the low half of each value.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_DELTA_H
#define HC_PARSERS_PARQUET_PARQUET_DELTA_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_delta {
    const uint8_t *at, *end;
    uint64_t left;         /* values still to come */
    uint64_t mini_size;    /* values a miniblock */
    uint64_t n_minis;      /* miniblocks a block */
    uint64_t mini;         /* index of the next miniblock in its block; n_minis: a new block */
    const uint8_t *widths; /* bits a value of each miniblock of the block */
    uint64_t mini_left;    /* values left in the current miniblock */
    uint64_t bit;          /* next bit in the current miniblock */
    const uint8_t *packed;
    unsigned width;
    bool has_first; /* the first value, which stands in the header, has been given */
    uint64_t min_delta, value;
};

/* Read the header. Errors of all functions here name neither file nor place. */
enum hc_status hc_delta_init(struct hc_delta *delta, const uint8_t *at, const uint8_t *end,
                             struct hc_error *err);

/* Decode the next n values. */
enum hc_status hc_delta_read(struct hc_delta *delta, size_t n, int64_t *out, struct hc_error *err);

/* Find the end of the encoded values without decoding them: for what follows them in the page. */
enum hc_status hc_delta_end(const struct hc_delta *delta, const uint8_t **end,
                            struct hc_error *err);

/* HC_BAD_INPUT unless all values have been read and no bytes follow them. */
enum hc_status hc_delta_finish(const struct hc_delta *delta, struct hc_error *err);

#endif
