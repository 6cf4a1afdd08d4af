#include "sim/profiles/profile_sweep.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum hc_status hc_sweep_lanes_init(struct hc_sweep_lanes *lanes, size_t n, size_t n_ranks,
                                   struct hc_error *err)
{
    size_t stride = n == 1 ? 1 : (n + 7) / 8 * 8, n_works = n_ranks * HC_N_WORKS;
    *lanes = (struct hc_sweep_lanes){.n = n, .n_ranks = n_ranks, .stride = stride};
    lanes->alt = hc_new_array(n_works * stride, sizeof *lanes->alt, err);
    lanes->factor = hc_new_array(n_works * stride, sizeof *lanes->factor, err);
    lanes->moves_start = hc_new_array(n_ranks * stride, sizeof *lanes->moves_start, err);
    lanes->residual = hc_new_array(stride, sizeof *lanes->residual, err);
    if (!lanes->alt || !lanes->factor || !lanes->moves_start || !lanes->residual) {
        hc_sweep_lanes_fini(lanes);
        return err->status;
    }
    for (size_t i = 0; i < n_works * stride; i++)
        lanes->factor[i] = 1;
    for (size_t l = 0; l < stride; l++)
        lanes->residual[l] = 1;
    return HC_OK;
}

void hc_sweep_lanes_fini(struct hc_sweep_lanes *lanes)
{
    free(lanes->alt);
    free(lanes->factor);
    free(lanes->moves_start);
    free(lanes->residual);
    memset(lanes, 0, sizeof *lanes);
}

enum hc_status hc_sweep_init(struct hc_sweep *sweep, const struct hc_sweep_lanes *lanes,
                             struct hc_error *err)
{
    *sweep = (struct hc_sweep){.lanes = lanes};
    sweep->n_blocks = (lanes->n + HC_SWEEP_BLOCK - 1) / HC_SWEEP_BLOCK;
    sweep->values = hc_new_array(sweep->n_blocks, sizeof *sweep->values, err);
    sweep->finish = hc_new_aligned(lanes->n_ranks * lanes->stride, sizeof *sweep->finish, err);
    if (!sweep->values || !sweep->finish) {
        hc_sweep_fini(sweep);
        return err->status;
    }
    for (size_t i = 0; i < lanes->n_ranks * lanes->stride; i++)
        sweep->finish[i] = -INFINITY;
    return HC_OK;
}

void hc_sweep_fini(struct hc_sweep *sweep)
{
    for (size_t b = 0; sweep->values && b < sweep->n_blocks; b++)
        free(sweep->values[b]);
    free(sweep->values);
    free(sweep->finish);
    memset(sweep, 0, sizeof *sweep);
}

/* Lanes of a block, a multiple of 8 or 1. */
static size_t block_width(const struct hc_sweep *sweep, size_t block)
{
    size_t left = sweep->lanes->stride - block * HC_SWEEP_BLOCK;
    return left < HC_SWEEP_BLOCK ? left : HC_SWEEP_BLOCK;
}

/* Room for the values of all slots; what stands there stays. */
static enum hc_status fit(struct hc_sweep *sweep, size_t n_slots, struct hc_error *err)
{
    if (n_slots <= sweep->n_slots)
        return HC_OK;
    size_t room = n_slots + n_slots / 2;
    for (size_t b = 0; b < sweep->n_blocks; b++) {
        size_t width = block_width(sweep, b);
        double *values = hc_new_aligned(room * width, sizeof *values, err);
        if (!values)
            return err->status;
        if (sweep->values[b])
            memcpy(values, sweep->values[b], sweep->n_slots * width * sizeof *values);
        free(sweep->values[b]);
        sweep->values[b] = values;
    }
    sweep->n_slots = room;
    return HC_OK;
}

/* What a block of lanes is swept with; the rows are its own part of those of all lanes. */
struct block {
    const struct hc_profile_graph *graph;
    const struct hc_graph_order *order;
    const struct hc_sweep_lanes *lanes;
    size_t first; /* lane */
    double *values, *finish;
};

INLINE void begin_row(const struct block *b, const struct hc_graph_point *point, double *row,
                      size_t width)
{
    double t = (double)point->t_ns, ahead = b->lanes->median_start_ns - t;
    const double *moves = b->lanes->moves_start + point->rank_index * b->lanes->stride + b->first;
    if (point->is_start)
        HC_LANES(width) row[l] = t + moves[l] * ahead;
    else
        HC_LANES(width) row[l] = t;
}

/* row = from + w, or the later of that and what row has. */
INLINE void follow_arc(const struct block *b, const struct hc_graph_arc *arc, double *row,
                       bool is_first, size_t width)
{
    uint32_t slot = arc->from & HC_CARRIED ? arc->from & ~HC_CARRIED : b->order->slot[arc->from];
    const double *from = b->values + slot * width;
    double w = (double)arc->w_ns;
    if (arc->work == HC_WORK_FIXED) {
        if (is_first)
            HC_LANES(width) row[l] = from[l] + w;
        else
            HC_LANES(width) row[l] = row[l] > from[l] + w ? row[l] : from[l] + w;
        return;
    }
    size_t at = (arc->rank_index * HC_N_WORKS + arc->work) * b->lanes->stride + b->first;
    const double *alt = b->lanes->alt + at, *factor = b->lanes->factor + at;
    double change = (double)(arc->alt_ns - arc->w_ns);
    if (is_first)
        HC_LANES(width) row[l] = from[l] + hc_sweep_whole_ns((w + alt[l] * change) * factor[l]);
    else
        HC_LANES(width)
        {
            double next = from[l] + hc_sweep_whole_ns((w + alt[l] * change) * factor[l]);
            row[l] = row[l] > next ? row[l] : next;
        }
}

INLINE void sweep_lanes(const struct block *b, size_t width)
{
    const struct hc_profile_graph *graph = b->graph;
    for (size_t i = 0; i < b->order->n; i++) {
        uint32_t p = b->order->points[i];
        const struct hc_graph_point *point = &graph->points[p];
        size_t a = point->first_arc, end = hc_graph_end_arc(graph, p);
        double *row = b->values + b->order->slot[p] * width;
        if (a == end)
            begin_row(b, point, row, width);
        for (bool is_first = true; a < end; a++, is_first = false)
            follow_arc(b, &graph->arcs[a], row, is_first, width);
        double residual = (double)point->residual_ns;
        const double *keeps = b->lanes->residual + b->first;
        if (point->residual_ns)
            HC_LANES(width) row[l] += residual * keeps[l];
        double *finish = b->finish + point->rank_index * b->lanes->stride + b->first;
        if (point->finishes)
            HC_LANES(width) finish[l] = finish[l] > row[l] ? finish[l] : row[l];
    }
}

HC_DISPATCH static void sweep_full_block(const struct block *b)
{
    sweep_lanes(b, HC_SWEEP_BLOCK);
}

HC_DISPATCH static void sweep_part_block(const struct block *b, size_t width)
{
    sweep_lanes(b, width);
}

static void sweep_one_lane(const struct block *b)
{
    sweep_lanes(b, 1);
}

enum hc_status hc_sweep_part(struct hc_sweep *sweep, const struct hc_profile_graph *graph,
                             const struct hc_graph_order *order, struct hc_error *err)
{
    if (fit(sweep, order->n_slots, err))
        return err->status;
#pragma omp parallel for schedule(dynamic, 1) if (sweep->n_blocks > 1)
    for (size_t k = 0; k < sweep->n_blocks; k++) {
        size_t width = block_width(sweep, k);
        struct block block = {.graph = graph,
                              .order = order,
                              .lanes = sweep->lanes,
                              .first = k * HC_SWEEP_BLOCK,
                              .values = sweep->values[k],
                              .finish = sweep->finish};
        if (width == 1)
            sweep_one_lane(&block);
        else if (width == HC_SWEEP_BLOCK)
            sweep_full_block(&block);
        else
            sweep_part_block(&block, width);
    }
    return HC_OK;
}

int64_t hc_sweep_finish(const struct hc_sweep *sweep, size_t lane)
{
    double latest = -INFINITY;
    for (size_t r = 0; r < sweep->lanes->n_ranks; r++) {
        double finish = sweep->finish[r * sweep->lanes->stride + lane];
        latest = finish > latest ? finish : latest;
    }
    const double most = (double)HC_SWEEP_MOST_NS;
    return isinf(latest) && latest < 0 ? 0 : (int64_t)fmin(fmax(latest, -most), most);
}
