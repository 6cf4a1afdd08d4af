#include "sim/edits/edited_lanes.h"

#include "core/base/memory.h"
#include "sim/edits/applying.h"

#include <stdlib.h>

bool hc_selector_draws(const struct hc_selector *selector)
{
    bool draws = selector->is_random || (selector->none && hc_selector_draws(selector->none));
    for (size_t i = 0; i < selector->n_all && !draws; i++)
        draws = hc_selector_draws(&selector->all[i]);
    for (size_t i = 0; i < selector->n_any && !draws; i++)
        draws = hc_selector_draws(&selector->any[i]);
    return draws;
}

bool hc_edit_draws_numbers(const struct hc_edit *edit)
{
    return edit->value.kind != HC_DISTRIBUTION_CONSTANT || edit->kind == HC_EDIT_EXTRAPOLATE ||
           hc_selector_draws(&edit->select);
}

/* ---- one edit ---- */

static enum hc_status count_row(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    (void)context;
    for (size_t l = 0; l < hc_applying_structure(a, row)->blocks[row->block].n_lanes; l++)
        *a->n_selected += hc_applying_is_meant(a, selected, l);
    return HC_OK;
}

/* Remedies look at ops that are not selected, too: they ask of each. */
static bool is_remedy(const struct hc_edit *edit)
{
    return edit->kind >= HC_EDIT_REBALANCE;
}

static enum hc_status apply_remedy(struct hc_applying *a)
{
    if (hc_selection_new(&a->selection, &a->edit->select, a->lanes->base, a->draws, a->err))
        return a->err->status;
    switch ((enum hc_edit_kind)a->edit->kind) {
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
    case HC_EDIT_STOP: /* changes no duration: sim/edits/stopped_step.h */
        return hc_applying_each_row(a, count_row, NULL);
    default:
        return HC_OK;
    }
}

static enum hc_status apply(struct hc_applying *a)
{
    struct hc_edited_lanes *lanes = a->lanes;
    if (a->edit->kind == HC_EDIT_SWAP)
        return hc_apply_swap(a);
    if (is_remedy(a->edit))
        return apply_remedy(a);
    if (hc_edit_delays(a->edit)) {
        if (hc_work_lanes_delay(lanes->work, lanes->base, a->err))
            return a->err->status;
        lanes->delays = lanes->work->delays;
    }
    if (a->edit->kind == HC_EDIT_REPLACE && hc_replacement_find(a))
        return a->err->status;
    return hc_apply_to_rows(a);
}

static void applying_fini(struct hc_applying *a)
{
    hc_selection_free(a->selection);
    if (a->classes.base)
        hc_op_classes_fini(&a->classes);
    free(a->usual_ns);
    free(a->mask);
    free(a->drawn);
}

/* ---- rows ---- */

/* The durations of the base itself. */
static enum hc_status view_rows(struct hc_lane_rows *rows, const struct hc_replay_base *base,
                                struct hc_error *err)
{
    size_t n = base->lanes.n_structures;
    rows->duration = hc_new_array(n, sizeof *rows->duration, err);
    for (size_t i = 0; i < n && rows->duration; i++) {
        const struct hc_step_structure *of = &base->lanes.structures[i];
        rows->duration[i] = hc_new_array(of->n_blocks, sizeof **rows->duration, err);
        if (!rows->duration[i])
            return err->status;
        for (size_t k = 0; k < of->n_blocks; k++)
            rows->duration[i][k] = of->blocks[k].duration;
    }
    return rows->duration ? HC_OK : err->status;
}

static void view_fini(struct hc_lane_rows *rows, const struct hc_replay_base *base)
{
    for (size_t i = 0; rows->duration && i < base->lanes.n_structures; i++)
        free(rows->duration[i]);
    free(rows->duration);
}

static void add_delays(struct hc_edited_lanes *lanes, const struct hc_lane_rows *delays, size_t i,
                       size_t k)
{
    const struct hc_step_structure *of = &lanes->base->lanes.structures[i];
    size_t n = of->order.n_ops * of->blocks[k].stride;
    for (size_t at = 0; at < n; at++)
        lanes->delays.duration[i][k][at] += delays->duration[i][k][at];
    for (size_t p = 0; p < of->order.n_ops; p++)
        lanes->work->is_changed[i][k][p] |= 2;
}

enum hc_status hc_edited_lanes_carry(struct hc_edited_lanes *lanes,
                                     const struct hc_lane_rows *delays, const double *extra_ns,
                                     struct hc_error *err)
{
    for (size_t s = 0; s < lanes->base->lanes.n_steps && extra_ns; s++)
        lanes->extra_ns[s] += extra_ns[s];
    if (!delays->duration)
        return HC_OK;
    if (!lanes->work) {
        lanes->delays = *delays;
        return HC_OK;
    }
    if (hc_work_lanes_delay(lanes->work, lanes->base, err))
        return err->status;
    lanes->delays = lanes->work->delays;
    for (size_t i = 0; i < lanes->base->lanes.n_structures; i++)
        for (size_t k = 0; k < lanes->base->lanes.structures[i].n_blocks; k++)
            add_delays(lanes, delays, i, k);
    return HC_OK;
}

/* ---- all of them ---- */

enum hc_status hc_edited_lanes_make(struct hc_edited_lanes *lanes,
                                    const struct hc_replay_base *base, const struct hc_edit *edits,
                                    size_t n_edits, const struct hc_edit_draws *draws,
                                    size_t *failed, struct hc_error *err)
{
    *lanes = (struct hc_edited_lanes){.base = base, .has_negative = base->lanes.has_negative};
    lanes->n_selected = hc_new_array(n_edits, sizeof *lanes->n_selected, err);
    lanes->extra_ns = hc_new_array(base->lanes.n_steps, sizeof *lanes->extra_ns, err);
    if (!lanes->n_selected || !lanes->extra_ns)
        return err->status;
    if (!n_edits)
        return view_rows(&lanes->rows, base, err);
    lanes->work = hc_work_lanes_take(base, err);
    if (!lanes->work)
        return err->status;
    lanes->rows = lanes->work->rows;
    size_t widest = hc_replay_widest(base);
    for (size_t i = 0; i < n_edits; i++) {
        struct hc_applying a = {
            .lanes = lanes,
            .edit = &edits[i],
            .draws = draws,
            .mask = hc_new_array(HC_SELECTOR_MASKS * widest, 1, err),
            .drawn = hc_new_array(HC_DRAWN_AT_ONCE + 4 * widest, sizeof(double), err),
            .n_selected = &lanes->n_selected[i],
            .err = err};
        a.scratch = a.drawn ? a.drawn + HC_DRAWN_AT_ONCE + widest : NULL;
        enum hc_status status = a.mask && a.drawn ? apply(&a) : err->status;
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
    if (!lanes->work && lanes->base)
        view_fini(&lanes->rows, lanes->base);
    hc_work_lanes_give_back(lanes->work, lanes->base);
    free(lanes->n_selected);
    free(lanes->extra_ns);
    *lanes = (struct hc_edited_lanes){.base = NULL};
}
