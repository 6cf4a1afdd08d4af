#include "sim/edits/applying.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hc_edit_draws_numbers(const struct hc_edit *edit)
{
    const struct hc_selector *all[HC_SELECTOR_DEPTH * 64] = {&edit->select};
    size_t n = 1;
    bool draws = edit->value.kind != HC_DISTRIBUTION_CONSTANT;
    for (size_t i = 0; i < n && !draws; i++) {
        const struct hc_selector *s = all[i];
        draws = s->is_random;
        for (size_t k = 0; k < s->n_all && n < sizeof all / sizeof *all; k++)
            all[n++] = &s->all[k];
        for (size_t k = 0; k < s->n_any && n < sizeof all / sizeof *all; k++)
            all[n++] = &s->any[k];
        if (s->none && n < sizeof all / sizeof *all)
            all[n++] = s->none;
    }
    return draws;
}

/* ---- rows ---- */

static enum hc_status new_rows(struct hc_lane_rows *rows, const struct hc_replay_base *base,
                               bool is_copy, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    rows->duration = hc_new_array(lanes->n_structures, sizeof *rows->duration, err);
    for (size_t i = 0; i < lanes->n_structures && rows->duration; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        rows->duration[i] = hc_new_array(of->n_blocks, sizeof(double *), err);
        for (size_t k = 0; k < of->n_blocks && rows->duration[i]; k++) {
            size_t n = of->order.n_ops * of->blocks[k].stride;
            double *to = rows->duration[i][k] = hc_new_aligned(n, sizeof *to, err);
            if (!to)
                return err->status;
            if (is_copy)
                memcpy(to, of->blocks[k].duration, n * sizeof *to);
            else
                memset(to, 0, n * sizeof *to);
        }
        if (!rows->duration[i])
            return err->status;
    }
    return rows->duration ? HC_OK : err->status;
}

static void rows_fini(struct hc_lane_rows *rows, const struct hc_replay_base *base)
{
    for (size_t i = 0; rows->duration && i < base->lanes.n_structures; i++) {
        for (size_t k = 0; rows->duration[i] && k < base->lanes.structures[i].n_blocks; k++)
            free(rows->duration[i][k]);
        free(rows->duration[i]);
    }
    free(rows->duration);
}

/* ---- one edit ---- */

static double *row_of(const struct hc_lane_rows *rows, const struct hc_step_structure *of,
                      const struct hc_op_row *row)
{
    return rows->duration[row->structure][row->block] +
           row->position * of->blocks[row->block].stride;
}

double hc_applying_value(const struct hc_applying *a, const struct hc_op_row *row, size_t lane)
{
    const struct hc_edit *edit = a->edit;
    if (edit->value.kind == HC_DISTRIBUTION_CONSTANT)
        return edit->value.scale;
    double above = hc_edit_uniform(a->lanes->base, a->draws, edit->stream,
                                   (enum hc_drawn_per)edit->drawn_per, row, lane);
    return hc_distribution_exceeded(&edit->value, above);
}

/* Of a class without ops, as where all are selected and the others asked for, it stays. */
static double replacement_of(const struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                             double now_ns)
{
    const struct hc_ideals *ideals = &a->lanes->base->ideals;
    if (!a->usual_ns)
        return (double)ideals->duration_ns[hc_applying_structure(a, row)->op_type[row->position]];
    size_t class = hc_op_class(&a->classes, row, lane);
    return hc_op_class_n(&a->classes, class) ? a->usual_ns[class] : now_ns;
}

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
        return hc_whole_ns(now_ns * hc_applying_value(a, row, lane));
    case HC_EDIT_ADD:
    case HC_EDIT_PAUSE:
        return now_ns + hc_whole_ns(hc_applying_value(a, row, lane) * HC_NS_PER_S);
    case HC_EDIT_SET:
        return hc_whole_ns(hc_applying_value(a, row, lane) * HC_NS_PER_S);
    case HC_EDIT_CAP:
        return now_ns > cap_ns ? cap_ns : now_ns;
    case HC_EDIT_REPLACE:
        return replacement_of(a, row, lane, now_ns);
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
    double *values = hc_applying_durations(a, row);
    if (ns < 0 && ns < values[lane])
        return refuse_negative(a, row, lane, ns);
    values[lane] = ns;
    a->lanes->touched |= (uint32_t)1 << hc_applying_structure(a, row)->op_type[row->position];
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

static enum hc_status edit_lane(struct hc_applying *a, const struct hc_op_row *row, double *values,
                                size_t lane)
{
    double now_ns = values[lane], then_ns = edited(a, row, lane, now_ns);
    if (then_ns < 0 && then_ns < now_ns)
        return refuse_negative(a, row, lane, then_ns);
    values[lane] = then_ns;
    return HC_OK;
}

static bool is_delaying(const struct hc_edit *edit)
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

static enum hc_status edit_row(struct hc_applying *a, const struct hc_op_row *row,
                               enum hc_selected selected)
{
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t n = of->blocks[row->block].n_lanes;
    bool delays = is_delaying(a->edit);
    double *values = row_of(delays ? &a->lanes->delays : &a->lanes->rows, of, row);
    for (size_t l = 0; l < n; l++) {
        if (selected == HC_SELECTED_SOME && !a->mask[l])
            continue;
        ++*a->n_selected;
        if (delays)
            values[l] += hc_whole_ns(hc_applying_value(a, row, l) * HC_NS_PER_S);
        else if (edit_lane(a, row, values, l))
            return a->err->status;
    }
    if (!delays)
        a->lanes->touched |= (uint32_t)1 << of->op_type[row->position];
    return HC_OK;
}

/* A link is slower for both ends of a pair, whichever of them is selected. */
static enum hc_selected select_pair(struct hc_applying *a, const struct hc_op_order_node *node,
                                    const struct hc_op_row *row)
{
    struct hc_op_row other = *row;
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    size_t n = hc_applying_structure(a, row)->blocks[row->block].n_lanes;
    uint8_t *its = a->mask + HC_SELECTOR_MASKS * n;
    if (node->is_synced || !hc_op_is_p2p(hc_applying_structure(a, row)->op_type[row->position]))
        return selected;
    for (uint32_t m = 0; m < node->n_ops && selected != HC_SELECTED_ALL; m++) {
        other.position = node->first_position + m;
        if (other.position == row->position)
            continue;
        enum hc_selected also = hc_selection_row(a->selection, &other, its);
        if (selected == HC_SELECTED_NONE && also == HC_SELECTED_SOME)
            memcpy(a->mask, its, n);
        for (size_t l = 0; l < n && selected == HC_SELECTED_SOME && also == HC_SELECTED_SOME; l++)
            a->mask[l] |= its[l];
        selected = also > selected || also == HC_SELECTED_ALL ? also : selected;
        if (also == HC_SELECTED_ALL)
            selected = HC_SELECTED_ALL;
    }
    return selected;
}

static enum hc_status edit_node(struct hc_applying *a, const struct hc_op_order_node *node,
                                struct hc_op_row row)
{
    const struct hc_step_structure *of = hc_applying_structure(a, &row);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        row.position = node->first_position + m;
        if (!is_for(a->edit, of->op_type[row.position]))
            continue;
        enum hc_selected selected = a->edit->kind == HC_EDIT_LINK
                                        ? select_pair(a, node, &row)
                                        : hc_selection_row(a->selection, &row, a->mask);
        if (selected && edit_row(a, &row, selected))
            return a->err->status;
    }
    return HC_OK;
}

static enum hc_status edit_selected(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t j = 0; j < lanes->structures[i].order.n_nodes; j++)
                if (edit_node(a, &lanes->structures[i].order.nodes[j],
                              (struct hc_op_row){.structure = i, .block = k}))
                    return a->err->status;
    return HC_OK;
}

/* ---- replace ---- */

/* The classes of the edit, and what is usual in each. NULL: the ideals of the job, which are known.
 */
static enum hc_status find_usual(struct hc_applying *a)
{
    const struct hc_edit *edit = a->edit;
    bool is_known = edit->replace.how == HC_REPLACE_IDEAL && edit->replace.by == HC_CLASS_OP &&
                    edit->replace.over == HC_OVER_ALL && edit->replace.after == HC_AFTER_NOTHING;
    if (is_known)
        return HC_OK;
    unsigned by =
        edit->replace.how == HC_REPLACE_IDEAL ? edit->replace.by | HC_CLASS_OP : edit->replace.by;
    a->all_but.none = (struct hc_selector *)&edit->select; /* which is only read */
    if (edit->replace.over == HC_OVER_OTHERS &&
        hc_selection_new(&a->others, &a->all_but, a->lanes->base, a->draws, a->err))
        return a->err->status;
    const struct hc_selection *of =
        edit->replace.over == HC_OVER_SELECTION ? a->selection : a->others;
    const struct hc_lane_rows *rows =
        edit->replace.after == HC_AFTER_EDITS ? &a->lanes->rows : NULL;
    if (hc_op_classes_make(&a->classes, a->lanes->base, by, rows, of, a->err))
        return a->err->status;
    a->usual_ns = hc_new_array(a->classes.n, sizeof *a->usual_ns, a->err);
    return a->usual_ns ? HC_OK : a->err->status;
}

static double usual_of(struct hc_applying *a, size_t i, int op_type)
{
    const struct hc_edit *edit = a->edit;
    bool is_mean = edit->replace.how == HC_REPLACE_MEAN ||
                   (edit->replace.how == HC_REPLACE_IDEAL && hc_ideal_is_mean(op_type));
    double share = edit->replace.how == HC_REPLACE_QUANTILE ? edit->replace.quantile : 0.5;
    if (!hc_op_class_n(&a->classes, i))
        return 0;
    return is_mean ? hc_op_class_mean(&a->classes, i)
                   : hc_whole_ns(hc_op_class_quantile(&a->classes, i, share));
}

/* Each class once: those of the lanes of a row follow each other. */
static void fill_usual(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    uint8_t *is_done = hc_new_array(a->classes.n, 1, a->err);
    for (size_t i = 0; i < lanes->n_structures && is_done; i++)
        for (size_t p = 0; p < lanes->structures[i].order.n_ops; p++) {
            size_t first = (size_t)a->classes.row_of[i][p] * a->classes.per_row;
            if (is_done[first])
                continue;
            is_done[first] = 1;
            for (size_t c = 0; c < a->classes.per_row; c++)
                a->usual_ns[first + c] = usual_of(a, first + c, lanes->structures[i].op_type[p]);
        }
    free(is_done);
}

/* ---- swap ---- */

/* Positions of a stage by what identifies an op within it. */
static enum hc_status index_stage(struct hc_int_map *map, const struct hc_step_structure *of,
                                  int32_t stage, struct hc_error *err)
{
    size_t entry;
    for (size_t p = 0; p < of->order.n_ops; p++) {
        const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
        if (op->stage == stage &&
            hc_int_map_insert(map, hc_graph_op_key(op->op_type, op->seq_id, 0), (int32_t)p, &entry,
                              err))
            return err->status;
    }
    return HC_OK;
}

static void swap_rows(struct hc_applying *a, const struct hc_op_row *row, size_t other)
{
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t dp_size = (size_t)a->lanes->base->lanes.dp_size;
    struct hc_op_row to = {row->structure, row->block, other};
    double *mine = row_of(&a->lanes->rows, of, row), *its = row_of(&a->lanes->rows, of, &to);
    for (size_t k = 0; k < of->blocks[row->block].n_steps; k++) {
        double *x = &mine[k * dp_size + (size_t)a->edit->swap[0][0]],
               *y = &its[k * dp_size + (size_t)a->edit->swap[1][0]], kept = *x;
        *x = *y;
        *y = kept;
        *a->n_selected += 2;
    }
    a->lanes->touched |= (uint32_t)1 << of->op_type[row->position];
}

static enum hc_status swap_workers(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < lanes->n_structures && !status; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        struct hc_int_map map = {.n = 0};
        status = index_stage(&map, of, a->edit->swap[1][1], a->err);
        for (size_t p = 0; p < of->order.n_ops && !status; p++) {
            const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
            int64_t entry = hc_int_map_find(&map, hc_graph_op_key(op->op_type, op->seq_id, 0));
            if (op->stage != a->edit->swap[0][1] || entry < 0 ||
                of->graph.ops[of->order.op_at[map.values[entry]]].model_chunk != op->model_chunk)
                continue;
            for (size_t k = 0; k < of->n_blocks; k++)
                swap_rows(a, &(struct hc_op_row){i, k, p}, (size_t)map.values[entry]);
        }
        hc_int_map_fini(&map);
    }
    return status;
}

/* ---- all of them ---- */

static enum hc_status apply(struct hc_applying *a)
{
    const struct hc_edit *edit = a->edit;
    struct hc_edited_lanes *lanes = a->lanes;
    if (edit->kind == HC_EDIT_SWAP)
        return swap_workers(a);
    if (is_delaying(edit) && !lanes->delays.duration &&
        new_rows(&lanes->delays, lanes->base, false, a->err))
        return a->err->status;
    if (hc_selection_new(&a->selection, &edit->select, lanes->base, a->draws, a->err) ||
        (edit->kind == HC_EDIT_REPLACE && find_usual(a)))
        return a->err->status;
    if (a->usual_ns)
        fill_usual(a);
    if (a->err->status)
        return a->err->status;
    switch ((enum hc_edit_kind)edit->kind) {
    case HC_EDIT_REBALANCE:
        return hc_apply_rebalance(a);
    case HC_EDIT_PLANNED_GC:
        return hc_apply_planned_gc(a);
    case HC_EDIT_REPARTITION:
        return hc_apply_repartition(a);
    case HC_EDIT_OVERLAP:
        return hc_apply_overlap(a);
    case HC_EDIT_EVICT:
        return hc_apply_evict(a);
    default:
        return edit_selected(a);
    }
}

static void applying_fini(struct hc_applying *a)
{
    hc_selection_free(a->selection);
    hc_selection_free(a->others);
    if (a->classes.base)
        hc_op_classes_fini(&a->classes);
    free(a->usual_ns);
    free(a->mask);
}

enum hc_status hc_edited_lanes_make(struct hc_edited_lanes *lanes,
                                    const struct hc_replay_base *base, const struct hc_edit *edits,
                                    size_t n_edits, const struct hc_edit_draws *draws,
                                    size_t *failed, struct hc_error *err)
{
    *lanes = (struct hc_edited_lanes){.base = base, .has_negative = base->lanes.has_negative};
    lanes->n_selected = hc_new_array(n_edits, sizeof *lanes->n_selected, err);
    lanes->extra_ns = hc_new_array(base->lanes.n_steps, sizeof *lanes->extra_ns, err);
    if (!lanes->n_selected || !lanes->extra_ns || new_rows(&lanes->rows, base, true, err))
        return err->status;
    size_t n_masks = (HC_SELECTOR_MASKS + HC_SELECTOR_MASKS) * hc_replay_widest(base);
    for (size_t i = 0; i < n_edits; i++) {
        struct hc_applying a = {.lanes = lanes,
                                .edit = &edits[i],
                                .draws = draws,
                                .mask = hc_new_array(n_masks, 1, err),
                                .n_selected = &lanes->n_selected[i],
                                .err = err};
        enum hc_status status = a.mask ? apply(&a) : err->status;
        applying_fini(&a);
        if (status) {
            *failed = i;
            return status;
        }
    }
    return HC_OK;
}

void hc_edited_lanes_fini(struct hc_edited_lanes *lanes)
{
    rows_fini(&lanes->rows, lanes->base);
    rows_fini(&lanes->delays, lanes->base);
    free(lanes->n_selected);
    free(lanes->extra_ns);
    *lanes = (struct hc_edited_lanes){.base = NULL};
}
