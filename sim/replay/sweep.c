#include "sim/replay/sweep.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE double max2(double a, double b)
{
    return a > b ? a : b;
}

enum hc_status hc_sweep_space_fit(struct hc_sweep_space *space, const struct hc_op_order *order,
                                  size_t lanes, struct hc_error *err)
{
    /* One cache line of padding: rows of 2^k lanes would fall on the same few cache sets. */
    size_t stride = lanes == 1 ? 1 : (lanes + 7) / 8 * 8 + 8;
    size_t n_slots = order->n_slots + 1;
    if (stride > space->n_row || n_slots * stride > space->n_slots) {
        hc_sweep_space_fini(space);
        space->slots = hc_new_aligned(n_slots * stride, sizeof *space->slots, err);
        space->start = hc_new_aligned(stride, sizeof *space->start, err);
        space->sink = hc_new_aligned(stride, sizeof *space->sink, err);
        if (!space->slots || !space->start || !space->sink) {
            hc_sweep_space_fini(space);
            return err->status;
        }
        space->n_slots = n_slots * stride;
        space->n_row = stride;
    }
    space->stride = stride;
    return HC_OK;
}

enum hc_status hc_sweep_space_init(struct hc_sweep_space *space, const struct hc_op_order *order,
                                   size_t lanes, struct hc_error *err)
{
    memset(space, 0, sizeof *space);
    return hc_sweep_space_fit(space, order, lanes, err);
}

void hc_sweep_space_fini(struct hc_sweep_space *space)
{
    free(space->slots);
    free(space->start);
    free(space->sink);
    memset(space, 0, sizeof *space);
}

/* ---- rows ---- */

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
    HC_LANES(n) row[l] = other[l] < row[l] ? other[l] : row[l];
}

INLINE void row_max2(double *row, const double *a, const double *b, size_t n)
{
    HC_LANES(n) row[l] = max2(a[l], b[l]);
}

INLINE void row_max4(double *row, const double *a, const double *b, const double *c,
                     const double *d, size_t n)
{
    HC_LANES(n) row[l] = max2(max2(a[l], b[l]), max2(c[l], d[l]));
}

INLINE void row_add(double *row, const double *start, const double *length, size_t n)
{
    HC_LANES(n) row[l] = start[l] + length[l];
}

INLINE void row_add_constant(double *row, const double *start, double length, size_t n)
{
    HC_LANES(n) row[l] = start[l] + length;
}

INLINE void row_max2_add(double *row, const double *a, const double *b, const double *length,
                         size_t n)
{
    HC_LANES(n) row[l] = max2(a[l], b[l]) + length[l];
}

INLINE void row_max2_add_constant(double *row, const double *a, const double *b, double length,
                                  size_t n)
{
    HC_LANES(n) row[l] = max2(a[l], b[l]) + length;
}

/* ---- parts of a node ---- */

struct run {
    const struct hc_sweep *sweep;
    const struct hc_op_order *order;
    double *slots;
    size_t stride, n;
};

INLINE double *slot_row(const struct run *run, uint32_t slot)
{
    return run->slots + (size_t)slot * run->stride;
}

INLINE bool uses_matrix(const struct hc_rows *rows, uint32_t position)
{
    return rows->matrix && (!rows->use_matrix || rows->use_matrix[position]);
}

/* How many lanes take their duration (or delay) from the matrix; the others take the constant. */
INLINE size_t n_dense_lanes(const struct run *run, const struct hc_rows *rows, uint32_t position)
{
    if (!uses_matrix(rows, position))
        return 0;
    return run->sweep->sync == HC_SYNC_FOLD ? run->n / 2 : run->n;
}

INLINE const double *matrix_row(const struct hc_rows *rows, uint32_t position)
{
    return rows->matrix + (size_t)position * rows->stride;
}

/* row = start + duration of the op at position. */
INLINE void add_lengths(const struct run *run, const struct hc_rows *rows, uint32_t position,
                        double *row, const double *start)
{
    size_t n_dense = n_dense_lanes(run, rows, position);
    if (n_dense)
        row_add(row, start, matrix_row(rows, position), n_dense);
    if (n_dense < run->n)
        row_add_constant(row + n_dense, start + n_dense, rows->constant[position],
                         run->n - n_dense);
}

/* Latest of the rows in the given slots into row; 0, the start of the step, when there is none. */
INLINE void latest_of(const struct run *run, const uint32_t *slot, uint32_t n_slots, double *row)
{
    size_t n = run->n;
    if (n_slots == 0) {
        row_fill(row, 0, n);
    } else if (n_slots == 1) {
        memcpy(row, slot_row(run, slot[0]), n * sizeof *row);
    } else if (n_slots == 4) {
        row_max4(row, slot_row(run, slot[0]), slot_row(run, slot[1]), slot_row(run, slot[2]),
                 slot_row(run, slot[3]), n);
    } else {
        row_max2(row, slot_row(run, slot[0]), slot_row(run, slot[1]), n);
        for (uint32_t k = 2; k < n_slots; k++)
            row_raise(row, slot_row(run, slot[k]), n);
    }
}

INLINE void synchronise_steps(double *row, size_t n, size_t width)
{
    for (size_t first = 0; first + width <= n; first += width) {
        double latest = row[first];
        for (size_t l = 1; l < width; l++)
            latest = max2(latest, row[first + l]);
        for (size_t l = 0; l < width; l++)
            row[first + l] = latest;
    }
}

INLINE void synchronise(const struct run *run, double *row)
{
    if (run->sweep->sync == HC_SYNC_STEP) {
        if (run->sweep->width > 1)
            synchronise_steps(row, run->n, run->sweep->width);
        return;
    }
    size_t half = run->n / 2;
    row_raise(row, row + half, half);
    memcpy(row + half, row, half * sizeof *row);
}

INLINE const uint32_t *own_slots(const struct run *run, uint32_t position, uint32_t *n)
{
    *n = run->order->own_begin[position + 1] - run->order->own_begin[position];
    return run->order->own_slot + run->order->own_begin[position];
}

/* ---- sweeps ---- */

INLINE void finish_op(const struct run *run, uint32_t position, const double *end, bool track_all,
                      struct hc_sweep_times *times)
{
    if (run->order->is_optimizer[position])
        row_raise(times->end, end, run->n);
    if (track_all || run->order->slot[position] == HC_NO_SLOT)
        row_raise(times->span_end, end, run->n);
}

INLINE double *end_row(const struct run *run, const struct hc_sweep_space *space, uint32_t position)
{
    uint32_t slot = run->order->slot[position];
    return slot == HC_NO_SLOT ? space->sink : slot_row(run, slot);
}

/* One op that waits for one or two others: one pass over the lanes. */
INLINE void sweep_single(const struct run *run, const struct hc_sweep_space *space,
                         const struct hc_op_order_node *node, struct hc_sweep_times *times)
{
    const struct hc_rows *rows = &run->sweep->duration;
    const uint32_t *dep = run->order->dep_slot + node->first_dep;
    const double *a = slot_row(run, dep[0]), *b = slot_row(run, dep[node->n_deps - 1]);
    uint32_t position = node->first_position;
    double *end = end_row(run, space, position);
    size_t n_dense = n_dense_lanes(run, rows, position);
    if (n_dense)
        row_max2_add(end, a, b, matrix_row(rows, position), n_dense);
    if (n_dense < run->n)
        row_max2_add_constant(end + n_dense, a + n_dense, b + n_dense, rows->constant[position],
                              run->n - n_dense);
    finish_op(run, position, end, false, times);
}

INLINE void sweep_group(const struct run *run, const struct hc_sweep_space *space,
                        const struct hc_op_order_node *node, struct hc_sweep_times *times)
{
    latest_of(run, run->order->dep_slot + node->first_dep, node->n_deps, space->start);
    if (node->has_root && node->n_deps)
        HC_LANES(run->n) space->start[l] = max2(space->start[l], 0);
    if (node->is_synced)
        synchronise(run, space->start);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t position = node->first_position + m;
        double *end = end_row(run, space, position);
        add_lengths(run, &run->sweep->duration, position, end, space->start);
        finish_op(run, position, end, false, times);
    }
}

/* No launch delays. Without negative durations the earliest start is 0 and the latest end is that
 * of an op that nothing waits for. */
HC_DISPATCH
static void sweep_plain(const struct run *run, const struct hc_sweep_space *space,
                        struct hc_sweep_times *times)
{
    const struct hc_op_order *order = run->order;
    for (size_t i = 0; i < order->n_nodes; i++) {
        const struct hc_op_order_node *node = &order->nodes[i];
        if (node->n_ops == 1 && node->n_deps >= 1 && node->n_deps <= 2 && !node->has_root &&
            !node->is_synced)
            sweep_single(run, space, node, times);
        else
            sweep_group(run, space, node, times);
    }
}

/* Start of one op into row: launch delay plus the latest end of what it waits for itself. */
INLINE void own_start(const struct run *run, uint32_t position, double *row)
{
    uint32_t n_slots = 0;
    const uint32_t *slot = own_slots(run, position, &n_slots);
    latest_of(run, slot, n_slots, row);
    if (run->sweep->delay.matrix || run->sweep->delay.constant)
        add_lengths(run, &run->sweep->delay, position, row, row);
}

/* With launch delays or negative durations: the start of every op counts. */
HC_DISPATCH
static void sweep_full(const struct run *run, const struct hc_sweep_space *space,
                       struct hc_sweep_times *times)
{
    const struct hc_op_order *order = run->order;
    for (size_t i = 0; i < order->n_nodes; i++) {
        const struct hc_op_order_node *node = &order->nodes[i];
        for (uint32_t m = 0; m < node->n_ops; m++) {
            double *row = m == 0 ? space->start : space->sink;
            own_start(run, node->first_position + m, row);
            row_lower(times->span_start, row, run->n);
            if (m > 0)
                row_raise(space->start, row, run->n);
        }
        if (node->is_synced)
            synchronise(run, space->start);
        for (uint32_t m = 0; m < node->n_ops; m++) {
            uint32_t position = node->first_position + m;
            double *end = end_row(run, space, position);
            add_lengths(run, &run->sweep->duration, position, end, space->start);
            finish_op(run, position, end, true, times);
        }
    }
}

/* The durations of one lane when they lie one after the other, else NULL. */
static const double *contiguous(const struct hc_rows *rows)
{
    if (!rows->matrix)
        return rows->constant;
    return rows->use_matrix || rows->stride != 1 ? NULL : rows->matrix;
}

void hc_sweep_run(const struct hc_sweep *sweep, struct hc_sweep_space *space,
                  struct hc_sweep_times *times)
{
    struct run run = {sweep, sweep->order, space->slots, space->stride, sweep->n_lanes};
    bool delayed = sweep->delay.matrix || sweep->delay.constant;
    bool full = delayed || sweep->has_negative;
    for (size_t l = 0; l < run.n; l++) {
        times->end[l] = times->span_end[l] = -INFINITY;
        times->span_start[l] = full ? INFINITY : 0;
    }
    const double *single = run.n == 1 ? contiguous(&sweep->duration) : NULL;
    if (full)
        sweep_full(&run, space, times);
    else if (single)
        hc_scalar_code_run(run.order, single, run.slots, times->end, times->span_end);
    else
        sweep_plain(&run, space, times);
}
