#include "models/profiles/profile_clocks.h"

/* The offset at a time of the rank's own clock. */
static int64_t offset_at(const struct hc_rank_clock *clock, int64_t ns)
{
    size_t low = 0, high = clock->n_segments;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (clock->segments[middle].from_ns <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (clock->n_segments == 0)
        return clock->offset_ns;
    return clock->segments[low > 0 ? low - 1 : 0].offset_ns;
}

/* Offsets may be as long as 64 bits; the result is a time again, whatever wraps on the way. */
static int64_t without(int64_t ns, int64_t offset_ns)
{
    return (int64_t)((uint64_t)ns - (uint64_t)offset_ns);
}

int64_t hc_aligned_ns(const struct hc_collectives *collectives, size_t rank_index, int64_t ns)
{
    return without(ns, offset_at(&collectives->clocks[rank_index], ns));
}

void hc_aligned_kernel(const struct hc_collectives *collectives, const struct hc_profile *profile,
                       uint32_t kernel, int64_t *start_ns, int64_t *end_ns)
{
    const struct hc_comm_kernel *k = &collectives->kernels[kernel];
    const struct hc_table *gpu = &profile->ranks[k->rank_index].table[HC_PROFILE_GPU];
    int64_t ns = hc_table_i64(gpu, HC_GPU_START_NS)[k->row];
    *start_ns = hc_aligned_ns(collectives, k->rank_index, ns);
    *end_ns = without(*start_ns, -hc_table_i64(gpu, HC_GPU_DURATION_NS)[k->row]);
}
