#include "sim/replay/lane_block.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

void hc_lane_block_fini(struct hc_lane_block *block)
{
    free(block->step);
    free(block->duration);
    free(block->delay);
    memset(block, 0, sizeof *block);
}

enum hc_status hc_lane_filler_init(struct hc_lane_filler *filler,
                                   const struct hc_step_structure *structure,
                                   const struct hc_step_trace *trace, int32_t dp_size,
                                   struct hc_error *err)
{
    memset(filler, 0, sizeof *filler);
    filler->structure = structure;
    filler->dp_size = (size_t)dp_size;
    size_t n_census = hc_census_n_ops(trace->census);
    const struct hc_census_op *ops = hc_census_ops(trace->census);
    filler->position_of = hc_new_array(n_census, sizeof *filler->position_of, err);
    if (!filler->position_of)
        return err->status;
    struct hc_int_map by_op = {0};
    enum hc_status status = HC_OK;
    const struct hc_step_graph *graph = &structure->graph;
    /* The op order numbers ops by position, the packed rows by op of the census: join the two by
     * (type, stage, seq), which is unique in the template. */
    for (size_t i = 0; status == HC_OK && i < graph->n_ops; i++) {
        size_t entry = 0;
        const struct hc_graph_op *op = &graph->ops[i];
        uint64_t key = hc_graph_op_key(op->op_type, op->seq_id, op->stage);
        status = hc_int_map_insert(&by_op, key, (int32_t)structure->order.position[i], &entry, err);
    }
    for (size_t i = 0; status == HC_OK && i < n_census; i++) {
        uint64_t key = hc_graph_op_key(ops[i].op_type, ops[i].seq_id, ops[i].stage);
        int64_t entry = hc_int_map_find(&by_op, key);
        filler->position_of[i] = entry < 0 ? UINT32_MAX : (uint32_t)by_op.values[entry];
    }
    hc_int_map_fini(&by_op);
    return status;
}

void hc_lane_filler_fini(struct hc_lane_filler *filler)
{
    free(filler->position_of);
    free(filler->start);
    free(filler->end);
    free(filler->latest);
    memset(filler, 0, sizeof *filler);
}

static enum hc_status grow_scratch(struct hc_lane_filler *filler, size_t stride,
                                   struct hc_error *err)
{
    if (stride <= filler->scratch_stride)
        return HC_OK;
    size_t n_ops = filler->structure->order.n_ops;
    free(filler->start);
    free(filler->end);
    free(filler->latest);
    filler->start = hc_new_aligned(n_ops * stride, sizeof(double), err);
    filler->end = hc_new_aligned(n_ops * stride, sizeof(double), err);
    filler->latest = hc_new_aligned(stride, sizeof(double), err);
    if (!filler->start || !filler->end || !filler->latest)
        return err->status;
    filler->scratch_stride = stride;
    return HC_OK;
}

enum hc_status hc_lane_filler_start(struct hc_lane_filler *filler, struct hc_lane_block *block,
                                    size_t n_steps, struct hc_error *err)
{
    size_t n_ops = filler->structure->order.n_ops;
    memset(block, 0, sizeof *block);
    block->n_steps = n_steps;
    block->n_lanes = n_steps * filler->dp_size;
    block->stride = (block->n_lanes + 7) / 8 * 8;
    block->step = hc_new_array(n_steps, sizeof *block->step, err);
    block->duration = hc_new_aligned(n_ops * block->stride, sizeof(double), err);
    block->delay = hc_new_aligned(n_ops * block->stride, sizeof(double), err);
    if (!block->step || !block->duration || !block->delay ||
        grow_scratch(filler, block->stride, err)) {
        hc_lane_block_fini(block);
        return err->status;
    }
    filler->block = block;
    filler->clamped_delays = filler->clamped_transfers = 0;
    filler->has_negative = false;
    return HC_OK;
}

void hc_lane_filler_add(struct hc_lane_filler *filler, size_t k,
                        const struct hc_packed_step *packed, int64_t first_start_ns)
{
    size_t stride = filler->block->stride, first_lane = k * filler->dp_size;
    for (size_t i = 0; i < packed->n_rows; i++) {
        const struct hc_packed_row *row = &packed->rows[i];
        size_t at = filler->position_of[row->op] * stride + first_lane + (size_t)row->dp_rank;
        int64_t start_ns = row->start_ns - first_start_ns;
        filler->start[at] = (double)start_ns;
        filler->end[at] = (double)(start_ns + row->duration_ns);
    }
}

/* Set values at or below HC_CLAMP_NS to 0; returns how many, and whether any stays negative. */
HC_DISPATCH
static int64_t clamp_row(double *row, size_t n, bool *has_negative)
{
    int64_t n_clamped = 0, n_negative = 0;
    for (size_t l = 0; l < n; l++) {
        int64_t clamped = row[l] <= HC_CLAMP_NS;
        row[l] = clamped ? 0 : row[l];
        n_clamped += clamped;
        n_negative += row[l] < 0;
    }
    *has_negative |= n_negative > 0;
    return n_clamped;
}

/* Launch delays of one op: its start less the latest end of what it waits for; of an op that waits
 * for nothing, its start in the step. */
HC_DISPATCH
static void fill_delay(struct hc_lane_filler *filler, uint32_t position)
{
    const struct hc_step_graph *graph = &filler->structure->graph;
    const struct hc_op_order *order = &filler->structure->order;
    size_t n = filler->block->n_lanes, stride = filler->block->stride;
    const double *start = filler->start + position * stride;
    double *delay = filler->block->delay + position * stride, *latest = filler->latest;
    uint32_t op = order->op_at[position];
    uint32_t first = graph->dep_begin[op], end = graph->dep_begin[op + 1];
    if (first == end)
        HC_LANES(n) latest[l] = 0;
    for (uint32_t k = first; k < end; k++) {
        const double *other = filler->end + order->position[graph->dep[k]] * stride;
        if (k == first)
            memcpy(latest, other, n * sizeof *latest);
        else
            HC_LANES(n) latest[l] = latest[l] > other[l] ? latest[l] : other[l];
    }
    HC_LANES(n) delay[l] = start[l] - latest[l];
    bool ignored = false;
    filler->clamped_delays += clamp_row(delay, n, &ignored);
}

static void synchronise(double *row, size_t n, size_t width)
{
    for (size_t first = 0; first < n; first += width) {
        double latest = row[first];
        for (size_t l = 1; l < width; l++)
            latest = row[first + l] > latest ? row[first + l] : latest;
        for (size_t l = 0; l < width; l++)
            row[first + l] = latest;
    }
}

/* Transfer times of a communication group: the end of each op less the latest start in the group,
 * over all dp ranks of the step where the group is synchronised. */
HC_DISPATCH
static void fill_transfers(struct hc_lane_filler *filler, const struct hc_op_order_node *node)
{
    size_t n = filler->block->n_lanes, stride = filler->block->stride;
    double *latest = filler->latest;
    memcpy(latest, filler->start + node->first_position * stride, n * sizeof *latest);
    for (uint32_t m = 1; m < node->n_ops; m++) {
        const double *start = filler->start + (node->first_position + m) * stride;
        HC_LANES(n) latest[l] = latest[l] > start[l] ? latest[l] : start[l];
    }
    if (node->is_synced)
        synchronise(latest, n, filler->dp_size);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        size_t row = (node->first_position + m) * stride;
        const double *end = filler->end + row;
        double *duration = filler->block->duration + row;
        HC_LANES(n) duration[l] = end[l] - latest[l];
        filler->clamped_transfers += clamp_row(duration, n, &filler->has_negative);
    }
}

HC_DISPATCH
static void fill_durations(struct hc_lane_filler *filler, const struct hc_op_order_node *node)
{
    size_t n = filler->block->n_lanes, row = node->first_position * filler->block->stride;
    const double *start = filler->start + row, *end = filler->end + row;
    double *duration = filler->block->duration + row;
    HC_LANES(n) duration[l] = end[l] - start[l];
}

static void clear_padding(struct hc_lane_block *block, size_t n_ops)
{
    size_t n_padding = block->stride - block->n_lanes;
    for (size_t p = 0; n_padding && p < n_ops; p++) {
        memset(block->duration + p * block->stride + block->n_lanes, 0, n_padding * sizeof(double));
        memset(block->delay + p * block->stride + block->n_lanes, 0, n_padding * sizeof(double));
    }
}

void hc_lane_filler_finish(struct hc_lane_filler *filler)
{
    const struct hc_op_order *order = &filler->structure->order;
    const struct hc_step_graph *graph = &filler->structure->graph;
    for (uint32_t p = 0; p < order->n_ops; p++)
        fill_delay(filler, p);
    for (size_t i = 0; i < order->n_nodes; i++) {
        const struct hc_op_order_node *node = &order->nodes[i];
        if (graph->group_of[order->op_at[node->first_position]] >= 0)
            fill_transfers(filler, node);
        else
            fill_durations(filler, node);
    }
    clear_padding(filler->block, order->n_ops);
}
