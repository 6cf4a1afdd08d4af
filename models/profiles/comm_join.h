/* comm_join.h - kernels of all ranks joined to collectives by their keys. Private to this wing. */
#ifndef HC_MODELS_PROFILES_COMM_JOIN_H
#define HC_MODELS_PROFILES_COMM_JOIN_H

#include "models/profiles/comm_kernels.h"

/* Move the kernels of all ranks into collectives, whose groups are filled, and join them: fill
 * kernels, collectives (n members, first, op, group, is_by_order, is_uneven, is_joint,
 * is_mismatched, bytes), member_kernels. A collective has two members or more; they are listed by
 * (rank, row) of the lowest member. */
enum hc_status hc_comm_join(struct hc_collectives *collectives, struct hc_rank_comms *ranks,
                            size_t n_ranks, struct hc_error *err);

#endif
