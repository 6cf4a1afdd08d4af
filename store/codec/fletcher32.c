#include "store/codec/fletcher32.h"

#include <string.h>

/* With w[0..n-1] the words, sum1 = sum w[i] and sum2 = sum (n - i) w[i], both modulo 65535. The
 * words are taken in little-endian order and the sums rotated by eight bits at the end, which is
 * the same thing, since a byte swap multiplies by 256 modulo 65535.
 *
 * Lane j sums the words i = LANES k + j: a[j] = sum w and b[j] = sum (N - k) w over N rounds, so
 * that sum1 = sum a[j] and sum2 = sum (LANES b[j] - j a[j]), where all words are whole rounds. */
#define LANES  16
#define WIDTH  4   /* lanes of a vector: left to itself, gcc makes single words of the lanes */
#define ROUNDS 256 /* b[j] <= 65535 * ROUNDS * (ROUNDS + 1) / 2 fits 32 bits */

typedef uint16_t narrow __attribute__((vector_size(WIDTH * sizeof(uint16_t))));
typedef uint32_t wide __attribute__((vector_size(WIDTH * sizeof(uint32_t))));

/* Congruent modulo 65535 and below 2^16; 0 only for 0, as HDF5's own folding has it. */
static uint32_t fold(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint32_t)sum;
}

static void add_rounds(const uint8_t *bytes, size_t n_rounds, uint64_t *sum1, uint64_t *sum2)
{
    wide a[LANES / WIDTH] = {0}, b[LANES / WIDTH] = {0};
    for (size_t k = 0; k < n_rounds; k++)
        for (size_t v = 0; v < LANES / WIDTH; v++) {
            narrow w;
            memcpy(&w, bytes + (k * LANES + v * WIDTH) * sizeof(uint16_t), sizeof w);
            a[v] += __builtin_convertvector(w, wide);
            b[v] += a[v];
        }
    *sum2 += n_rounds * LANES * *sum1;
    for (uint64_t j = 0; j < LANES; j++) {
        *sum1 += a[j / WIDTH][j % WIDTH];
        *sum2 += LANES * (uint64_t)b[j / WIDTH][j % WIDTH] - j * a[j / WIDTH][j % WIDTH];
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
