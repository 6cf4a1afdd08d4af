#include "core/random/stable_rows.h"

#include "core/base/dispatch.h"
#include "core/random/stable_inline.h"

#include <stdbool.h>

/* Functions of several instruction sets are static: clang leaves no plain symbol of others. */
HC_DISPATCH
static void philox_rows(uint64_t seed, uint64_t stream, const uint64_t *block, size_t n,
                        double *first, double *second)
{
    HC_LANES(n)
    {
        uint32_t c0 = (uint32_t)block[l], c1 = (uint32_t)(block[l] >> 32);
        uint32_t c2 = (uint32_t)stream, c3 = (uint32_t)(stream >> 32);
        uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
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
        /* From 1 to 2 by the bits of the fraction. */
        uint64_t a = ((uint64_t)c1 << 32 | c0) >> 12 | 0x3ff0000000000000u;
        uint64_t b = ((uint64_t)c3 << 32 | c2) >> 12 | 0x3ff0000000000000u;
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        first[l] = x - 1 + 0x1p-53;
        second[l] = y - 1 + 0x1p-53;
    }
}

HC_DISPATCH
static void exp_middle_row(const double *x, size_t n, double *y)
{
    HC_LANES(n)
    y[l] = hc_exp_middle(x[l] > HC_EXP_MIDDLE    ? HC_EXP_MIDDLE
                         : x[l] < -HC_EXP_MIDDLE ? -HC_EXP_MIDDLE
                                                 : x[l]);
}

void hc_exp_row(double *value, size_t n, double *scratch)
{
    exp_middle_row(value, n, scratch);
    for (size_t l = 0; l < n; l++) {
        bool is_middle = value[l] >= -HC_EXP_MIDDLE && value[l] <= HC_EXP_MIDDLE;
        value[l] = is_middle ? scratch[l] : hc_exp_inline(value[l]);
    }
}

HC_DISPATCH
static void log_row(double *value, size_t n)
{
    HC_LANES(n) value[l] = hc_log_inline(value[l]);
}

HC_DISPATCH
static void middle_row(const double *u, size_t n, double *z)
{
    HC_LANES(n) z[l] = hc_normal_middle(u[l]);
}

/* The middle for all of them at once, which is right for 85 %; the tails one by one. */
void hc_normal_row(double *value, size_t n, double *scratch)
{
    middle_row(value, n, scratch);
    for (size_t l = 0; l < n; l++) {
        double q = value[l] - 0.5;
        bool is_middle = q >= -HC_WICHURA_MIDDLE && q <= HC_WICHURA_MIDDLE;
        value[l] = is_middle ? scratch[l] : hc_normal_inline(value[l]);
    }
}

void hc_philox_rows(uint64_t seed, uint64_t stream, const uint64_t *block, size_t n, double *first,
                    double *second)
{
    philox_rows(seed, stream, block, n, first, second);
}

void hc_log_row(double *value, size_t n)
{
    log_row(value, n);
}
