#include "core/tables/op_type.h"

#include <string.h>

static const char *const names[HC_N_OP_TYPES] = {
    [HC_BACKWARD_COMPUTE] = "backward-compute",
    [HC_BACKWARD_RECV] = "backward-recv",
    [HC_BACKWARD_SEND] = "backward-send",
    [HC_EMBEDDING_GRADS_ALL_REDUCE] = "embedding-grads-all-reduce",
    [HC_FORWARD_COMPUTE] = "forward-compute",
    [HC_FORWARD_RECV] = "forward-recv",
    [HC_FORWARD_SEND] = "forward-send",
    [HC_GC] = "gc",
    [HC_GRADS_REDUCE_SCATTER] = "grads-reduce-scatter",
    [HC_LAYERNORM_GRADS_ALL_REDUCE] = "layernorm-grads-all-reduce",
    [HC_OPTIMIZER] = "optimizer",
    [HC_OPTIMIZER_CLIP_MAIN_GRAD] = "optimizer-clip-main-grad",
    [HC_PARAMS_ALL_GATHER] = "params-all-gather",
    [HC_SEPARATE_GRADS_ALL_REDUCE] = "separate-grads-all-reduce",
};

const char *hc_op_type_name(int type)
{
    return type >= 0 && type < HC_N_OP_TYPES ? names[type] : NULL;
}

int hc_op_type_find(const char *name, size_t length)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (strlen(names[type]) == length && memcmp(names[type], name, length) == 0)
            return type;
    return HC_OP_UNKNOWN;
}
