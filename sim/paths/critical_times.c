#include "sim/paths/critical_times.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

void hc_critical_times_fini(struct hc_critical_times *times)
{
    free(times->room);
    free(times->node_of);
    free(times->is_limited);
    *times = (struct hc_critical_times){.room = NULL};
}

/* ---- room ---- */

static enum hc_status make_room(struct hc_critical_times *times, size_t n_ops, size_t n_doubles,
                                struct hc_error *err)
{
    if (n_ops > times->op_room) {
        free(times->node_of);
        free(times->is_limited);
        times->op_room = 0;
        times->node_of = hc_new_array(n_ops, sizeof *times->node_of, err);
        times->is_limited = hc_new_array(n_ops, 1, err);
        if (!times->node_of || !times->is_limited)
            return err->status;
        times->op_room = n_ops;
    }
    if (n_doubles > times->n_room) {
        free(times->room);
        times->n_room = 0;
        times->room = hc_new_aligned(n_doubles, sizeof *times->room, err);
        if (!times->room)
            return err->status;
        times->n_room = n_doubles;
    }
    return HC_OK;
}

static size_t count_stages(const struct hc_step_structure *structure)
{
    int32_t last = 0;
    for (size_t p = 0; p < structure->order.n_ops; p++)
        last = structure->stage[p] > last ? structure->stage[p] : last;
    return (size_t)last + 1;
}

static double *take(double **room, size_t n)
{
    double *taken = *room;
    *room += n;
    return taken;
}

static enum hc_status lay_out(struct hc_critical_times *times, struct hc_error *err)
{
    const struct hc_op_order *order = &times->of.structure->order;
    size_t n = times->n_lanes = times->of.n * times->of.dp_size;
    times->n_stages = count_stages(times->of.structure);
    size_t n_rows = order->n_nodes + 2 * order->n_ops + times->n_stages + 4;
    if (make_room(times, order->n_ops, n_rows * n, err))
        return err->status;
    double *room = times->room;
    times->transfer = take(&room, order->n_nodes * n);
    times->end = take(&room, order->n_ops * n);
    times->latest_end = take(&room, order->n_ops * n);
    times->slack = take(&room, times->n_stages * n);
    times->first = take(&room, n);
    times->last = take(&room, n);
    times->ready = take(&room, n);
    times->limit = take(&room, n);
    memset(times->is_limited, 0, order->n_ops);
    for (uint32_t i = 0; i < order->n_nodes; i++)
        for (uint32_t m = 0; m < order->nodes[i].n_ops; m++)
            times->node_of[order->nodes[i].first_position + m] = i;
    return HC_OK;
}

/* ---- rows ---- */

INLINE double max2(double a, double b)
{
    return a > b ? a : b;
}

INLINE double min2(double a, double b)
{
    return a < b ? a : b;
}

INLINE void row_fill(double *row, double value, size_t n)
{
    HC_LANES(n) row[l] = value;
}

INLINE void row_raise(double *row, const double *other, size_t n)
{
    HC_LANES(n) row[l] = max2(row[l], other[l]);
}

INLINE void row_lower(double *row, const double *other, size_t n)
{
    HC_LANES(n) row[l] = min2(row[l], other[l]);
}

/* The latest, or earliest, of the dp ranks of each step, in all its lanes. */
INLINE void row_raise_steps(double *row, size_t n, size_t width)
{
    for (size_t first = 0; first < n; first += width) {
        double most = row[first];
        for (size_t l = 1; l < width; l++)
            most = max2(most, row[first + l]);
        for (size_t l = 0; l < width; l++)
            row[first + l] = most;
    }
}

INLINE void row_lower_steps(double *row, size_t n, size_t width)
{
    for (size_t first = 0; first < n; first += width) {
        double least = row[first];
        for (size_t l = 1; l < width; l++)
            least = min2(least, row[first + l]);
        for (size_t l = 0; l < width; l++)
            row[first + l] = least;
    }
}

INLINE double *end_row(const struct hc_critical_times *times, uint32_t position)
{
    return times->end + position * times->n_lanes;
}

INLINE double *latest_row(const struct hc_critical_times *times, uint32_t position)
{
    return times->latest_end + position * times->n_lanes;
}

/* ---- from the first op to the last ---- */

/* When an op has all that it waits for, and its launch delay is over. */
INLINE void find_ready(const struct hc_critical_times *times, uint32_t position, double *ready)
{
    const struct hc_step_graph *graph = &times->of.structure->graph;
    const struct hc_op_order *order = &times->of.structure->order;
    uint32_t op = order->op_at[position];
    uint32_t first = graph->dep_begin[op], n_deps = graph->dep_begin[op + 1] - first;
    size_t n = times->n_lanes;
    if (n_deps == 0) {
        row_fill(ready, 0, n);
    } else {
        const double *a = end_row(times, order->position[graph->dep[first]]);
        const double *b = end_row(times, order->position[graph->dep[first + n_deps - 1]]);
        HC_LANES(n) ready[l] = max2(a[l], b[l]);
    }
    for (uint32_t k = 1; k + 1 < n_deps; k++)
        row_raise(ready, end_row(times, order->position[graph->dep[first + k]]), n);
    if (times->of.has_delays) {
        const double *delay = hc_critical_row(times, times->of.block->delay, position);
        HC_LANES(n) ready[l] += delay[l];
    }
    row_lower(times->first, ready, n);
}

INLINE void find_end(const struct hc_critical_times *times, uint32_t position,
                     const double *transfer)
{
    const double *duration = hc_critical_row(times, times->of.block->duration, position);
    double *end = end_row(times, position), *last = times->last;
    HC_LANES(times->n_lanes)
    {
        double then = transfer[l] + duration[l];
        end[l] = then;
        last[l] = max2(last[l], then);
    }
}

HC_DISPATCH
static void find_ends(const struct hc_critical_times *times)
{
    const struct hc_op_order *order = &times->of.structure->order;
    size_t n = times->n_lanes;
    row_fill(times->first, INFINITY, n);
    row_fill(times->last, -INFINITY, n);
    for (size_t i = 0; i < order->n_nodes; i++) {
        const struct hc_op_order_node *node = &order->nodes[i];
        double *transfer = times->transfer + i * n;
        find_ready(times, node->first_position, transfer);
        for (uint32_t m = 1; m < node->n_ops; m++) {
            find_ready(times, node->first_position + m, times->ready);
            row_raise(transfer, times->ready, n);
        }
        if (node->is_synced)
            row_raise_steps(transfer, n, times->of.dp_size);
        for (uint32_t m = 0; m < node->n_ops; m++)
            find_end(times, node->first_position + m, transfer);
    }
    row_lower_steps(times->first, n, times->of.dp_size);
    row_raise_steps(times->last, n, times->of.dp_size);
}

/* ---- and back ---- */

/* The latest end of an op is known when all that wait for it have been here: the last end of the
 * step where nothing limits it. */
INLINE const double *settle_latest(const struct hc_critical_times *times, uint32_t position)
{
    double *latest = latest_row(times, position);
    if (!times->is_limited[position])
        memcpy(latest, times->last, times->n_lanes * sizeof *latest);
    return latest;
}

INLINE void note_slack(const struct hc_critical_times *times, uint32_t position,
                       const double *latest)
{
    size_t stage = (size_t)times->of.structure->stage[position];
    const double *end = end_row(times, position);
    double *slack = times->slack + stage * times->n_lanes;
    HC_LANES(times->n_lanes) slack[l] = min2(slack[l], latest[l] - end[l]);
}

/* The latest start of the transfer of a node that keeps what follows: over all dp ranks where it is
 * synchronised, as the transfers of a group start together. */
INLINE void find_limit(const struct hc_critical_times *times, const struct hc_op_order_node *node)
{
    size_t n = times->n_lanes;
    double *limit = times->limit;
    row_fill(limit, INFINITY, n);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t position = node->first_position + m;
        const double *latest = settle_latest(times, position);
        const double *duration = hc_critical_row(times, times->of.block->duration, position);
        note_slack(times, position, latest);
        HC_LANES(n) limit[l] = min2(limit[l], latest[l] - duration[l]);
    }
    if (node->is_synced)
        row_lower_steps(limit, n, times->of.dp_size);
}

INLINE void limit_op(const struct hc_critical_times *times, uint32_t position, const double *limit)
{
    double *latest = latest_row(times, position);
    const double *before = times->is_limited[position] ? latest : times->last;
    times->is_limited[position] = 1;
    HC_LANES(times->n_lanes) latest[l] = min2(before[l], limit[l]);
}

/* What an op waits for must have ended when the op starts, its launch delay earlier. */
INLINE void pass_limit(const struct hc_critical_times *times, uint32_t position)
{
    const struct hc_step_graph *graph = &times->of.structure->graph;
    const struct hc_op_order *order = &times->of.structure->order;
    uint32_t op = order->op_at[position];
    const double *limit = times->limit;
    if (times->of.has_delays) {
        const double *delay = hc_critical_row(times, times->of.block->delay, position);
        HC_LANES(times->n_lanes) times->ready[l] = limit[l] - delay[l];
        limit = times->ready;
    }
    for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++)
        limit_op(times, order->position[graph->dep[k]], limit);
}

HC_DISPATCH
static void find_latest_ends(const struct hc_critical_times *times)
{
    const struct hc_op_order *order = &times->of.structure->order;
    row_fill(times->slack, INFINITY, times->n_stages * times->n_lanes);
    for (size_t i = order->n_nodes; i-- > 0;) {
        const struct hc_op_order_node *node = &order->nodes[i];
        find_limit(times, node);
        for (uint32_t m = 0; m < node->n_ops; m++)
            pass_limit(times, node->first_position + m);
    }
}

enum hc_status hc_critical_times_find(struct hc_critical_times *times, const struct hc_step_run *of,
                                      struct hc_error *err)
{
    times->of = *of;
    if (lay_out(times, err))
        return err->status;
    find_ends(times);
    find_latest_ends(times);
    return HC_OK;
}
