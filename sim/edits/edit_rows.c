/* Edits that change each selected op by itself. */
#include "sim/edits/applying.h"

#include "core/base/dispatch.h"
#include "sim/edits/replay_shared.h"

#include <math.h>

bool hc_is_compute(int op_type)
{
    return hc_op_is_pass(op_type) || op_type == HC_OPTIMIZER || op_type == HC_GC ||
           op_type == HC_OPTIMIZER_CLIP_MAIN_GRAD;
}

static double edited(const struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                     double now_ns)
{
    const struct hc_edit *edit = a->edit;
    double cap_ns = hc_whole_ns(edit->cap_s * HC_NS_PER_S);
    switch ((enum hc_edit_kind)edit->kind) {
    case HC_EDIT_SCALE:
        return hc_whole_ns(now_ns * a->value[lane]);
    case HC_EDIT_ADD:
    case HC_EDIT_PAUSE:
        return now_ns + hc_whole_ns(a->value[lane] * HC_NS_PER_S);
    case HC_EDIT_SET:
        return hc_whole_ns(a->value[lane] * HC_NS_PER_S);
    case HC_EDIT_CAP:
        return now_ns > cap_ns ? cap_ns : now_ns;
    case HC_EDIT_REPLACE:
        return hc_replacement_of(a, row, lane, now_ns);
    case HC_EDIT_LINK:
        return hc_whole_ns(now_ns / edit->link.bandwidth + edit->link.latency_s * HC_NS_PER_S);
    default:
        return now_ns;
    }
}

static enum hc_status refuse_negative(const struct hc_applying *a, const struct hc_op_row *row,
                                      size_t lane, double ns)
{
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    size_t dp_size = (size_t)lanes->dp_size;
    char op[96];
    hc_graph_op_describe(&of->graph.ops[of->order.op_at[row->position]], op, sizeof op);
    return hc_fail(a->err, HC_BAD_INPUT, "makes %s of dp rank %zu in step %d last %.9g s", op,
                   lane % dp_size, (int)lanes->steps[of->blocks[row->block].step[lane / dp_size]],
                   ns / HC_NS_PER_S);
}

enum hc_status hc_applying_put(struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                               double ns)
{
    double *values = hc_applying_durations(a, row), now_ns = values[lane];
    if (ns < 0 && ns < now_ns)
        return refuse_negative(a, row, lane, ns);
    int op_type = hc_applying_structure(a, row)->op_type[row->position];
    hc_applying_mark(a, row);
    values[lane] = ns;
    if (hc_ideal_is_mean(op_type))
        a->lanes->more_ns[op_type] += (int64_t)ns - (int64_t)now_ns;
    else
        hc_change_log_put(&a->lanes->work->changes[op_type], now_ns, ns);
    ++*a->n_selected;
    return HC_OK;
}

enum hc_status hc_applying_each_row(struct hc_applying *a, hc_row_visit *visit, void *context)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t p = 0; p < lanes->structures[i].order.n_ops; p++)
                if (visit(a, &(struct hc_op_row){i, k, p}, context))
                    return a->err->status;
    return HC_OK;
}

/* ---- rows ---- */

bool hc_edit_delays(const struct hc_edit *edit)
{
    return edit->kind == HC_EDIT_DELAY ||
           (edit->kind == HC_EDIT_PAUSE && edit->pause_as == HC_PAUSE_DELAY);
}

static bool is_for(const struct hc_edit *edit, int op_type)
{
    return edit->kind == HC_EDIT_PAUSE  ? hc_is_compute(op_type)
           : edit->kind == HC_EDIT_LINK ? !hc_is_compute(op_type)
                                        : true;
}

/* Lanes times their factors: what most points of a sweep are. more: what came to each. */
HC_DISPATCH
static void scale_row(double *values, const double *factor, double *more, size_t n)
{
    HC_LANES(n)
    {
        double then = hc_whole_ns(values[l] * factor[l]);
        more[l] = then - values[l];
        values[l] = then;
    }
}

/* A factor of 1 leaves a lane that is not meant as it is: whole numbers. */
HC_DISPATCH
static void choose_factors(double *to, const double *factor, const uint8_t *mask, size_t n)
{
    HC_LANES(n) to[l] = mask[l] ? factor[l] : 1.0;
}

/* In eight sums side by side, as one addition would wait for the one before it; always the same
 * eight, so that they are the same on any machine. They are exact: whole numbers, far below 2^53
 * together. */
HC_DISPATCH
static int64_t sum_row(const double *values, size_t n)
{
    double sum[8] = {0};
    for (; n >= 8; n -= 8, values += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += values[k];
    for (size_t k = 0; k < n; k++)
        sum[k] += values[k];
    return (int64_t)(((sum[0] + sum[1]) + (sum[2] + sum[3])) +
                     ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

static void scale_selected(struct hc_applying *a, const struct hc_selected_row *row)
{
    const struct hc_step_structure *of = hc_applying_structure(a, &row->row);
    int op_type = of->op_type[row->row.position];
    size_t n = of->blocks[row->row.block].n_lanes;
    double *values = hc_applying_durations(a, &row->row), *more = a->scratch + n;
    const double *factor = row->mask ? a->scratch : a->value;
    if (row->mask && row->mask != a->chosen)
        choose_factors(a->scratch, a->value, row->mask, n);
    a->chosen = a->edit->value.kind == HC_DISTRIBUTION_CONSTANT ? row->mask : NULL;
    scale_row(values, factor, more, n);
    hc_applying_mark(a, &row->row);
    if (hc_ideal_is_mean(op_type))
        a->lanes->more_ns[op_type] += sum_row(more, n);
    else
        hc_change_log_put_row(&a->lanes->work->changes[op_type], values, more, row->lane,
                              row->n_meant);
    *a->n_selected += (int64_t)row->n_meant;
}

static void delay_selected(struct hc_applying *a, const struct hc_selected_row *row)
{
    const struct hc_step_structure *of = hc_applying_structure(a, &row->row);
    const struct hc_op_row *at = &row->row;
    double *values = a->lanes->delays.duration[at->structure][at->block] +
                     at->position * of->blocks[at->block].stride;
    a->lanes->work->is_changed[at->structure][at->block][at->position] |= 2;
    for (size_t l = 0; l < of->blocks[at->block].n_lanes; l++)
        if (!row->mask || row->mask[l]) {
            values[l] += hc_whole_ns(a->value[l] * HC_NS_PER_S);
            ++*a->n_selected;
        }
}

static enum hc_status edit_selected(struct hc_applying *a, const struct hc_selected_row *row)
{
    const struct hc_step_structure *of = hc_applying_structure(a, &row->row);
    const double *values = hc_applying_durations(a, &row->row);
    for (size_t l = 0; l < of->blocks[row->row.block].n_lanes; l++)
        if ((!row->mask || row->mask[l]) &&
            hc_applying_put(a, &row->row, l, edited(a, &row->row, l, values[l])))
            return a->err->status;
    return HC_OK;
}

static bool is_for_row(const struct hc_applying *a, const struct hc_selected_row *row)
{
    return is_for(a->edit, hc_applying_structure(a, &row->row)->op_type[row->row.position]);
}

static size_t lanes_of(const struct hc_applying *a, const struct hc_selected_row *row)
{
    return hc_applying_structure(a, &row->row)->blocks[row->row.block].n_lanes;
}

/* The row after this one may be out of the caches: it comes while this one is edited. */
static void fetch_row(const struct hc_applying *a, const struct hc_selected_row *row)
{
    const double *values = hc_applying_durations(a, &row->row);
    for (size_t l = 0; l < lanes_of(a, row); l += 8)
        __builtin_prefetch(values + l, 1);
}

/* Draw the values of some rows, one row after the other into a->drawn: returns where they end. */
static size_t draw_rows(struct hc_applying *a, const struct hc_selected_rows *rows, size_t first)
{
    const struct hc_edit *edit = a->edit;
    size_t n = 0, i = first;
    for (; i < rows->n && n < HC_DRAWN_AT_ONCE; i++) {
        if (!is_for_row(a, &rows->rows[i]))
            continue;
        hc_edit_uniform_row(a->lanes->base, a->draws, edit->stream,
                            (enum hc_drawn_per)edit->drawn_per, &rows->rows[i].row, a->drawn + n,
                            a->scratch);
        n += lanes_of(a, &rows->rows[i]);
    }
    hc_distribution_exceeded_row(&edit->value, a->drawn, n);
    return i;
}

static enum hc_status edit_row(struct hc_applying *a, const struct hc_selected_row *row)
{
    if (hc_edit_delays(a->edit))
        delay_selected(a, row);
    else if (a->edit->kind == HC_EDIT_SCALE)
        scale_selected(a, row);
    else
        return edit_selected(a, row);
    return HC_OK;
}

static enum hc_status edit_all(struct hc_applying *a, const struct hc_selected_rows *rows)
{
    bool draws = a->edit->value.kind != HC_DISTRIBUTION_CONSTANT;
    size_t end_drawn = 0;
    const double *next = a->drawn;
    for (size_t l = 0; l < hc_replay_widest(a->lanes->base); l++)
        a->drawn[l] = a->edit->value.scale; /* of a constant */
    a->value = a->drawn;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_selected_row *row = &rows->rows[i];
        if (i + 1 < rows->n)
            fetch_row(a, row + 1);
        if (!is_for_row(a, row))
            continue;
        if (draws) {
            if (i >= end_drawn) {
                end_drawn = draw_rows(a, rows, i);
                next = a->drawn;
            }
            a->value = next;
            next += lanes_of(a, row);
        }
        if (edit_row(a, row))
            return a->err->status;
    }
    return HC_OK;
}

/* A link is slower for both ends of a pair, whichever of them is selected. */
enum hc_status hc_apply_to_rows(struct hc_applying *a)
{
    const struct hc_selected_rows *rows = NULL;
    bool own = false;
    if (hc_shared_rows(&rows, &own, &a->edit->select, a->lanes->base, a->draws,
                       a->edit->kind == HC_EDIT_LINK, a->err))
        return a->err->status;
    enum hc_status status = edit_all(a, rows);
    if (own)
        hc_shared_rows_release(rows);
    return status;
}
