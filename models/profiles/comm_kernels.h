/* comm_kernels.h - the communication kernels of each rank alone, and the groups that the rank knows
 * them by. Private to this wing. */
#ifndef HC_MODELS_PROFILES_COMM_KERNELS_H
#define HC_MODELS_PROFILES_COMM_KERNELS_H

#include "models/profiles/collectives.h"

#define HC_NO_PAIR (-1)

/* A process group as one rank knows it: by its name, or, where kernels carry none, as one of the
 * streams that they run on. */
struct hc_local_group {
    int32_t name;    /* code of dictionary "group", or HC_MISSING_I32 */
    int32_t stream;  /* where there is no name */
    int32_t ordinal; /* of the stream among the communication streams of the rank; else -1 */
    int32_t description, size; /* HC_MISSING_I32 unknown */
    size_t n_members;
    int32_t *members; /* ascending, each once; n_members 0: unknown */
    size_t n_kernels;
    int32_t joint; /* filled by hc_comm_groups_join */
};

/* Where a kernel is to be joined, beside hc_comm_kernel. */
struct hc_comm_place {
    int32_t group; /* local */
    int64_t pair;  /* sender << 32 | receiver of one between two ranks, or HC_NO_PAIR */
    int64_t order; /* among the linked kernels of the group and pair in the step; -1: none */
    int64_t step;  /* number of the step; only with an order */
};

struct hc_rank_comms {
    size_t n;
    struct hc_comm_kernel *kernels; /* by row */
    struct hc_comm_place *places;   /* beside kernels */
    size_t n_groups;
    struct hc_local_group *groups; /* in the order of their first kernel, then those without any */
};

/* The kernels of rank_index with their facts and places; collective -1, group that of the rank. */
enum hc_status hc_rank_comms_list(struct hc_rank_comms *comms, const struct hc_profile *profile,
                                  size_t rank_index, struct hc_error *err);
void hc_rank_comms_fini(struct hc_rank_comms *comms);

#endif
