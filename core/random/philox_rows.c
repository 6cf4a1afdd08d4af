/* Blocks of Philox side by side. */
#include "core/random/stable_rows.h"

#include <string.h>

#if defined(__x86_64__) && !defined(HC_NO_DISPATCH)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

#define N_ROUNDS 10

/* Multipliers of the rounds, and what is added to the key between them. */
static const uint32_t multiplier[2] = {0xD2511F53, 0xCD9E8D57};
static const uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85};

/* 52 bits to the centre of one of 2^52 cells: from 1 to 2 by the bits of the fraction, then down.
 */
static double open_uniform(uint64_t bits)
{
    double value;
    bits = bits >> 12 | 0x3ff0000000000000u;
    memcpy(&value, &bits, sizeof value);
    return value - 1 + 0x1p-53;
}

static void philox_plain(uint64_t seed, uint64_t stream, const uint64_t *block, size_t n,
                         double *to)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t c0 = (uint32_t)block[i], c1 = (uint32_t)(block[i] >> 32);
        uint32_t c2 = (uint32_t)stream, c3 = (uint32_t)(stream >> 32);
        uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
        for (int round = 0; round < N_ROUNDS; round++) {
            uint64_t p0 = (uint64_t)multiplier[0] * c0, p1 = (uint64_t)multiplier[1] * c2;
            c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
            c1 = (uint32_t)p1;
            c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
            c3 = (uint32_t)p0;
            k0 += weyl[0];
            k1 += weyl[1];
        }
        to[2 * i] = open_uniform((uint64_t)c1 << 32 | c0);
        to[2 * i + 1] = open_uniform((uint64_t)c3 << 32 | c2);
    }
}

#if HAS_AVX2
/* Four blocks, a word of each in the lower half of a lane of 64 bits; the upper halves hold
 * anything, as the multiplication does not read them. Written out because compilers make three
 * multiplications, or shifts, of each product of two such halves. */
struct four_blocks {
    __m256i c0, c1, c2, c3;
};

__attribute__((target("avx2"))) static void philox_round(struct four_blocks *of,
                                                         const __m256i key[2])
{
    __m256i p0 = _mm256_mul_epu32(of->c0, _mm256_set1_epi64x(multiplier[0]));
    __m256i p1 = _mm256_mul_epu32(of->c2, _mm256_set1_epi64x(multiplier[1]));
    __m256i x1 = _mm256_xor_si256(of->c1, key[0]);
    __m256i x3 = _mm256_xor_si256(of->c3, key[1]);
    of->c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), x1);
    of->c1 = p1;
    of->c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), x3);
    of->c3 = p0;
}

/* open_uniform of the words low and high of four blocks. */
__attribute__((target("avx2"))) static __m256d open_uniforms(__m256i low, __m256i high)
{
    __m256i bits = _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa);
    bits = _mm256_or_si256(_mm256_srli_epi64(bits, 12), _mm256_set1_epi64x(0x3ff0000000000000));
    __m256d less = _mm256_sub_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(1));
    return _mm256_add_pd(less, _mm256_set1_pd(0x1p-53));
}

__attribute__((target("avx2"))) static struct four_blocks load_blocks(const uint64_t *block,
                                                                      uint64_t stream)
{
    __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)block);
    return (struct four_blocks){at, _mm256_srli_epi64(at, 32), _mm256_set1_epi64x((int64_t)stream),
                                _mm256_set1_epi64x((int64_t)(stream >> 32))};
}

__attribute__((target("avx2"))) static void store_numbers(double *to, const struct four_blocks *of)
{
    __m256d first = open_uniforms(of->c0, of->c1), second = open_uniforms(of->c2, of->c3);
    __m256d even = _mm256_unpacklo_pd(first, second), odd = _mm256_unpackhi_pd(first, second);
    _mm256_storeu_pd(to, _mm256_permute2f128_pd(even, odd, 0x20));
    _mm256_storeu_pd(to + 4, _mm256_permute2f128_pd(even, odd, 0x31));
}

/* The keys of all rounds, in each lane. */
struct round_keys {
    __m256i of[N_ROUNDS][2];
};

__attribute__((target("avx2"))) static void spread_keys(struct round_keys *keys, uint64_t seed)
{
    for (uint32_t round = 0; round < N_ROUNDS; round++) {
        keys->of[round][0] = _mm256_set1_epi64x((uint32_t)seed + round * weyl[0]);
        keys->of[round][1] = _mm256_set1_epi64x((uint32_t)(seed >> 32) + round * weyl[1]);
    }
}

/* Eight blocks: a round waits for the one before it, so two times four go side by side. */
__attribute__((target("avx2"))) static void
philox_eight(const struct round_keys *keys, uint64_t stream, const uint64_t *block, double *to)
{
    struct four_blocks a = load_blocks(block, stream), b = load_blocks(block + 4, stream);
#pragma GCC unroll 10
    for (int round = 0; round < N_ROUNDS; round++) {
        philox_round(&a, keys->of[round]);
        philox_round(&b, keys->of[round]);
    }
    store_numbers(to, &a);
    store_numbers(to + 8, &b);
}

__attribute__((target("avx2"))) static void philox_avx2(uint64_t seed, uint64_t stream,
                                                        const uint64_t *block, size_t n, double *to)
{
    struct round_keys keys;
    spread_keys(&keys, seed);
    for (; n >= 8; n -= 8, block += 8, to += 16)
        philox_eight(&keys, stream, block, to);
    if (n) {
        uint64_t last[8] = {0};
        double numbers[16];
        memcpy(last, block, n * sizeof *block);
        philox_eight(&keys, stream, last, numbers);
        memcpy(to, numbers, 2 * n * sizeof *to);
    }
}
#endif

void hc_philox_rows(uint64_t seed, uint64_t stream, const uint64_t *block, size_t n, double *to)
{
#if HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        philox_avx2(seed, stream, block, n, to);
        return;
    }
#endif
    philox_plain(seed, stream, block, n, to);
}
