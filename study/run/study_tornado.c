/* Sensitivity: one value at a time, low and high, all else as in the scenario. */
#include "study/run/study_work.h"

#include <math.h>
#include <stdlib.h>

struct tornado {
    struct hc_study_work *work;
    const char *path;
    const struct hc_node *node;
};

static enum hc_status make_spot(void *context, size_t i, struct hc_study_spot *spot,
                                struct hc_error *err)
{
    struct tornado *t = context;
    struct hc_scenario *scenario = t->work->scenario;
    const struct hc_study_sensitivity *value = &t->work->study->sensitivity[i / 2];
    const struct hc_place *place = &hc_node_member(scenario->root, "sensitivity")->place;
    t->path = value->path;
    t->node = hc_study_number(scenario, i % 2 ? value->high : value->low, place);
    if (!t->node) {
        *err = scenario->errors.no_memory;
        return err->status;
    }
    *spot = (struct hc_study_spot){&t->work->study->variant[0], 1, &t->path, &t->node};
    return HC_OK;
}

enum hc_status hc_study_bind_tornado(struct hc_study_work *work, struct hc_error *err)
{
    struct tornado *t = hc_arena_new(work->arena, sizeof *t, err);
    if (!t)
        return err->status;
    t->work = work;
    work->tornado = (struct hc_study_points){
        .n = 2 * work->study->n_sensitivities, .make = make_spot, .context = t};
    return hc_study_bind_spots(work, &work->tornado, err);
}

/* What the scenario gives, as far as it is a number. */
static double base_of(const struct hc_study_work *work, const char *path)
{
    struct hc_pointer pointer;
    const struct hc_node *node = hc_pointer_parse(&pointer, path)
                                     ? hc_pointer_walk(&pointer, pointer.n, work->scenario->root)
                                     : NULL;
    return node && node->type == HC_NODE_NUMBER ? node->number : NAN;
}

static double width(const struct hc_study_bar *bar)
{
    double span = fabs(bar->at_high.mean - bar->at_low.mean);
    return isnan(span) ? -1 : span;
}

/* Widest first; of the same width as in the scenario. */
static void sort_bars(struct hc_study_bar *bar, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && width(&bar[j]) > width(&bar[j - 1]); j--) {
            struct hc_study_bar swapped = bar[j];
            bar[j] = bar[j - 1];
            bar[j - 1] = swapped;
        }
}

enum hc_status hc_study_tornado(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study *study = work->study;
    struct hc_study_result *result = work->result;
    size_t n = study->n_sensitivities;
    if (!n)
        return HC_OK;
    size_t column = hc_study_figure_column(&work->columns, study->sensitivity_figure);
    struct hc_study_bar *bar = hc_arena_new(work->arena, n * sizeof *bar, err);
    struct hc_study_cell *cell = hc_arena_new(work->arena, 2 * n * sizeof *cell, err);
    if (!bar || !cell || hc_study_run_points(work, &work->tornado, cell, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const struct hc_study_sensitivity *value = &study->sensitivity[i];
        bar[i] = (struct hc_study_bar){value->path,
                                       value->key->unit ? value->key->unit : "",
                                       value->low,
                                       value->high,
                                       base_of(work, value->path),
                                       cell[2 * i].value[column],
                                       cell[2 * i + 1].value[column]};
    }
    sort_bars(bar, n);
    result->bar_column = &result->column[column];
    result->bar = bar;
    result->n_bars = n;
    return HC_OK;
}
