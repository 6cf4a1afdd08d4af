#include "sim/replay/op_times.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct hc_step_place *hc_step_places(const struct hc_step_lanes *lanes, struct hc_error *err)
{
    struct hc_step_place *places = hc_new_array(lanes->n_steps, sizeof *places, err);
    for (size_t i = 0; places && i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
        for (size_t b = 0; b < structure->n_blocks; b++)
            for (size_t k = 0; k < structure->blocks[b].n_steps; k++)
                places[structure->blocks[b].step[k]] =
                    (struct hc_step_place){structure, &structure->blocks[b], k};
    }
    return places;
}

void hc_op_times_fini(struct hc_op_times *times)
{
    free(times->start);
    free(times->transfer);
    free(times->end);
    memset(times, 0, sizeof *times);
}

static enum hc_status make_room(struct hc_op_times *times, size_t need, struct hc_error *err)
{
    if (need <= times->capacity)
        return HC_OK;
    hc_op_times_fini(times);
    times->start = hc_new_aligned(need, sizeof(double), err);
    times->transfer = hc_new_aligned(need, sizeof(double), err);
    times->end = hc_new_aligned(need, sizeof(double), err);
    if (!times->start || !times->transfer || !times->end) {
        hc_op_times_fini(times);
        return err->status;
    }
    times->capacity = need;
    return HC_OK;
}

/* The step at hand. */
struct pass {
    const struct hc_step_structure *structure;
    struct hc_op_times *times;
    const double *duration, *delay; /* rows of the first dp rank, stride apart; NULL: ideal, none */
    size_t stride;
};

static double *row_of(const struct pass *pass, double *times, uint32_t position)
{
    return times + position * pass->times->width;
}

/* Start: launch delay plus the latest end of what the op waits for; of a root, 0 plus that. */
HC_DISPATCH
static void find_start(const struct pass *pass, uint32_t position)
{
    const struct hc_step_graph *graph = &pass->structure->graph;
    const struct hc_op_order *order = &pass->structure->order;
    size_t n = pass->times->width;
    double *start = row_of(pass, pass->times->start, position);
    uint32_t op = order->op_at[position];
    uint32_t first = graph->dep_begin[op], last = graph->dep_begin[op + 1];
    if (first == last)
        HC_LANES(n) start[l] = 0;
    for (uint32_t d = first; d < last; d++) {
        const double *end = row_of(pass, pass->times->end, order->position[graph->dep[d]]);
        if (d == first)
            memcpy(start, end, n * sizeof *start);
        else
            HC_LANES(n) start[l] = start[l] > end[l] ? start[l] : end[l];
    }
    if (pass->delay) {
        const double *delay = pass->delay + position * pass->stride;
        HC_LANES(n) start[l] += delay[l];
    }
}

/* The ops of a group transfer from the latest start among them, over all dp ranks where they are
 * synchronised. */
HC_DISPATCH
static void find_transfer(const struct pass *pass, const struct hc_op_order_node *node)
{
    size_t n = pass->times->width;
    double *latest = row_of(pass, pass->times->transfer, node->first_position);
    memcpy(latest, row_of(pass, pass->times->start, node->first_position), n * sizeof *latest);
    for (uint32_t m = 1; m < node->n_ops; m++) {
        const double *start = row_of(pass, pass->times->start, node->first_position + m);
        HC_LANES(n) latest[l] = latest[l] > start[l] ? latest[l] : start[l];
    }
    for (size_t l = 1; node->is_synced && l < n; l++)
        latest[0] = latest[0] > latest[l] ? latest[0] : latest[l];
    for (size_t l = 1; node->is_synced && l < n; l++)
        latest[l] = latest[0];
    for (uint32_t m = 1; m < node->n_ops; m++)
        memcpy(row_of(pass, pass->times->transfer, node->first_position + m), latest,
               n * sizeof *latest);
}

HC_DISPATCH
static void find_end(const struct pass *pass, uint32_t position)
{
    size_t n = pass->times->width;
    const double *transfer = row_of(pass, pass->times->transfer, position);
    double *end = row_of(pass, pass->times->end, position);
    if (pass->duration) {
        const double *duration = pass->duration + position * pass->stride;
        HC_LANES(n) end[l] = transfer[l] + duration[l];
    } else {
        double duration = pass->structure->ideal[position];
        HC_LANES(n) end[l] = transfer[l] + duration;
    }
}

enum hc_status hc_op_times_find(struct hc_op_times *times, const struct hc_step_place *place,
                                int32_t dp_size, enum hc_timeline timeline, struct hc_error *err)
{
    const struct hc_op_order *order = &place->structure->order;
    const struct hc_lane_block *block = place->block;
    bool is_ideal = timeline == HC_TIMELINE_IDEAL;
    size_t width = is_ideal ? 1 : (size_t)dp_size, first_lane = place->k * (size_t)dp_size;
    if (make_room(times, order->n_ops * width, err))
        return err->status;
    times->width = width;
    times->n_ops = order->n_ops;
    struct pass pass = {
        .structure = place->structure,
        .times = times,
        .duration = is_ideal ? NULL : block->duration + first_lane,
        .delay = timeline == HC_TIMELINE_TRACED ? block->delay + first_lane : NULL,
        .stride = block->stride,
    };
    for (size_t i = 0; i < order->n_nodes; i++) {
        const struct hc_op_order_node *node = &order->nodes[i];
        for (uint32_t m = 0; m < node->n_ops; m++)
            find_start(&pass, node->first_position + m);
        find_transfer(&pass, node);
        for (uint32_t m = 0; m < node->n_ops; m++)
            find_end(&pass, node->first_position + m);
    }
    return HC_OK;
}

/* A send and the receive of what it sends are a group of two that is not of all dp ranks. */
static int32_t pair_of(const struct hc_step_graph *graph, uint32_t op)
{
    int32_t group = graph->group_of[op];
    bool is_pair = group >= 0 && !graph->group_is_synced[group] &&
                   graph->member_begin[group + 1] - graph->member_begin[group] == 2 &&
                   hc_op_is_p2p(graph->ops[op].op_type);
    return is_pair ? group : HC_NO_PAIR;
}

struct hc_timeline_op hc_op_times_op(const struct hc_op_times *times, size_t position,
                                     const struct hc_step_structure *of, int32_t dp_rank,
                                     int32_t rank)
{
    uint32_t place = of->order.op_at[position];
    const struct hc_graph_op *op = &of->graph.ops[place];
    size_t at = hc_op_times_index(times, position, (size_t)dp_rank);
    return (struct hc_timeline_op){
        .op_type = op->op_type,
        .seq_id = op->seq_id,
        .stage = op->stage,
        .model_chunk = op->model_chunk,
        .microbatch = op->microbatch,
        .dp_rank = dp_rank,
        .rank = rank,
        .start_ns = (int64_t)times->start[at],
        .transfer_ns = (int64_t)times->transfer[at],
        .end_ns = (int64_t)times->end[at],
        .pair = pair_of(&of->graph, place),
    };
}
