/* clock_set.h - the ends of joint collectives on the clocks of their members, and the clocks that
 * they tell. Private to this wing.
 *
 * Times count from an origin of each rank, a time of its own clock: numbers stay small, and a clock
 * that is shifted as a whole changes nothing but the origin.
 */
#ifndef HC_MODELS_PROFILES_CLOCK_SET_H
#define HC_MODELS_PROFILES_CLOCK_SET_H

#include "models/profiles/collectives.h"

#define HC_ANY_STEP INT64_MIN

struct hc_clock_set {
    size_t n_ranks, n, n_members;
    const int64_t *origin_ns; /* of each rank */

    /* Members of collective c: from first[c] to first[c + 1]. */
    size_t *first;
    uint32_t *collective; /* index into collectives->collectives, of each */
    uint32_t *rank;
    uint32_t *of; /* the index of the collective that a member is of */
    int64_t *start_ns, *end_ns;

    /* Members of rank r, ascending by collective: members[rank_first[r] .. rank_first[r + 1]). */
    size_t *rank_first;
    uint32_t *members;

    /* By hc_clock_set_align. */
    int32_t *component;   /* of each rank */
    uint32_t *reference;  /* of each rank: the lowest of its component */
    int64_t *offset_ns;   /* of each rank, in times from the origins */
    int64_t *true_end_ns; /* of each collective, on the clock of the reference */
    int64_t median_residual_ns, max_residual_ns;
};

/* The joint collectives of a step (its number, HC_ANY_STEP: all), those of refused groups aside.
 * origin_ns stays the caller's. */
enum hc_status hc_clock_set_init(struct hc_clock_set *set, const struct hc_collectives *collectives,
                                 const struct hc_profile *profile, const int64_t *origin_ns,
                                 int64_t step, struct hc_error *err);
void hc_clock_set_fini(struct hc_clock_set *set);

/* Offsets by the ends: a start by ranks that share most collectives, then medians by turns. */
enum hc_status hc_clock_set_align(struct hc_clock_set *set, struct hc_error *err);

/* Collectives whose bounds contradict each other: a negative cycle. */
struct hc_clock_cycle {
    size_t n;
    uint32_t *ranks;       /* indices */
    uint32_t *collectives; /* collectives[i]: index of the set, between ranks i and i + 1 */
};

/* Bounds of each offset, in times from the origins, that hold whatever ranks do: no member of a
 * joint collective ends before the last has started. low_ns and high_ns have n_ranks values,
 * HC_MISSING_I64 where nothing bounds them. cycle->n > 0: there are none; its arrays are the
 * caller's then, to be freed. */
enum hc_status hc_clock_set_bounds(const struct hc_clock_set *set, int64_t *low_ns,
                                   int64_t *high_ns, struct hc_clock_cycle *cycle,
                                   struct hc_error *err);

/* Whether a clock drifts: Theil and Sen's slope of the residuals of a rank, of at most 200 blocks
 * of collectives that follow each other, less that of its reference, makes more over the time of
 * its collectives than the largest residual. */
enum hc_status hc_clock_set_drifts(const struct hc_clock_set *set, bool *drifts,
                                   struct hc_error *err);

#endif
