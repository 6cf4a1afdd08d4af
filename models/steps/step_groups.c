/* step_groups.c - which ops transfer together. */
#include "models/steps/step_builder.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"

#include <stdlib.h>
#include <string.h>

/* The k-th transferring op of a send type pairs with the k-th of the receive type of the peer
 * stage. */
static enum hc_status pair_sends(struct hc_step_builder *b, int32_t stage, int send, int recv)
{
    int32_t delta = send == HC_FORWARD_SEND ? 1 : -1;
    int32_t peer = (stage + delta + b->n_stages) % b->n_stages;
    struct hc_op_list sends = hc_builder_list(b, stage, send),
                      recvs = hc_builder_list(b, peer, recv);
    size_t s = 0, r = 0;
    for (;; s++, r++) {
        while (s < sends.n && b->is_no_op[sends.op[s]])
            s++;
        while (r < recvs.n && b->is_no_op[recvs.op[r]])
            r++;
        if (s == sends.n || r == recvs.n)
            break;
        uint32_t pair[2] = {sends.op[s], recvs.op[r]};
        if (hc_builder_group(b, pair, 2, false))
            return b->err->status;
    }
    if (s == sends.n && r == recvs.n)
        return HC_OK;
    const struct hc_graph_op *alone = &b->ops[s < sends.n ? sends.op[s] : recvs.op[r]];
    return hc_fail(b->err, HC_BAD_INPUT,
                   "%s seq %d, stage %d has no partner on stage %d: sends and receives between the "
                   "two do not match in number",
                   hc_op_type_name(alone->op_type), alone->seq_id, alone->stage,
                   s < sends.n ? peer : stage);
}

static enum hc_status group_no_ops(struct hc_step_builder *b)
{
    for (size_t i = 0; i < b->n_ops; i++) {
        uint32_t op = (uint32_t)i;
        if (b->is_no_op[i] && hc_builder_group(b, &op, 1, false))
            return b->err->status;
    }
    return HC_OK;
}

static enum hc_status group_dp(struct hc_step_builder *b)
{
    for (size_t i = 0; b->uses_dp && i < b->n_ops; i++) {
        uint32_t op = (uint32_t)i;
        int type = b->ops[i].op_type;
        bool is_dp = type == HC_PARAMS_ALL_GATHER || type == HC_GRADS_REDUCE_SCATTER ||
                     type == HC_SEPARATE_GRADS_ALL_REDUCE;
        if (is_dp && hc_builder_group(b, &op, 1, true))
            return b->err->status;
    }
    return HC_OK;
}

static enum hc_status group_embeddings(struct hc_step_builder *b)
{
    if (hc_builder_lacks(b, HC_EMBEDDING_GRADS_ALL_REDUCE))
        return HC_OK;
    uint32_t ends[2] = {hc_builder_find(b, HC_EMBEDDING_GRADS_ALL_REDUCE, 0, 0),
                        hc_builder_find(b, HC_EMBEDDING_GRADS_ALL_REDUCE, 0, b->n_stages - 1)};
    return hc_builder_group(b, ends, b->n_stages == 1 ? 1 : 2, false);
}

static enum hc_status group_clips(struct hc_step_builder *b)
{
    if (hc_builder_lacks(b, HC_OPTIMIZER_CLIP_MAIN_GRAD))
        return HC_OK;
    uint32_t *clips = hc_new_array((size_t)b->n_stages, sizeof *clips, b->err);
    if (!clips)
        return b->err->status;
    for (int32_t s = 0; s < b->n_stages; s++)
        clips[s] = hc_builder_find(b, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0, s);
    enum hc_status status = hc_builder_group(b, clips, (size_t)b->n_stages, true);
    free(clips);
    return status;
}

enum hc_status hc_rules_groups(struct hc_step_builder *b)
{
    for (int32_t s = 0; s < b->n_stages; s++)
        if (pair_sends(b, s, HC_FORWARD_SEND, HC_FORWARD_RECV) ||
            pair_sends(b, s, HC_BACKWARD_SEND, HC_BACKWARD_RECV))
            return b->err->status;
    if (group_no_ops(b) || group_dp(b) || group_embeddings(b))
        return b->err->status;
    return group_clips(b);
}
