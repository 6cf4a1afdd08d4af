/* How long a phase of a start takes, of the whole job or of one node that joins it. */
#include "sim/lifetime/life/life_driver.h"

int64_t hc_life_phase_ns(struct hc_life *s, const struct hc_lifetime_phase *phase,
                         enum hc_life_start kind, int32_t n)
{
    const struct hc_distribution *d = kind == HC_START_FIRST  ? &phase->first_s
                                      : kind == HC_START_FULL ? &phase->full_s
                                                              : &phase->hot_s;
    struct hc_philox *rng = &s->streams.rng[HC_STREAM_START];
    double seconds =
        phase->per_node ? hc_distribution_draw_max(d, n, rng) : hc_distribution_draw(d, rng);
    return hc_life_ns(seconds * phase->factor);
}
