#include "store/codec/lookup3.h"

#include <string.h>

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* One round between blocks: s[i] gives up s[k], is stirred by it, and s[k] takes in the third. */
static void mix(uint32_t s[3])
{
    static const int bits[6] = {4, 6, 8, 16, 19, 4};
    for (int round = 0; round < 6; round++) {
        uint32_t *a = &s[round % 3], *b = &s[(round + 1) % 3], *c = &s[(round + 2) % 3];
        *a -= *c;
        *a ^= rotate(*c, bits[round]);
        *c += *b;
    }
}

/* After the last block. */
static void finish(uint32_t s[3])
{
    static const int bits[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int round = 0; round < 7; round++) {
        uint32_t *to = &s[(round + 2) % 3], *from = &s[(round + 1) % 3];
        *to ^= *from;
        *to -= rotate(*from, bits[round]);
    }
}

/* Add twelve bytes as three little-endian words. */
static void add_block(uint32_t s[3], const uint8_t *block)
{
    for (int i = 0; i < 3; i++, block += 4)
        s[i] += (uint32_t)block[0] | (uint32_t)block[1] << 8 | (uint32_t)block[2] << 16 |
                (uint32_t)block[3] << 24;
}

uint32_t hc_lookup3(const uint8_t *bytes, size_t length)
{
    uint32_t start = 0xdeadbeef + (uint32_t)length, s[3] = {start, start, start};
    uint8_t last[12] = {0};
    if (length == 0)
        return s[2];
    for (; length > 12; length -= 12, bytes += 12) {
        add_block(s, bytes);
        mix(s);
    }
    memcpy(last, bytes, length);
    add_block(s, last);
    finish(s);
    return s[2];
}
