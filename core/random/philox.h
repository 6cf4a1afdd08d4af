/* philox.h - Philox4x32-10 (Salmon et al., SC'11): random numbers by place, not by history.
 *
 * A stream is named by (seed, stream); value n of it is a function of these three numbers alone. So
 * whatever draws by place gets the same numbers in any order and on any number of threads. All
 * arithmetic is IEEE double without the C library's functions, whose last bit differs between
 * machines: the same numbers come out everywhere.
 */
#ifndef HC_CORE_RANDOM_PHILOX_H
#define HC_CORE_RANDOM_PHILOX_H

#include <stdint.h>

/* Words computed at a time: a multiple of 4. */
#define HC_PHILOX_AHEAD 8

struct hc_philox {
    uint32_t key[2];
    uint64_t stream;
    uint64_t block; /* of the next four words */
    uint32_t word[HC_PHILOX_AHEAD];
    unsigned left; /* the last of the words, not used yet: an even number */
};

/* Stand at the start of a block (4 words: two doubles or two normals) of a stream. */
void hc_philox_seek(struct hc_philox *rng, uint64_t seed, uint64_t stream, uint64_t block);

/* The next two words, the first below. */
uint64_t hc_philox_u64(struct hc_philox *rng);

/* Uniform in [0, 1), 53 bits; takes two words. */
double hc_philox_uniform(struct hc_philox *rng);

/* Standard normal, by the inverse of its distribution: always takes two words, |z| < 8.3. */
double hc_philox_normal(struct hc_philox *rng);

/* The standard normal value that is not exceeded with probability u, 0 < u < 1 (AS 241). */
double hc_normal_quantile(double u);

/* Uniform in [0, bound), without bias; bound is at least 1. Takes as many pairs of words as it
 * needs. */
uint64_t hc_philox_integer(struct hc_philox *rng, uint64_t bound);

#endif
