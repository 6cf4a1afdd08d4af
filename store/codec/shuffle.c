#include "store/codec/shuffle.h"

#include <string.h>

/* Sixteen values of 2^k bytes are a table of 16 x 2^k bytes, and the shuffle transposes it. With
 * the address of a byte as the bits [value:4][byte:k], that is a rotation of the address by four
 * bits to the left; interleaving the first half of the bytes with the second is a rotation by one.
 * So four rounds of interleaving shuffle, and k rounds put things back. The compiler's vector
 * extension makes one punpck (SSE2) or zip (NEON) instruction of each half of a pair. */
typedef uint8_t vector __attribute__((vector_size(16)));

#define LANES sizeof(vector)

static inline vector low_halves(vector a, vector b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline vector high_halves(vector a, vector b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}

/* n_rounds rounds of interleaving over size vectors; always inlined, with constants. */
static inline __attribute__((always_inline)) void interleave(vector *v, size_t size, int n_rounds)
{
    vector t[8];
    for (int round = 0; round < n_rounds; round++) {
        for (size_t i = 0; i < size / 2; i++) {
            t[2 * i] = low_halves(v[i], v[i + size / 2]);
            t[2 * i + 1] = high_halves(v[i], v[i + size / 2]);
        }
        for (size_t i = 0; i < size; i++)
            v[i] = t[i];
    }
}

static inline __attribute__((always_inline)) void shuffle_vectors(const uint8_t *values, size_t n,
                                                                  size_t size, uint8_t *planes)
{
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        vector v[8];
        for (size_t k = 0; k < size; k++)
            memcpy(&v[k], values + i * size + k * LANES, LANES);
        interleave(v, size, 4);
        for (size_t k = 0; k < size; k++)
            memcpy(planes + k * n + i, &v[k], LANES);
    }
}

static inline __attribute__((always_inline)) void
unshuffle_vectors(const uint8_t *planes, size_t n, size_t size, int n_rounds, uint8_t *values)
{
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        vector v[8];
        for (size_t k = 0; k < size; k++)
            memcpy(&v[k], planes + k * n + i, LANES);
        interleave(v, size, n_rounds);
        for (size_t k = 0; k < size; k++)
            memcpy(values + i * size + k * LANES, &v[k], LANES);
    }
}

/* How many of the n values the vector code does: none for unusual sizes. */
static size_t whole_vectors(size_t n, size_t size)
{
    return size == 4 || size == 8 ? n - n % LANES : 0;
}

void hc_shuffle(const uint8_t *values, size_t n, size_t size, uint8_t *planes)
{
    if (size == 4)
        shuffle_vectors(values, n, 4, planes);
    else if (size == 8)
        shuffle_vectors(values, n, 8, planes);
    for (size_t i = whole_vectors(n, size); i < n; i++)
        for (size_t k = 0; k < size; k++)
            planes[k * n + i] = values[i * size + k];
}

void hc_unshuffle(const uint8_t *planes, size_t n, size_t size, uint8_t *values)
{
    if (size == 4)
        unshuffle_vectors(planes, n, 4, 2, values);
    else if (size == 8)
        unshuffle_vectors(planes, n, 8, 3, values);
    for (size_t i = whole_vectors(n, size); i < n; i++)
        for (size_t k = 0; k < size; k++)
            values[i * size + k] = planes[k * n + i];
}
