#include "core/random/philox.h"

#include "core/random/stable_math.h"

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

/* p/q of Wichura's PPND16 (AS 241), highest power first. */
static double ratio(const double p[8], const double q[8], double x)
{
    double above = p[0], below = q[0];
    for (int i = 1; i < 8; i++) {
        above = above * x + p[i];
        below = below * x + q[i];
    }
    return above / below;
}

double hc_normal_quantile(double u)
{
    static const double p_mid[8] = {
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608};
    static const double q_mid[8] = {
        5226.495278852854561,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
    static const double p_near[8] = {7.7454501427834140764e-4, .0227238449892691845833,
                                     .24178072517745061177,    1.27045825245236838258,
                                     3.64784832476320460504,   5.7694972214606914055,
                                     4.6303378461565452959,    1.42343711074968357734};
    static const double q_near[8] = {1.05075007164441684324e-9, 5.475938084995344946e-4,
                                     .0151986665636164571966,   .14810397642748007459,
                                     .68976733498510000455,     1.6763848301838038494,
                                     2.05319162663775882187,    1.0};
    static const double p_far[8] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                                    .0012426609473880784386,   .026532189526576123093,
                                    .29656057182850489123,     1.7848265399172913358,
                                    5.4637849111641143699,     6.6579046435011037772};
    static const double q_far[8] = {2.04426310338993978564e-15, 1.4215117583164458887e-7,
                                    1.8463183175100546818e-5,   7.868691311456132591e-4,
                                    .0148753612908506148525,    .13692988092273580531,
                                    .59983220655588793769,      1.0};
    double q = u - 0.5;
    if (q >= -0.425 && q <= 0.425)
        return q * ratio(p_mid, q_mid, 0.180625 - q * q);
    double r = __builtin_sqrt(-hc_stable_log(q < 0 ? u : 1.0 - u));
    double z = r <= 5.0 ? ratio(p_near, q_near, r - 1.6) : ratio(p_far, q_far, r - 5.0);
    return q < 0 ? -z : z;
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
