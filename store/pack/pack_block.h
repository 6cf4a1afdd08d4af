/* pack_block.h - a column of some rows, or the texts of a dictionary, as a run of bytes that is
 * read nearly as fast as it is copied.
 *
 * Private to this wing. A column is its smallest value, a step, and a narrow number for each row:
 * value = smallest + step * number. Times of whole seconds within a day need three bytes of that,
 * most codes one; the widest number of a width stands for "missing". A column without any
 * difference has no numbers at all. What does not fit is kept as it is. Floating-point numbers are
 * taken by their bits.
 *
 * Bytes are in the order of this machine, which is little-endian, as in segments.
 */
#ifndef HC_STORE_PACK_PACK_BLOCK_H
#define HC_STORE_PACK_PACK_BLOCK_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/text/text_set.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. Zeroed memory is empty. */
struct hc_pack_bytes {
    size_t n, capacity;
    uint8_t *byte;
};

enum hc_status hc_pack_bytes_add(struct hc_pack_bytes *bytes, const void *from, size_t n,
                                 struct hc_error *err);

/* Append n values of a type. */
enum hc_status hc_pack_column_encode(struct hc_pack_bytes *to, enum hc_type type,
                                     const void *values, size_t n, struct hc_error *err);

/* Fill n values from a block. HC_BAD_INPUT: it is no block of so many values. */
enum hc_status hc_pack_column_decode(const uint8_t *block, size_t length, enum hc_type type,
                                     void *values, size_t n, struct hc_error *err);

/* HC_BAD_INPUT: a code is neither missing nor one of n_texts. */
enum hc_status hc_pack_check_codes(const int32_t *codes, size_t n, size_t n_texts,
                                   struct hc_error *err);

/* Append the texts of a set in the order of their codes. */
enum hc_status hc_pack_texts_encode(struct hc_pack_bytes *to, const struct hc_text_set *set,
                                    struct hc_error *err);

#endif
