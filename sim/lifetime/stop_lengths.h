/* stop_lengths.h - how long stops last: counts by length, in steps of at most a sixteenth.
 *
 * Stops of many lives are kept as counts, so that memory does not grow with their number and the
 * sum is the same in any grouping. Lengths below 2^30 ns (1.07 s) share one count.
 */
#ifndef HC_SIM_LIFETIME_STOP_LENGTHS_H
#define HC_SIM_LIFETIME_STOP_LENGTHS_H

#include <stdint.h>

#define HC_STOP_FIRST_OCTAVE 30
#define HC_STOP_PARTS_LOG2   4 /* of an octave: 16, of the same width */
#define HC_STOP_LENGTHS      (1 + ((63 - HC_STOP_FIRST_OCTAVE) << HC_STOP_PARTS_LOG2))

/* Which count a stop of ns belongs to; ns is not negative. */
static inline int hc_stop_length(int64_t ns)
{
    if (ns < (int64_t)1 << HC_STOP_FIRST_OCTAVE)
        return 0;
    int octave = 63 - __builtin_clzll((unsigned long long)ns);
    int part = (int)(ns >> (octave - HC_STOP_PARTS_LOG2)) & ((1 << HC_STOP_PARTS_LOG2) - 1);
    return 1 + ((octave - HC_STOP_FIRST_OCTAVE) << HC_STOP_PARTS_LOG2) + part;
}

/* The length that this share of all stops does not exceed, 0 < share <= 1; within a count the stops
 * are taken to lie evenly. Never above the longest; NaN without stops. */
double hc_stop_quantile_s(const uint64_t n[HC_STOP_LENGTHS], int64_t longest_ns, double share);

#endif
