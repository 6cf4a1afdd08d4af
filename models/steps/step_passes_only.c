/* step_passes_only.c - the graph of a step of which only the passes were recorded: no transfers, no
 * optimizer (docs/methods/straggler-whatif.md, "Traces of passes only"). */
#include "models/steps/step_builder.h"

#include "core/tables/op_type.h"
#include "core/tables/table.h"

/* Whether passes are all there is, with at least one backward pass: a step without one is no
 * training step, and the rules of whole traces say what it lacks. */
bool hc_builder_has_only_passes(const struct hc_step_builder *b)
{
    bool has_backward = false;
    for (size_t i = 0; i < b->n_ops; i++) {
        if (!hc_op_is_pass(b->ops[i].op_type))
            return false;
        has_backward |= b->ops[i].op_type == HC_BACKWARD_COMPUTE;
    }
    return has_backward;
}

/* A pass by type, chunk of the model and microbatch. */
static uint64_t pass_key(int type, int32_t chunk, int32_t microbatch)
{
    return (uint64_t)(type == HC_BACKWARD_COMPUTE) << 63 | (uint64_t)(uint32_t)chunk << 32 |
           (uint32_t)microbatch;
}

static enum hc_status index_pass(struct hc_step_builder *b, struct hc_int_map *by_pass, size_t i)
{
    const struct hc_graph_op *op = &b->ops[i];
    char text[96];
    size_t entry = 0;
    hc_graph_op_describe(op, text, sizeof text);
    if (op->global_chunk == HC_MISSING_I32 || op->microbatch == HC_MISSING_I32 ||
        op->global_chunk < 0 || op->microbatch < 0)
        return hc_fail(b->err, HC_BAD_INPUT,
                       "%s has no %s: in a trace of passes only, what it waits for cannot be told "
                       "without",
                       text,
                       op->microbatch == HC_MISSING_I32 || op->microbatch < 0 ? "microbatch"
                                                                              : "model chunk");
    if (hc_int_map_insert(by_pass, pass_key(op->op_type, op->global_chunk, op->microbatch),
                          (int32_t)i, &entry, b->err))
        return b->err->status;
    if ((size_t)by_pass->values[entry] == i)
        return HC_OK;
    return hc_fail(b->err, HC_BAD_INPUT,
                   "%s is the second pass of its direction over chunk %d for microbatch %d", text,
                   op->global_chunk, op->microbatch);
}

/* Make a pass wait for the one that gives it its input: a forward for the forward of the chunk
 * before; a backward for the backward of the chunk behind, or in the last chunk for its own
 * forward. */
static enum hc_status add_input(struct hc_step_builder *b, const struct hc_int_map *by_pass,
                                size_t i, int32_t last_chunk)
{
    const struct hc_graph_op *op = &b->ops[i];
    int type = op->op_type;
    int32_t chunk = op->global_chunk;
    if (type == HC_FORWARD_COMPUTE && chunk == 0)
        return HC_OK;
    if (type == HC_BACKWARD_COMPUTE && chunk == last_chunk)
        type = HC_FORWARD_COMPUTE;
    else
        chunk += type == HC_FORWARD_COMPUTE ? -1 : 1;
    int64_t entry = hc_int_map_find(by_pass, pass_key(type, chunk, op->microbatch));
    if (entry >= 0)
        return hc_builder_edge(b, (uint32_t)by_pass->values[entry], (uint32_t)i);
    char text[96];
    hc_graph_op_describe(op, text, sizeof text);
    return hc_fail(b->err, HC_BAD_INPUT,
                   "%s has no input: there is no %s of chunk %d for microbatch %d", text,
                   hc_op_type_name(type), chunk, op->microbatch);
}

static enum hc_status add_inputs(struct hc_step_builder *b)
{
    struct hc_int_map by_pass = {0};
    enum hc_status status = HC_OK;
    int32_t last_chunk = 0;
    for (size_t i = 0; i < b->n_ops && status == HC_OK; i++) {
        status = index_pass(b, &by_pass, i);
        if (b->ops[i].global_chunk > last_chunk)
            last_chunk = b->ops[i].global_chunk;
    }
    for (size_t i = 0; i < b->n_ops && status == HC_OK; i++)
        status = add_input(b, &by_pass, i, last_chunk);
    hc_int_map_fini(&by_pass);
    return status;
}

enum hc_status hc_rules_passes_only(struct hc_step_builder *b)
{
    for (int32_t stage = 0; stage < b->n_stages; stage++) {
        hc_builder_list_passes(b, stage);
        if (b->n_passes == 0)
            return hc_fail(b->err, HC_BAD_INPUT,
                           "stage %d has neither forward-compute nor backward-compute: its rows "
                           "are missing",
                           stage);
        if (hc_builder_chain(b, b->passes, b->n_passes))
            return b->err->status;
        b->ends_step[b->passes[b->n_passes - 1]] = 1;
    }
    return add_inputs(b);
}
