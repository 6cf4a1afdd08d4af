#include "store/pack/block_sum.h"

#include <string.h>

#define PRIME_1 0x9E3779B185EBCA87U
#define PRIME_2 0xC2B2AE3D27D4EB4FU
#define PRIME_3 0x165667B19E3779F9U
#define PRIME_4 0x85EBCA77C2B2AE63U
#define PRIME_5 0x27D4EB2F165667C5U
#define STRIPE  32

static uint64_t rotated(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t load_64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t stirred(uint64_t lane, uint64_t word)
{
    return rotated(lane + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t joined(uint64_t sum, uint64_t lane)
{
    return (sum ^ stirred(0, lane)) * PRIME_1 + PRIME_4;
}

/* The sum of all whole stripes, their four lanes joined. */
static uint64_t sum_stripes(const uint8_t **at, const uint8_t *end)
{
    uint64_t lane[4] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1};
    for (; end - *at >= STRIPE; *at += STRIPE)
        for (int i = 0; i < 4; i++)
            lane[i] = stirred(lane[i], load_64(*at + 8 * i));
    uint64_t sum =
        rotated(lane[0], 1) + rotated(lane[1], 7) + rotated(lane[2], 12) + rotated(lane[3], 18);
    for (int i = 0; i < 4; i++)
        sum = joined(sum, lane[i]);
    return sum;
}

uint64_t hc_block_sum(const void *bytes, size_t length)
{
    const uint8_t *at = length ? bytes : (const uint8_t *)"", *end = at + length;
    uint64_t sum = length >= STRIPE ? sum_stripes(&at, end) : PRIME_5;
    sum += length;
    for (; end - at >= 8; at += 8)
        sum = rotated(sum ^ stirred(0, load_64(at)), 27) * PRIME_1 + PRIME_4;
    if (end - at >= 4) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        sum = rotated(sum ^ word * PRIME_1, 23) * PRIME_2 + PRIME_3;
        at += 4;
    }
    for (; at < end; at++)
        sum = rotated(sum ^ *at * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 33) * PRIME_2;
    sum = (sum ^ sum >> 29) * PRIME_3;
    return sum ^ sum >> 32;
}
