/* Garbage collection at the same step everywhere: the pauses that are there go, and every k steps
 * all workers pause together before their first pass. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"

#include <stdlib.h>

struct usual {
    double *median_ns, *above_ns; /* [classes.n] */
};

static enum hc_status find_usual(struct hc_applying *a, struct usual *usual)
{
    if (hc_op_classes_make(&a->classes, a->lanes->base,
                           HC_CLASS_OP | HC_CLASS_WORKER | HC_CLASS_CHUNK, &a->lanes->rows, NULL,
                           a->err))
        return a->err->status;
    usual->median_ns = hc_new_array(a->classes.n, sizeof(double), a->err);
    usual->above_ns = hc_new_array(a->classes.n, sizeof(double), a->err);
    if (!usual->median_ns || !usual->above_ns)
        return a->err->status;
    for (size_t i = 0; i < a->classes.n; i++) {
        if (!hc_op_class_n(&a->classes, i))
            continue;
        usual->median_ns[i] = hc_op_class_quantile(&a->classes, i, 0.5);
        usual->above_ns[i] =
            usual->median_ns[i] + a->edit->planned_gc.mad * hc_op_class_mad(&a->classes, i);
    }
    return HC_OK;
}

/* Without a selector pauses are looked for in forward passes, where Python launches and waits. */
static bool is_looked_at(const struct hc_applying *a, int op_type)
{
    return hc_op_is_pass(op_type) && (a->edit->select.op_types || op_type == HC_FORWARD_COMPUTE);
}

static enum hc_status take_away(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    const struct usual *usual = context;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    if (!is_looked_at(a, of->op_type[row->position]))
        return HC_OK;
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    const double *now_ns = hc_applying_durations(a, row);
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        size_t class = hc_op_class(&a->classes, row, l);
        if (hc_applying_is_meant(a, selected, l) && now_ns[l] > usual->above_ns[class] &&
            hc_applying_put(a, row, l, hc_whole_ns(usual->median_ns[class])))
            return a->err->status;
    }
    return HC_OK;
}

/* The first pass of a step, with which the first stage begins. */
static size_t first_pass(const struct hc_step_structure *of)
{
    for (size_t p = 0; p < of->order.n_ops; p++)
        if (of->stage[p] == 0 && of->op_type[p] == HC_FORWARD_COMPUTE)
            return p;
    return SIZE_MAX;
}

/* All workers stop at the start of a step: the first stage begins later by that. The others have
 * nothing to do before its first pass, so that their pauses pass beside its own. Every k-th step by
 * its number: whichever steps were traced, it is the same ones. */
static enum hc_status pause_all(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    size_t dp_size = (size_t)lanes->dp_size;
    double pause_ns = hc_whole_ns(a->edit->planned_gc.pause_s * HC_NS_PER_S);
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        size_t p = first_pass(of);
        for (size_t k = 0; k < of->n_blocks && p != SIZE_MAX; k++) {
            const struct hc_op_row row = {i, k, p};
            for (size_t l = 0; l < of->blocks[k].n_lanes; l++) {
                int32_t step = lanes->steps[of->blocks[k].step[l / dp_size]];
                if (step % a->edit->planned_gc.every_steps == 0 &&
                    hc_applying_put(a, &row, l, hc_applying_durations(a, &row)[l] + pause_ns))
                    return a->err->status;
            }
        }
    }
    return HC_OK;
}

enum hc_status hc_apply_planned_gc(struct hc_applying *a)
{
    struct usual usual = {NULL, NULL};
    enum hc_status status = find_usual(a, &usual);
    if (!status)
        status = hc_applying_each_row(a, take_away, &usual);
    free(usual.median_ns);
    free(usual.above_ns);
    return status ? status : pause_all(a);
}
