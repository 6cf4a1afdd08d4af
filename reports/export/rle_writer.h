/* rle_writer.h - Parquet's hybrid of run lengths and bit packing, for levels and dictionary codes.
 * Private to this wing.
 */
#ifndef HC_REPORTS_EXPORT_RLE_WRITER_H
#define HC_REPORTS_EXPORT_RLE_WRITER_H

#include "reports/export/byte_buffer.h"

/* Append n values of bit_width (1 to 32) bits each. */
void hc_rle_write(struct hc_bytes *out, const uint32_t *values, size_t n, unsigned bit_width);

/* Bits that the values 0 .. n_values - 1 take; at least 1. */
unsigned hc_rle_bit_width(size_t n_values);

#endif
