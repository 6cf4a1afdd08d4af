/* whole_ns.h - rounding to whole nanoseconds, as all times of a replay are. */
#ifndef HC_SIM_REPLAY_WHOLE_NS_H
#define HC_SIM_REPLAY_WHOLE_NS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hc_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double hc_double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* value to the nearest whole number, halves away from zero.
 *
 * Numbers from 2^52 on have no fraction, so that adding 2^52 rounds what is below it, halves to
 * even; what is then a half off toward zero is put right. Conditions choose between bits, and there
 * is no trunc or round: gcc 12 vectorises neither of them in the functions of core/base/dispatch.h,
 * as arithmetic on one side of a condition might trap. */
static inline double hc_whole_ns(double value)
{
    uint64_t sign = hc_bits_of_double(value) & 0x8000000000000000u;
    uint64_t most = fabs(value) < 0x1p52 ? hc_bits_of_double(0x1p52) : 0;
    double shift = hc_double_of_bits(sign | most);
    double near = (value + shift) - shift;
    double one = hc_double_of_bits(sign | hc_bits_of_double(1.0));
    return near + hc_double_of_bits(2 * (value - near) == one ? hc_bits_of_double(one) : 0);
}

#endif
