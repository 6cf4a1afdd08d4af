/* comm_groups.h - the groups of all ranks, made one where they are the same. Private to this wing.
 */
#ifndef HC_MODELS_PROFILES_COMM_GROUPS_H
#define HC_MODELS_PROFILES_COMM_GROUPS_H

#include "models/profiles/comm_kernels.h"

/* Fill groups of collectives with those that have kernels, and joint of each local group of ranks
 * (one struct for each rank of the profile) with its index there, -1 where it has none.
 *
 * A process group has a name of its own in each process. So groups of known members are the same
 * where members and description are, if no rank has two of that kind; else, and where the members
 * are unknown, only if the names are equal, too. Groups without names are told by the place of
 * their stream among the communication streams of their rank. */
enum hc_status hc_comm_groups_join(struct hc_collectives *collectives, struct hc_rank_comms *ranks,
                                   const struct hc_profile *profile, struct hc_error *err);

#endif
