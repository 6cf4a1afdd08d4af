/* segment_sums.h - make the checksums of a segment's headers right again, after its bytes were
 * changed: damage is found by them, and what lies behind that is to be tested, too. */
#ifndef HC_TESTS_SEGMENT_SUMS_H
#define HC_TESTS_SEGMENT_SUMS_H

#include "store/codec/lookup3.h"
#include "store/objects/segment_file.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Put n bytes of value at byte at, where there is room for them. */
static inline void put_number(uint8_t *data, size_t size, uint64_t at, uint64_t value, size_t n)
{
    for (size_t i = 0; at <= size && n <= size - at && i < n; i++)
        data[at + i] = (uint8_t)(value >> 8 * i);
}

/* The checksum behind the bytes [at, end). */
static inline void fix_sum(uint8_t *data, size_t size, uint64_t at, uint64_t end)
{
    if (at <= end && size >= 4 && end <= size - 4)
        put_number(data, size, end, hc_lookup3(data + at, (size_t)(end - at)), 4);
}

/* Those of the header at byte at, and of the blocks that it continues in. */
static inline void fix_header(uint8_t *data, size_t size, size_t at)
{
    enum { CONTINUATION = 0x10 };
    size_t width = (size_t)1 << (data[at + 5] & 3), head = data[at + 5] & 4 ? 6 : 4;
    size_t first = at + 6 + (data[at + 5] & 0x20 ? 16 : 0) + (data[at + 5] & 0x10 ? 4 : 0);
    if (first + width > size)
        return;
    uint64_t length = hc_little_endian(data + first, width);
    first += width;
    if (length > size - first)
        return;
    for (size_t m = first; m + head + 16 <= first + length;
         m += head + hc_little_endian(data + m + 1, 2)) {
        uint64_t start = hc_little_endian(data + m + head, 8);
        uint64_t n = hc_little_endian(data + m + head + 8, 8);
        if (data[m] == CONTINUATION && start < size && n >= 8 && n <= size - start)
            fix_sum(data, size, start, start + n - 4);
    }
    fix_sum(data, size, at, first + length);
}

/* All of them, and the size in the superblock. */
static inline void fix_sums(uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 64 < size; at++)
        if (data[at] == 'O' && memcmp(data + at, "OHDR\2", 5) == 0)
            fix_header(data, size, at);
    put_number(data, size, 28, size, 8);
    fix_sum(data, size, 0, 44);
}

#endif
