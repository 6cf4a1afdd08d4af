/* comm_members.h - the ranks of a group, as one rank says them. Private to this wing. */
#ifndef HC_MODELS_PROFILES_COMM_MEMBERS_H
#define HC_MODELS_PROFILES_COMM_MEMBERS_H

#include "models/profiles/comm_facts.h"
#include "models/profiles/comm_kernels.h"

/* Description, size and members of a group by the table of groups of its rank. */
enum hc_status hc_comm_members_list(struct hc_local_group *group, const struct hc_profile *profile,
                                    size_t rank_index, struct hc_error *err);

/* What is still open of these by the facts of one of its kernels. Of the ranks that a kernel lists
 * (Process Group Ranks) no use is made: the list is cut after 30. */
enum hc_status hc_comm_members_stride(struct hc_local_group *group,
                                      const struct hc_profile *profile, size_t rank_index,
                                      const struct hc_comm_facts *facts, struct hc_error *err);

#endif
