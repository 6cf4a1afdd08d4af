/* collective_arrivals.h - how a set keeps who arrived at which collective, and puts groups together
 * at its end. Private to this wing. */
#ifndef HC_MODELS_COLLECTIVES_COLLECTIVE_ARRIVALS_H
#define HC_MODELS_COLLECTIVES_COLLECTIVE_ARRIVALS_H

#include "models/collectives/collective_set.h"
#include "models/collectives/dump_loading.h"

/* Group and sequence number share a key of 64 bits. */
#define HC_COLLECTIVE_MOST_GROUPS (1 << 22)
#define HC_COLLECTIVE_MOST_SEQ    ((int64_t)1 << 42)

/* The rank that is loading queued this collective of group. */
enum hc_status hc_collective_arrive(struct hc_collective_set *set,
                                    const struct hc_loaded_entry *entry, int32_t group,
                                    struct hc_error *err);

/* n ranks, in the order of the group, become its members; what was known of their progress goes. */
enum hc_status hc_collective_list_members(struct hc_collective_group *group, const int32_t *members,
                                          size_t n, struct hc_error *err);

/* Note where another rank called something else than its first arrival: another op or type or,
 * where all members must agree on them, elements. */
enum hc_status hc_collective_compare(struct hc_collective_set *set,
                                     struct hc_collective *collective,
                                     const struct hc_collective_mismatch *other,
                                     struct hc_error *err);

#endif
