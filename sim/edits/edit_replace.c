/* What is usual in the class of an op, which an edit puts in its place. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* The classes of the edit, and what is usual in each. NULL: the ideals of the job, which are known.
 */
static enum hc_status sort_classes(struct hc_applying *a)
{
    const struct hc_edit *edit = a->edit;
    bool is_known = edit->replace.how == HC_REPLACE_IDEAL && edit->replace.by == HC_CLASS_OP &&
                    edit->replace.over == HC_OVER_ALL && edit->replace.after == HC_AFTER_NOTHING;
    if (is_known)
        return HC_OK;
    unsigned by =
        edit->replace.how == HC_REPLACE_IDEAL ? edit->replace.by | HC_CLASS_OP : edit->replace.by;
    a->all_but.none = (struct hc_selector *)&edit->select; /* which is only read */
    const struct hc_selector *of =
        edit->replace.over == HC_OVER_OTHERS ? &a->all_but : &edit->select;
    if (edit->replace.over != HC_OVER_ALL &&
        hc_selection_new(&a->selection, of, a->lanes->base, a->draws, a->err))
        return a->err->status;
    const struct hc_row_choice choice = hc_selection_choice(a->selection);
    const struct hc_lane_rows *rows =
        edit->replace.after == HC_AFTER_EDITS ? &a->lanes->rows : NULL;
    if (hc_op_classes_make(&a->classes, a->lanes->base, by, rows, a->selection ? &choice : NULL,
                           a->err))
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
static enum hc_status fill_usual(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    uint8_t *is_done = hc_new_array(a->classes.n, 1, a->err);
    if (!is_done)
        return a->err->status;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t p = 0; p < lanes->structures[i].order.n_ops; p++) {
            size_t first = (size_t)a->classes.row_of[i][p] * a->classes.per_row;
            if (is_done[first])
                continue;
            is_done[first] = 1;
            for (size_t c = 0; c < a->classes.per_row; c++)
                a->usual_ns[first + c] = usual_of(a, first + c, lanes->structures[i].op_type[p]);
        }
    free(is_done);
    return HC_OK;
}

enum hc_status hc_replacement_find(struct hc_applying *a)
{
    enum hc_status status = sort_classes(a);
    return status || !a->usual_ns ? status : fill_usual(a);
}

double hc_replacement_of(const struct hc_applying *a, const struct hc_op_row *row, size_t lane,
                         double now_ns)
{
    const struct hc_ideals *ideals = &a->lanes->base->ideals;
    if (!a->usual_ns)
        return (double)ideals->duration_ns[hc_applying_structure(a, row)->op_type[row->position]];
    size_t class = hc_op_class(&a->classes, row, lane);
    return hc_op_class_n(&a->classes, class) ? a->usual_ns[class] : now_ns;
}
