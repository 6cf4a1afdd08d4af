/* clock_set.h - clocks of several ranks by moments that they share: an event of which each member
 * saw start and end on its own clock, the end at nearly the same moment for all, and none before
 * the last had started. Joint collectives of a training job are such events.
 *
 *     hc_clock_set_init(&set, n_ranks, n_events, n_members, err);
 *     for each event {
 *         for each of its members, ranks ascending: hc_clock_set_add(&set, rank, start_ns, end_ns);
 *         hc_clock_set_end_event(&set, label);
 *     }
 *     hc_clock_set_align(&set, err);      // offset_ns, component, residuals
 *     hc_clock_set_bounds(&set, ...);
 *     hc_clock_set_fini(&set);
 *
 * Times are within 2^50 ns of 0, each rank's counted from an origin of its own: numbers stay small,
 * and a clock that is shifted as a whole is a matter of the caller's origins.
 */
#ifndef HC_MODELS_CLOCKS_CLOCK_SET_H
#define HC_MODELS_CLOCKS_CLOCK_SET_H

#include "core/base/missing.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_CLOCK_FARTHEST_NS ((int64_t)1 << 50)

struct hc_clock_set {
    size_t n_ranks, n, n_members; /* n: events */

    /* Members of event c: from first[c] to first[c + 1]. */
    size_t *first;
    uint32_t *label; /* of each event: a number of the caller's */
    uint32_t *rank;  /* of each member */
    uint32_t *of;    /* of each member: the index of its event */
    int64_t *start_ns, *end_ns;

    /* Members of rank r, ascending by event: members[rank_first[r] .. rank_first[r + 1]). */
    size_t *rank_first;
    uint32_t *members;
    /* The same members' ends and events, once more: rounds of medians read them one by one. */
    int64_t *end_of_member_ns;
    uint32_t *event_of_member;

    /* By hc_clock_set_align. */
    int32_t *component; /* of each rank: 0, 1, ...; ranks that no event joins have different ones */
    uint32_t *reference;  /* of each rank: the lowest of its component */
    int64_t *offset_ns;   /* of each rank: its clock minus that of its reference */
    int64_t *true_end_ns; /* of each event, on the clock of the reference */
    int64_t max_residual_ns;
};

enum hc_status hc_clock_set_init(struct hc_clock_set *set, size_t n_ranks, size_t n_events,
                                 size_t n_members, struct hc_error *err);
void hc_clock_set_fini(struct hc_clock_set *set);

void hc_clock_set_add(struct hc_clock_set *set, uint32_t rank, int64_t start_ns, int64_t end_ns);
void hc_clock_set_end_event(struct hc_clock_set *set, uint32_t label);

/* Offsets by the ends: a start by ranks that share most events, then medians by turns. */
enum hc_status hc_clock_set_align(struct hc_clock_set *set, struct hc_error *err);

/* Events whose bounds contradict each other: a negative cycle. */
struct hc_clock_cycle {
    size_t n;
    uint32_t *ranks;
    uint32_t *events; /* events[i]: index of the event between ranks i and i + 1 */
};

/* Bounds of each offset that hold whatever ranks do, of an aligned set: no member of an event ends
 * before the last has started. low_ns and high_ns have n_ranks values, HC_MISSING_I64 where nothing
 * bounds them. cycle->n > 0: there are none; its arrays are the caller's then, to be freed. */
enum hc_status hc_clock_set_bounds(const struct hc_clock_set *set, int64_t *low_ns,
                                   int64_t *high_ns, struct hc_clock_cycle *cycle,
                                   struct hc_error *err);

/* Whether a clock of an aligned set drifts: Theil and Sen's slope of the residuals of a rank, of at
 * most 200 blocks of events that follow each other, less that of its reference, makes more over the
 * time of its events than the largest residual. */
enum hc_status hc_clock_set_drifts(const struct hc_clock_set *set, bool *drifts,
                                   struct hc_error *err);

#endif
