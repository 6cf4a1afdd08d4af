/* stable_inline.h - exp, log and the quantile of the standard normal distribution, to be inlined
 * where a loop over many values calls them. Private to this wing: core/random/stable_math.h,
 * core/random/philox.h and core/random/stable_rows.h say what they are. */
#ifndef HC_CORE_RANDOM_STABLE_INLINE_H
#define HC_CORE_RANDOM_STABLE_INLINE_H

#include <stdint.h>
#include <string.h>

/* ln 2 in two parts, the first with enough zero bits that k * high is exact. */
static const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

static inline double hc_two_to(int64_t k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* e^x where it is far from the ends of the numbers: |x| <= HC_EXP_MIDDLE. */
#define HC_EXP_MIDDLE 700.0

/* e^r * 2^k = e^x with |r| <= ln(2)/2; *k is told. */
static inline double hc_exp_fraction(double x, int32_t *k)
{
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
    double scaled = x * 1.44269504088896340736;
    *k = (int32_t)(scaled + __builtin_copysign(0.5, scaled));
    double r = (x - (double)*k * ln2_high) - (double)*k * ln2_low;
    double sum = 1.0 / 6227020800.0; /* 1/13! */
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++)
        sum = sum * r + term[i];
    return 1.0 + r * sum;
}

static inline double hc_exp_middle(double x)
{
    int32_t k;
    double fraction = hc_exp_fraction(x, &k);
    return fraction * hc_two_to(k);
}

static inline double hc_exp_inline(double x)
{
    int32_t k;
    if (x < -708)
        return 0;
    if (x > 709)
        return __builtin_inf();
    double fraction = hc_exp_fraction(x, &k);
    return k > 1022 ? fraction * hc_two_to(k - 1) * 2.0 : fraction * hc_two_to(k);
}

static inline double hc_log_inline(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* x = m * 2^k with m from sqrt(1/2) to sqrt(2), by its bits: which half of a binade x lies in
     * is as good as random, so that a branch on it would be guessed wrong every other time. */
    uint64_t fraction = bits & 0xfffffffffffff, upper = (int64_t)fraction > 0x6a09e667f3bcd;
    int32_t k = (int32_t)((bits >> 52) + upper) - 1023;
    uint64_t m_bits = fraction | (1023 - upper) << 52;
    double m;
    memcpy(&m, &m_bits, sizeof m);
    /* log m = 2 atanh(s), with |s| <= 0.172 */
    static const double term[10] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                    1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, sum = 1.0 / 23;
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++)
        sum = sum * s2 + term[i];
    return (double)k * ln2_high + (2.0 * s + (2.0 * s * s2 * sum + (double)k * ln2_low));
}

/* p/q of Wichura's PPND16 (AS 241), highest power first. */
static inline double hc_wichura_ratio(const double p[8], const double q[8], double x)
{
    double above = p[0], below = q[0];
#pragma GCC unroll 7
    for (int i = 1; i < 8; i++) {
        above = above * x + p[i];
        below = below * x + q[i];
    }
    return above / below;
}

/* The middle of the distribution, |u - 0.5| at most this. */
#define HC_WICHURA_MIDDLE 0.425

static inline double hc_normal_middle(double u)
{
    static const double p_mid[8] = {
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608};
    static const double q_mid[8] = {
        5226.495278852854561,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
    double q = u - 0.5;
    return q * hc_wichura_ratio(p_mid, q_mid, 0.180625 - q * q);
}

/* How far out a tail is, by the square root of the logarithm; near ones at most HC_WICHURA_NEAR. */
#define HC_WICHURA_NEAR 5.0

static inline double hc_wichura_distance(double u)
{
    double beyond = 1.0 - u;
    return __builtin_sqrt(-hc_log_inline(u < 0.5 ? u : beyond));
}

/* z with the sign of u - 0.5 */
static inline double hc_wichura_side(double u, double z)
{
    return __builtin_copysign(z, u - 0.5);
}

static inline double hc_normal_near(double u, double distance)
{
    static const double p_near[8] = {7.7454501427834140764e-4, .0227238449892691845833,
                                     .24178072517745061177,    1.27045825245236838258,
                                     3.64784832476320460504,   5.7694972214606914055,
                                     4.6303378461565452959,    1.42343711074968357734};
    static const double q_near[8] = {1.05075007164441684324e-9, 5.475938084995344946e-4,
                                     .0151986665636164571966,   .14810397642748007459,
                                     .68976733498510000455,     1.6763848301838038494,
                                     2.05319162663775882187,    1.0};
    return hc_wichura_side(u, hc_wichura_ratio(p_near, q_near, distance - 1.6));
}

static inline double hc_normal_far(double u, double distance)
{
    static const double p_far[8] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                                    .0012426609473880784386,   .026532189526576123093,
                                    .29656057182850489123,     1.7848265399172913358,
                                    5.4637849111641143699,     6.6579046435011037772};
    static const double q_far[8] = {2.04426310338993978564e-15, 1.4215117583164458887e-7,
                                    1.8463183175100546818e-5,   7.868691311456132591e-4,
                                    .0148753612908506148525,    .13692988092273580531,
                                    .59983220655588793769,      1.0};
    return hc_wichura_side(u, hc_wichura_ratio(p_far, q_far, distance - 5.0));
}

static inline double hc_normal_inline(double u)
{
    double q = u - 0.5;
    if (q >= -HC_WICHURA_MIDDLE && q <= HC_WICHURA_MIDDLE)
        return hc_normal_middle(u);
    double distance = hc_wichura_distance(u);
    return distance <= HC_WICHURA_NEAR ? hc_normal_near(u, distance) : hc_normal_far(u, distance);
}

#endif
