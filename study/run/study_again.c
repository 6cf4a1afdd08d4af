/* The winners of a sweep and of `find`, run again with random numbers that they were not chosen by,
 * and with the inputs drawn anew. */
#include "study/run/study_work.h"

#include <math.h>
#include <stdlib.h>

static enum hc_status give_spot(void *context, size_t i, struct hc_study_spot *spot,
                                struct hc_error *err)
{
    (void)i;
    (void)err;
    *spot = *(const struct hc_study_spot *)context;
    return HC_OK;
}

/* ---- the condition of `find` ---- */

static void weigh(const struct hc_study_work *work, struct hc_study_again *again)
{
    struct hc_condition_value known[HC_CONDITION_MOST_TERMS];
    for (size_t i = 0; i < work->condition.n; i++) {
        const struct hc_study_value *value = &again->value[work->condition.term[i].figure];
        known[i] = (struct hc_condition_value){value->mean, value->low, value->high};
    }
    again->holds = hc_condition_holds(&work->condition, known);
}

/* Of means: ends of intervals are about the number of replicas, which is small in a draw. */
static void weigh_draws(const struct hc_study_work *work, const struct hc_study_draws *draws,
                        struct hc_study_again *again)
{
    struct hc_condition_value known[HC_CONDITION_MOST_TERMS];
    for (size_t i = 0; i < work->condition.n; i++)
        if (work->condition.term[i].percent)
            return;
    again->n_draws = work->condition.n ? draws->n : 0;
    for (size_t d = 1; d <= again->n_draws; d++) {
        for (size_t i = 0; i < work->condition.n; i++) {
            size_t column = work->condition.term[i].figure;
            double value = hc_study_draw_mean(work, draws, d, column, again->value[column].mean);
            known[i] = (struct hc_condition_value){value, value, value};
        }
        again->n_hold += hc_condition_holds(&work->condition, known);
    }
}

/* ---- one winner ---- */

static enum hc_status draw_again(struct hc_study_work *work, const struct hc_study_spot *spot,
                                 struct hc_study_again *again, struct hc_error *err)
{
    struct hc_study_draws draws = {.cell = NULL};
    enum hc_status status = HC_OK;
    if (work->study->input_draws)
        status = hc_study_draw_inputs(work, spot, &draws, err);
    if (status == HC_OK && draws.n) {
        status = hc_study_draw_ranges(work, again->value, &draws, NULL, &again->inputs, err);
        weigh_draws(work, &draws, again);
    }
    free(draws.cell);
    return status;
}

static enum hc_status run_again(struct hc_study_work *work, struct hc_study_spot *spot,
                                struct hc_study_again *again, struct hc_error *err)
{
    struct hc_study_cell cell;
    work->is_fresh = true;
    enum hc_status status = hc_study_run_spots(work, 1, give_spot, spot, &cell, err);
    if (status == HC_OK) {
        *again = (struct hc_study_again){
            .is_there = true, .n_replicas = cell.n_replicas, .value = cell.value};
        weigh(work, again);
        status = draw_again(work, spot, again, err);
    }
    work->is_fresh = false;
    return status;
}

static enum hc_status again_found(struct hc_study_work *work, struct hc_error *err)
{
    struct hc_study_found *found = &work->result->found;
    if (!found->is_asked || !found->is_found)
        return HC_OK;
    const struct hc_place *place = &hc_node_member(work->scenario->root, "find")->place;
    const struct hc_node *node = hc_study_number(work->scenario, found->number, place);
    struct hc_study_spot spot = {&work->study->variant[0], 1, &found->path, &node};
    if (!node) {
        *err = work->scenario->errors.no_memory;
        return err->status;
    }
    return run_again(work, &spot, &found->again, err);
}

/* Where the points are not all the same. */
static enum hc_status again_best(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study_order *order = &work->result->order;
    struct hc_study_spot spot;
    if (!order->n_best_cells || work->sweep.n < 2)
        return HC_OK;
    if (work->sweep.make(work->sweep.context, order->best_cell[0], &spot, err))
        return err->status;
    return run_again(work, &spot, &work->result->best_again, err);
}

enum hc_status hc_study_again(struct hc_study_work *work, struct hc_error *err)
{
    return again_found(work, err) ? err->status : again_best(work, err);
}
