#include "core/random/stable_math.h"

#include <stdint.h>
#include <string.h>

/* ln 2 in two parts, the first with enough zero bits that k * high is exact. */
static const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

static double two_to(int64_t k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double hc_stable_exp(double x)
{
    if (x < -708)
        return 0;
    if (x > 709)
        return __builtin_inf();
    double scaled = x * 1.44269504088896340736;
    int64_t k = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double r = (x - (double)k * ln2_high) - (double)k * ln2_low; /* |r| <= ln(2)/2 */
    double sum = 1.0 / 6227020800.0;                             /* 1/13! */
    static const double term[12] = {1.0 / 479001600.0,
                                    1.0 / 39916800.0,
                                    1.0 / 3628800.0,
                                    1.0 / 362880.0,
                                    1.0 / 40320.0,
                                    1.0 / 5040.0,
                                    1.0 / 720.0,
                                    1.0 / 120.0,
                                    1.0 / 24.0,
                                    1.0 / 6.0,
                                    0.5,
                                    1.0};
    for (int i = 0; i < 12; i++)
        sum = sum * r + term[i];
    double result = 1.0 + r * sum;
    return k > 1022 ? result * two_to(k - 1) * 2.0 : result * two_to(k);
}

double hc_stable_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* x = m * 2^k with m from sqrt(1/2) to sqrt(2), by its bits: which half of a binade x lies in
     * is as good as random, so that a branch on it would be guessed wrong every other time. */
    uint64_t fraction = bits & 0xfffffffffffff, upper = fraction > 0x6a09e667f3bcd;
    int64_t k = (int64_t)((bits >> 52) + upper) - 1023;
    uint64_t m_bits = fraction | (1023 - upper) << 52;
    double m;
    memcpy(&m, &m_bits, sizeof m);
    /* log m = 2 atanh(s), with |s| <= 0.172 */
    static const double term[10] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                    1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, sum = 1.0 / 23;
    for (int i = 0; i < 10; i++)
        sum = sum * s2 + term[i];
    return (double)k * ln2_high + (2.0 * s + (2.0 * s * s2 * sum + (double)k * ln2_low));
}
