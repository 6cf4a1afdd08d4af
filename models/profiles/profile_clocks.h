/* profile_clocks.h - the clocks of the ranks by their collectives, steps and drift taken into
 * account. Private to this wing. */
#ifndef HC_MODELS_PROFILES_PROFILE_CLOCKS_H
#define HC_MODELS_PROFILES_PROFILE_CLOCKS_H

#include "models/profiles/collectives.h"

/* Why no clocks fit: the ranks of a negative cycle, and their collectives (indices into those of
 * struct hc_collectives). n 0: they fit. */
struct hc_contradiction {
    size_t n;
    uint32_t *ranks, *collectives;
};

/* Fill clocks (component, offset, bounds, drift, segments) and has_drift by the collectives of
 * groups that are not refused. Where they contradict each other, the clocks are there, but for
 * bounds. */
enum hc_status hc_profile_clocks_find(struct hc_collectives *collectives,
                                      const struct hc_profile *profile,
                                      struct hc_contradiction *contradiction, struct hc_error *err);

void hc_contradiction_fini(struct hc_contradiction *contradiction);
void hc_profile_clocks_fini(struct hc_rank_clock *clocks, size_t n);

/* Start and end of a kernel on the clock of its component. */
void hc_aligned_kernel(const struct hc_collectives *collectives, const struct hc_profile *profile,
                       uint32_t kernel, int64_t *start_ns, int64_t *end_ns);

#endif
