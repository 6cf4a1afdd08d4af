#include "sim/edits/op_classes.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds of ops ---- */

#define MOST_CHUNKS 4096 /* of a key; a trace has some ten */

static uint64_t key_of_op(const struct hc_replay_base *base, unsigned by, size_t structure,
                          size_t position)
{
    const struct hc_step_structure *of = &base->lanes.structures[structure];
    const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[position]];
    uint64_t type = by & HC_CLASS_OP ? (uint64_t)op->op_type + 1 : 0;
    uint64_t stage = by & (HC_CLASS_STAGE | HC_CLASS_WORKER) ? (uint64_t)op->stage + 1 : 0;
    uint64_t chunk = by & HC_CLASS_CHUNK ? (uint64_t)op->model_chunk % MOST_CHUNKS : 0;
    uint32_t microbatch =
        by & HC_CLASS_MICROBATCH ? (uint32_t)base->microbatch[structure][position] : 0;
    return ((type << 12 | stage) << 12 | chunk) << 32 | microbatch;
}

static enum hc_status number_kinds(struct hc_op_classes *classes, size_t *n_kinds,
                                   struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &classes->base->lanes;
    struct hc_int_map kinds = {.n = 0};
    enum hc_status status = HC_OK;
    classes->row_of = hc_new_array(lanes->n_structures, sizeof *classes->row_of, err);
    if (!classes->row_of)
        return err->status;
    for (size_t i = 0; i < lanes->n_structures && !status; i++) {
        size_t n_ops = lanes->structures[i].order.n_ops, entry;
        classes->row_of[i] = hc_new_array(n_ops, sizeof(int32_t), err);
        status = classes->row_of[i] ? HC_OK : err->status;
        for (size_t p = 0; p < n_ops && !status; p++) {
            uint64_t key = key_of_op(classes->base, classes->by, i, p);
            status = hc_int_map_insert(&kinds, key, (int32_t)kinds.n, &entry, err);
            if (!status)
                classes->row_of[i][p] = kinds.values[entry];
        }
    }
    *n_kinds = kinds.n;
    hc_int_map_fini(&kinds);
    return status;
}

static bool tells_dp_rank(unsigned by)
{
    return by & (HC_CLASS_WORKER | HC_CLASS_DP_RANK);
}

size_t hc_op_class(const struct hc_op_classes *classes, const struct hc_op_row *row, size_t lane)
{
    const struct hc_step_lanes *lanes = &classes->base->lanes;
    const struct hc_lane_block *block = &lanes->structures[row->structure].blocks[row->block];
    size_t dp_size = (size_t)lanes->dp_size, of_lane = 0;
    if (classes->by & HC_CLASS_STEP)
        of_lane = block->step[lane / dp_size];
    if (tells_dp_rank(classes->by))
        of_lane = of_lane * dp_size + lane % dp_size;
    return (size_t)classes->row_of[row->structure][row->position] * classes->per_row + of_lane;
}

/* ---- sorting ---- */

struct sorting {
    struct hc_op_classes *classes;
    const struct hc_lane_rows *rows;
    const struct hc_row_choice *choice;
    uint8_t *mask;
    size_t *filled; /* [n] of each class; NULL: they are counted first */
};

static void take_row(struct sorting *s, const struct hc_op_row *row)
{
    struct hc_op_classes *classes = s->classes;
    const struct hc_step_structure *structure = &classes->base->lanes.structures[row->structure];
    const struct hc_lane_block *block = &structure->blocks[row->block];
    const double *duration =
        s->rows ? s->rows->duration[row->structure][row->block] : block->duration;
    enum hc_selected selected =
        s->choice ? s->choice->row(s->choice->context, row, s->mask) : HC_SELECTED_ALL;
    for (size_t l = 0; l < block->n_lanes && selected; l++) {
        if (selected == HC_SELECTED_SOME && !s->mask[l])
            continue;
        size_t i = hc_op_class(classes, row, l);
        if (s->filled)
            classes->values[classes->first[i] + s->filled[i]++] =
                duration[row->position * block->stride + l];
        else
            classes->first[i]++;
    }
}

static void take_all(struct sorting *s)
{
    const struct hc_step_lanes *lanes = &s->classes->base->lanes;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t p = 0; p < lanes->structures[i].order.n_ops; p++)
                take_row(s, &(struct hc_op_row){i, k, p});
}

/* From counts to where each class begins. */
static size_t place_classes(struct hc_op_classes *classes)
{
    size_t at = 0;
    for (size_t i = 0; i <= classes->n; i++) {
        size_t n = classes->first[i];
        classes->first[i] = at;
        at += n;
    }
    return at;
}

enum hc_status hc_op_classes_make(struct hc_op_classes *classes, const struct hc_replay_base *base,
                                  unsigned by, const struct hc_lane_rows *rows,
                                  const struct hc_row_choice *choice, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    size_t n_kinds = 0;
    *classes = (struct hc_op_classes){.base = base, .by = by};
    if (number_kinds(classes, &n_kinds, err))
        return err->status;
    classes->per_row = (by & HC_CLASS_STEP ? lanes->n_steps : 1) *
                       (tells_dp_rank(by) ? (size_t)lanes->dp_size : 1);
    classes->n = n_kinds * classes->per_row;
    classes->first = hc_new_array(classes->n + 1, sizeof *classes->first, err);
    struct sorting s = {.classes = classes, .rows = rows, .choice = choice};
    s.mask = hc_new_array(HC_SELECTOR_MASKS * hc_replay_widest(base), 1, err);
    size_t *filled = hc_new_array(classes->n, sizeof *filled, err);
    if (classes->first && s.mask && filled) {
        take_all(&s);
        classes->values = hc_new_array(place_classes(classes), sizeof *classes->values, err);
        s.filled = filled;
        if (classes->values)
            take_all(&s);
    }
    free(s.mask);
    free(filled);
    return classes->values ? HC_OK : err->status;
}

void hc_op_classes_fini(struct hc_op_classes *classes)
{
    for (size_t i = 0; classes->row_of && i < classes->base->lanes.n_structures; i++)
        free(classes->row_of[i]);
    free(classes->row_of);
    free(classes->first);
    free(classes->values);
    *classes = (struct hc_op_classes){.n = 0};
}

/* ---- what is usual ---- */

double hc_op_class_mean(const struct hc_op_classes *classes, size_t i)
{
    hc_wide_ns sum = 0, n = (hc_wide_ns)(classes->first[i + 1] - classes->first[i]);
    for (size_t k = classes->first[i]; k < classes->first[i + 1]; k++)
        sum += (int64_t)classes->values[k];
    hc_wide_ns whole = (sum < 0 ? -sum : sum), rest = whole % n;
    whole = whole / n + (2 * rest >= n);
    return (double)(sum < 0 ? -whole : whole);
}

/* Between the two values around it, as numpy's default (type 7 of Hyndman and Fan). */
static double quantile_of(double *values, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t k = (size_t)at;
    double below = hc_select(values, n, k);
    double above = k + 1 < n ? hc_select(values, n, k + 1) : below;
    return below + (at - (double)k) * (above - below);
}

double hc_op_class_quantile(struct hc_op_classes *classes, size_t i, double share)
{
    size_t n = classes->first[i + 1] - classes->first[i];
    return quantile_of(classes->values + classes->first[i], n, share);
}

double hc_op_class_mad(struct hc_op_classes *classes, size_t i)
{
    size_t n = classes->first[i + 1] - classes->first[i];
    double *values = classes->values + classes->first[i];
    double median = quantile_of(values, n, 0.5);
    for (size_t k = 0; k < n; k++)
        values[k] = fabs(values[k] - median);
    return quantile_of(values, n, 0.5);
}
