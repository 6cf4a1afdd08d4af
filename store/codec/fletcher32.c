#include "store/codec/fletcher32.h"

#include <string.h>

/* With w[0..n-1] the words, sum1 = sum w[i] and sum2 = sum (n - i) w[i], both modulo 65535. The
 * words are taken in little-endian order and the sums rotated by eight bits at the end, which is
 * the same thing, since a byte swap multiplies by 256 modulo 65535.
 *
 * Lane j sums the words i = LANES k + j: a[j] = sum w and b[j] = sum (N - k) w over N rounds, so
 * that sum1 = sum a[j] and sum2 = sum (LANES b[j] - j a[j]), where all words are whole rounds. */
#define LANES  16
#define ROUNDS 256 /* b[j] <= 65535 * ROUNDS * (ROUNDS + 1) / 2 fits 32 bits */

/* Congruent modulo 65535 and below 2^16; 0 only for 0, as HDF5's own folding has it. */
static uint32_t fold(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint32_t)sum;
}

static void add_rounds(const uint8_t *bytes, size_t n_rounds, uint64_t *sum1, uint64_t *sum2)
{
    uint32_t a[LANES] = {0}, b[LANES] = {0};
    for (size_t k = 0; k < n_rounds; k++) {
        uint16_t w[LANES];
        memcpy(w, bytes + k * sizeof w, sizeof w);
        for (int j = 0; j < LANES; j++) {
            a[j] += w[j];
            b[j] += a[j];
        }
    }
    *sum2 += n_rounds * LANES * *sum1;
    for (uint64_t j = 0; j < LANES; j++) {
        *sum1 += a[j];
        *sum2 += LANES * (uint64_t)b[j] - j * a[j];
    }
    *sum1 = fold(*sum1);
    *sum2 = fold(*sum2);
}

static uint32_t swap_bytes(uint32_t sum)
{
    return (sum << 8 | sum >> 8) & 0xffff;
}

uint32_t hc_fletcher32(const uint8_t *bytes, size_t length)
{
    const size_t round = LANES * sizeof(uint16_t);
    uint64_t sum1 = 0, sum2 = 0;
    while (length >= round) {
        size_t n = length / round < ROUNDS ? length / round : ROUNDS;
        add_rounds(bytes, n, &sum1, &sum2);
        bytes += n * round;
        length -= n * round;
    }
    for (; length; bytes += 2) {
        sum1 += length >= 2 ? (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 : bytes[0];
        sum2 += sum1;
        length -= length >= 2 ? 2 : 1;
    }
    return swap_bytes(fold(sum2)) << 16 | swap_bytes(fold(sum1));
}
