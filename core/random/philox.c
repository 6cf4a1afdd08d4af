#include "core/random/philox.h"

#include "core/random/stable_inline.h"

/* Philox4x32-10 itself: 4 words of output for a counter and a key. */
static void encipher(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53 * c0, p1 = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void hc_philox_seek(struct hc_philox *rng, uint64_t seed, uint64_t stream, uint64_t block)
{
    rng->key[0] = (uint32_t)seed;
    rng->key[1] = (uint32_t)(seed >> 32);
    rng->stream = stream;
    rng->block = block;
    rng->left = 0;
}

/* The next words. Two blocks at a time: each is a chain of ten rounds, which run side by side. */
static void refill(struct hc_philox *rng)
{
    for (uint64_t i = 0; i < HC_PHILOX_AHEAD / 4; i++) {
        uint64_t block = rng->block + i;
        const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32),
                                     (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)};
        encipher(counter, rng->key, &rng->word[4 * i]);
    }
    rng->block += HC_PHILOX_AHEAD / 4;
    rng->left = HC_PHILOX_AHEAD;
}

uint64_t hc_philox_u64(struct hc_philox *rng)
{
    if (rng->left == 0)
        refill(rng);
    const uint32_t *word = &rng->word[HC_PHILOX_AHEAD - rng->left];
    rng->left -= 2;
    return word[0] | (uint64_t)word[1] << 32;
}

double hc_philox_uniform(struct hc_philox *rng)
{
    return (double)(hc_philox_u64(rng) >> 11) * 0x1p-53;
}

double hc_normal_quantile(double u)
{
    return hc_normal_inline(u);
}

double hc_philox_normal(struct hc_philox *rng)
{
    /* Centres of 2^52 cells, so that neither 0 nor 1 comes up. */
    return hc_normal_quantile(((double)(hc_philox_u64(rng) >> 12) + 0.5) * 0x1p-52);
}

__extension__ typedef unsigned __int128 wide;

uint64_t hc_philox_integer(struct hc_philox *rng, uint64_t bound)
{
    /* Lemire's multiplication; the low part tells the few values that would be drawn too often. */
    wide product = (wide)hc_philox_u64(rng) * bound;
    if ((uint64_t)product < bound) {
        uint64_t unfair = -bound % bound;
        while ((uint64_t)product < unfair)
            product = (wide)hc_philox_u64(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}
