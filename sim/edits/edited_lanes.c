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
    return edit->value.kind != HC_DISTRIBUTION_CONSTANT || hc_selector_draws(&edit->select);
}

/* ---- one edit ---- */

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
    free(a->value);
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
    lanes->work = hc_work_lanes_take(base, err);
    if (!lanes->n_selected || !lanes->extra_ns || !lanes->work)
        return err->status;
    lanes->rows = lanes->work->rows;
    size_t widest = hc_replay_widest(base);
    for (size_t i = 0; i < n_edits; i++) {
        struct hc_applying a = {.lanes = lanes,
                                .edit = &edits[i],
                                .draws = draws,
                                .mask = hc_new_array(HC_SELECTOR_MASKS * widest, 1, err),
                                .value = hc_new_array(4 * widest, sizeof(double), err),
                                .n_selected = &lanes->n_selected[i],
                                .err = err};
        a.scratch = a.value ? a.value + widest : NULL;
        enum hc_status status = a.mask && a.value ? apply(&a) : err->status;
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
    hc_work_lanes_give_back(lanes->work, lanes->base);
    free(lanes->n_selected);
    free(lanes->extra_ns);
    *lanes = (struct hc_edited_lanes){.base = NULL};
}
