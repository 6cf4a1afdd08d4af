/* op_type.h - the operation types of a step timeline.
 *
 * The values are alphabetical by name: where starts and sequence ids tie, ops are ordered by type
 * name, so the enum itself is the tie-break.
 */
#ifndef HC_CORE_TABLES_OP_TYPE_H
#define HC_CORE_TABLES_OP_TYPE_H

#include <stdbool.h>
#include <stddef.h>

/* The name of the dictionary that has them, in every segment. */
#define HC_OP_TYPE_DICTIONARY "op_type"

enum hc_op_type {
    HC_BACKWARD_COMPUTE,
    HC_BACKWARD_RECV,
    HC_BACKWARD_SEND,
    HC_EMBEDDING_GRADS_ALL_REDUCE,
    HC_FORWARD_COMPUTE,
    HC_FORWARD_RECV,
    HC_FORWARD_SEND,
    HC_GC,
    HC_GRADS_REDUCE_SCATTER,
    HC_LAYERNORM_GRADS_ALL_REDUCE,
    HC_OPTIMIZER,
    HC_OPTIMIZER_CLIP_MAIN_GRAD,
    HC_PARAMS_ALL_GATHER,
    HC_SEPARATE_GRADS_ALL_REDUCE,
    HC_N_OP_TYPES,
    HC_OP_UNKNOWN = -1, /* a name that is not in the list */
    HC_OP_IGNORED = -2  /* a name that the metadata declares as not part of the step */
};

/* "forward-compute"; NULL when type is not one of the list. */
const char *hc_op_type_name(int type);

/* The type of that name (length bytes, not terminated), or HC_OP_UNKNOWN. */
int hc_op_type_find(const char *name, size_t length);

/* forward- and backward-compute. */
static inline bool hc_op_is_pass(int type)
{
    return type == HC_FORWARD_COMPUTE || type == HC_BACKWARD_COMPUTE;
}

/* The four sends and receives between stages. */
static inline bool hc_op_is_p2p(int type)
{
    return type == HC_FORWARD_SEND || type == HC_FORWARD_RECV || type == HC_BACKWARD_SEND ||
           type == HC_BACKWARD_RECV;
}

#endif
