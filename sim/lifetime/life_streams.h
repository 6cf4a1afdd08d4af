/* life_streams.h - the random numbers of one life. Private to this wing.
 *
 * There is one stream for each purpose, named by (seed, key, replica, purpose). A draw for one
 * purpose therefore never moves what is drawn for another: two variants of a scenario see the same
 * faults although one of them draws more start-ups (common random numbers). It follows that the
 * order of draws within a stream is part of the result. Whoever moves code that draws must keep it.
 */
#ifndef HC_SIM_LIFETIME_LIFE_STREAMS_H
#define HC_SIM_LIFETIME_LIFE_STREAMS_H

#include "core/random/philox.h"
#include "sim/engine/distribution.h"
#include "sim/lifetime/lifetime.h"

/* Later than any moment of a life, and far enough from INT64_MAX that sums do not overflow. */
#define HC_LIFE_NEVER (INT64_MAX / 4)

/* The arrivals of cause f have the stream HC_STREAM_ARRIVAL + f. */
enum hc_life_stream {
    HC_STREAM_LEMONS,
    HC_STREAM_PLACE, /* which node a fault takes */
    HC_STREAM_DETECT,
    HC_STREAM_RECOVER,
    HC_STREAM_START,
    HC_STREAM_SAVE,
    HC_STREAM_REPAIR,
    HC_STREAM_STEPS,
    HC_STREAM_ARRIVAL,
    HC_STREAM_COUNT = HC_STREAM_ARRIVAL + HC_LIFETIME_MAX_FAULTS
};

/* Streams added after the first release. A separate enum, so that the numbers above never change
 * and old seeds give the same lives. */
enum hc_life_extra {
    HC_EXTRA_INFANTS,
    HC_EXTRA_QUARANTINE,
    HC_EXTRA_INTERVAL,
    HC_EXTRA_STANDBYS,
    HC_EXTRA_COUNT
};

struct hc_life_streams {
    struct hc_philox rng[HC_STREAM_COUNT], extra[HC_EXTRA_COUNT];
};

/* To the beginning of the streams of this replica. */
static inline void hc_life_seek(struct hc_life_streams *streams,
                                const struct hc_lifetime_config *config, uint64_t replica)
{
    uint64_t seed = config->seed + 0x9E3779B97F4A7C15u * config->key;
    replica += config->first_replica;
    int n = HC_STREAM_ARRIVAL + (int)config->n_faults;
    for (int i = 0; i < n; i++)
        hc_philox_seek(&streams->rng[i], seed, replica * HC_STREAM_COUNT + (uint64_t)i, 0);
    for (uint64_t i = 0; i < HC_EXTRA_COUNT; i++)
        hc_philox_seek(&streams->extra[i], ~seed, replica * HC_STREAM_COUNT + i, 0);
}

/* Seconds, which are not negative, to the nearest nanosecond; at most HC_LIFE_NEVER. */
static inline int64_t hc_life_ns(double seconds)
{
    return seconds < (double)HC_LIFE_NEVER * 1e-9 ? (int64_t)(seconds * 1e9 + 0.5) : HC_LIFE_NEVER;
}

/* A duration in ns. Most distributions of a config are constants, which draw nothing: inline, so
 * that these cost no call. */
static inline int64_t hc_life_draw(struct hc_life_streams *streams, const struct hc_distribution *d,
                                   enum hc_life_stream stream)
{
    if (d->kind == HC_DISTRIBUTION_CONSTANT)
        return d->scale > 0 ? hc_life_ns(d->scale) : 0;
    return hc_life_ns(hc_distribution_draw(d, &streams->rng[stream]));
}

/* Nothing is drawn where the answer is certain. */
static inline bool hc_life_chance(struct hc_life_streams *streams, double probability,
                                  enum hc_life_stream stream)
{
    if (probability <= 0 || probability >= 1)
        return probability >= 1;
    return hc_philox_uniform(&streams->rng[stream]) < probability;
}

#endif
