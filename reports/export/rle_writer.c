#include "reports/export/rle_writer.h"

/* A shorter run costs more in headers than packing its values does. */
#define SHORTEST_RUN 8

unsigned hc_rle_bit_width(size_t n_values)
{
    unsigned width = 1;
    while (width < 32 && n_values > (size_t)1 << width)
        width++;
    return width;
}

static void write_run(struct hc_bytes *out, uint32_t value, size_t n, unsigned bit_width)
{
    hc_bytes_varint(out, (uint64_t)n << 1);
    hc_bytes_little_endian(out, value, (bit_width + 7) / 8);
}

/* Values come in groups of 8; the last group is filled up with zeros. */
static void write_packed(struct hc_bytes *out, const uint32_t *values, size_t n, unsigned bit_width)
{
    if (n == 0)
        return;
    size_t n_groups = (n + 7) / 8, n_bytes = n_groups * bit_width;
    hc_bytes_varint(out, (uint64_t)n_groups << 1 | 1);
    unsigned char *to = hc_bytes_room(out, n_bytes);
    if (!to)
        return;
    uint64_t bits = 0;
    unsigned n_bits = 0;
    for (size_t i = 0; i < n_groups * 8; i++) {
        bits |= (uint64_t)(i < n ? values[i] : 0) << n_bits;
        for (n_bits += bit_width; n_bits >= 8; n_bits -= 8, bits >>= 8)
            *to++ = (unsigned char)bits;
    }
    out->size += n_bytes;
}

void hc_rle_write(struct hc_bytes *out, const uint32_t *values, size_t n, unsigned bit_width)
{
    size_t packed = 0; /* values before it are written */
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && values[i + run] == values[i])
            run++;
        /* Values that wait to be bit-packed are written in whole groups of 8. If their number is no
         * multiple of 8, the first values of the run fill up the last group. */
        size_t lent = (8 - (i - packed) % 8) % 8;
        if (run >= lent + SHORTEST_RUN) {
            write_packed(out, values + packed, i + lent - packed, bit_width);
            write_run(out, values[i], run - lent, bit_width);
            packed = i + run;
        }
        i += run;
    }
    write_packed(out, values + packed, n - packed, bit_width);
}
