#include "sim/lifetime/stop_lengths.h"

/* The least length of a count. */
static int64_t shortest_ns(int length)
{
    if (length == 0)
        return 0;
    int octave = HC_STOP_FIRST_OCTAVE + ((length - 1) >> HC_STOP_PARTS_LOG2);
    int64_t part = (length - 1) & ((1 << HC_STOP_PARTS_LOG2) - 1);
    return ((int64_t)1 << octave) + (part << (octave - HC_STOP_PARTS_LOG2));
}

double hc_stop_quantile_s(const uint64_t n[HC_STOP_LENGTHS], int64_t longest_ns, double share)
{
    uint64_t all = 0, before = 0;
    for (int i = 0; i < HC_STOP_LENGTHS; i++)
        all += n[i];
    if (!all)
        return __builtin_nan("");
    double rank = share * (double)all; /* of the stops up to the quantile */
    int at = 0;
    while (at < HC_STOP_LENGTHS - 1 && (!n[at] || (double)(before + n[at]) < rank))
        before += n[at++];
    double from = (double)shortest_ns(at), to = (double)longest_ns;
    if (at + 1 < HC_STOP_LENGTHS && shortest_ns(at + 1) < longest_ns)
        to = (double)shortest_ns(at + 1);
    return (from + (to - from) * (rank - (double)before) / (double)n[at]) * 1e-9;
}
