#include "models/steps/step_builder.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"

#include <stdlib.h>
#include <string.h>

/* Every stage needs an op, so more stages than ops are wrong; said before arrays are sized by the
 * number of stages. */
enum hc_status hc_builder_check_stages(struct hc_step_builder *b)
{
    if ((size_t)b->n_stages <= b->n_ops)
        return HC_OK;
    return hc_fail(b->err, HC_BAD_INPUT,
                   "there are %d stages but only %zu ops in the step: stages without rows",
                   b->n_stages, b->n_ops);
}

enum hc_status hc_builder_allocate(struct hc_step_builder *b)
{
    size_t n_lists = (size_t)b->n_stages * HC_N_OP_TYPES;
    b->order = hc_new_array(b->n_ops, sizeof *b->order, b->err);
    b->list_begin = hc_new_array(n_lists + 1, sizeof *b->list_begin, b->err);
    b->passes = hc_new_array(b->n_ops, sizeof *b->passes, b->err);
    b->is_no_op = hc_new_array(b->n_ops, 1, b->err);
    b->group_of = hc_new_array(b->n_ops, sizeof *b->group_of, b->err);
    b->ends_step = hc_new_array(b->n_ops, 1, b->err);
    if (!b->order || !b->list_begin || !b->passes || !b->is_no_op || !b->group_of || !b->ends_step)
        return b->err->status;
    for (size_t i = 0; i < b->n_ops; i++)
        b->group_of[i] = -1;
    return HC_OK;
}

void hc_builder_fini(struct hc_step_builder *b)
{
    hc_int_map_fini(&b->by_key);
    free(b->order);
    free(b->list_begin);
    free(b->passes);
    free(b->is_no_op);
    free(b->ends_step);
    free(b->group_of);
    free(b->edges);
    free(b->group_is_synced);
}

/* ---- lists ---- */

/* Ascending by stage, start, seq, type. */
static int compare_start(const struct hc_graph_op *a, const struct hc_graph_op *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->seq_id != b->seq_id)
        return a->seq_id < b->seq_id ? -1 : 1;
    return (a->op_type > b->op_type) - (a->op_type < b->op_type);
}

static int compare_listed(const void *x, const void *y, void *ops)
{
    const struct hc_graph_op *a = (const struct hc_graph_op *)ops + *(const uint32_t *)x;
    const struct hc_graph_op *b = (const struct hc_graph_op *)ops + *(const uint32_t *)y;
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type ? -1 : 1;
    return compare_start(a, b);
}

int hc_builder_compare_start(const void *x, const void *y, void *ops)
{
    return compare_start((const struct hc_graph_op *)ops + *(const uint32_t *)x,
                         (const struct hc_graph_op *)ops + *(const uint32_t *)y);
}

struct hc_op_list hc_builder_list(const struct hc_step_builder *b, int32_t stage, int type)
{
    size_t at = (size_t)stage * HC_N_OP_TYPES + (size_t)type;
    return (struct hc_op_list){b->order + b->list_begin[at],
                               b->list_begin[at + 1] - b->list_begin[at]};
}

uint32_t hc_builder_find(const struct hc_step_builder *b, int type, int32_t seq, int32_t stage)
{
    int64_t entry = hc_int_map_find(&b->by_key, hc_graph_op_key(type, seq, stage));
    return entry < 0 ? HC_NO_OP : (uint32_t)b->by_key.values[entry];
}

enum hc_status hc_builder_index(struct hc_step_builder *b)
{
    for (size_t i = 0; i < b->n_ops; i++) {
        const struct hc_graph_op *op = &b->ops[i];
        size_t entry = 0;
        if (hc_int_map_insert(&b->by_key, hc_graph_op_key(op->op_type, op->seq_id, op->stage),
                              (int32_t)i, &entry, b->err))
            return b->err->status;
        if ((size_t)b->by_key.values[entry] != i) {
            char text[96];
            hc_graph_op_describe(op, text, sizeof text);
            return hc_fail(b->err, HC_BAD_INPUT, "%s is there twice", text);
        }
        if (op->model_chunk != HC_MISSING_I32 && op->model_chunk >= b->n_chunks)
            b->n_chunks = op->model_chunk + 1;
        b->overlaps_dp |= op->op_type == HC_SEPARATE_GRADS_ALL_REDUCE;
        b->order[i] = (uint32_t)i;
        b->list_begin[(size_t)op->stage * HC_N_OP_TYPES + (size_t)op->op_type + 1]++;
    }
    for (size_t i = 0; i < (size_t)b->n_stages * HC_N_OP_TYPES; i++)
        b->list_begin[i + 1] += b->list_begin[i];
    qsort_r(b->order, b->n_ops, sizeof *b->order, compare_listed, (void *)b->ops);
    return HC_OK;
}

/* The compute stream of a stage: both passes by start. */
void hc_builder_list_passes(struct hc_step_builder *b, int32_t stage)
{
    struct hc_op_list forward = hc_builder_list(b, stage, HC_FORWARD_COMPUTE);
    struct hc_op_list backward = hc_builder_list(b, stage, HC_BACKWARD_COMPUTE);
    memcpy(b->passes, forward.op, forward.n * sizeof *b->passes);
    memcpy(b->passes + forward.n, backward.op, backward.n * sizeof *b->passes);
    b->n_passes = forward.n + backward.n;
    qsort_r(b->passes, b->n_passes, sizeof *b->passes, hc_builder_compare_start, (void *)b->ops);
}

/* ---- edges and groups ---- */

enum hc_status hc_builder_edge(struct hc_step_builder *b, uint32_t before, uint32_t after)
{
    if (hc_reserve(&b->edges, &b->edges_capacity, b->n_edges + 1, sizeof *b->edges, b->err))
        return b->err->status;
    b->edges[b->n_edges][0] = before;
    b->edges[b->n_edges][1] = after;
    b->n_edges++;
    return HC_OK;
}

enum hc_status hc_builder_chain(struct hc_step_builder *b, const uint32_t *op, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (hc_builder_edge(b, op[i - 1], op[i]))
            return b->err->status;
    return HC_OK;
}

enum hc_status hc_builder_group(struct hc_step_builder *b, const uint32_t *op, size_t n,
                                bool is_synced)
{
    if (hc_reserve(&b->group_is_synced, &b->groups_capacity, b->n_groups + 1, 1, b->err))
        return b->err->status;
    for (size_t i = 0; i < n; i++)
        b->group_of[op[i]] = (int32_t)b->n_groups;
    b->group_is_synced[b->n_groups++] = is_synced;
    return HC_OK;
}
