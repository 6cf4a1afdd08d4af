/* census_compare.c - after the last row: which steps are whole, and which have the same ops. */
#include "models/steps/census_data.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sorting ---- */

struct sort_entry {
    int32_t step;
    size_t index;
};

static int compare_steps(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

static int compare_cells(const void *a, const void *b)
{
    const struct hc_census_cell *x = a, *y = b;
    return (x->dp_rank > y->dp_rank) - (x->dp_rank < y->dp_rank);
}

/* Steps in ascending order, and the cells of each by dp rank. */
static enum hc_status sort_steps(struct hc_census *census, struct hc_error *err)
{
    size_t n = census->n_steps;
    struct sort_entry *order = hc_new_array(n, sizeof *order, err);
    struct hc_census_step *steps = order ? hc_new_array(n, sizeof *steps, err) : NULL;
    struct hc_step_cells *cells = steps ? hc_new_array(n, sizeof *cells, err) : NULL;
    if (!cells) {
        free(order);
        free(steps);
        return err->status;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (struct sort_entry){census->steps[i].step, i};
    qsort(order, n, sizeof *order, compare_steps);
    for (size_t i = 0; i < n; i++) {
        steps[i] = census->steps[order[i].index];
        cells[i] = census->cells[order[i].index];
        qsort(cells[i].cells, cells[i].n_cells, sizeof *cells[i].cells, compare_cells);
    }
    free(census->steps);
    free(census->cells);
    census->steps = steps;
    census->cells = cells;
    free(order);
    return HC_OK;
}

/* ---- comparing ---- */

static uint64_t word_at(const struct hc_census_cell *cell, size_t word)
{
    return word < cell->n_words ? cell->bits[word] : 0;
}

/* Set in bits[n_words] every op that some dp rank of the step has. */
static void unite(const struct hc_step_cells *row, uint64_t *bits, size_t n_words)
{
    memset(bits, 0, n_words * sizeof *bits);
    for (size_t d = 0; d < row->n_cells; d++)
        for (size_t w = 0; w < n_words; w++)
            bits[w] |= word_at(&row->cells[d], w);
}

/* Count the ops that a cell lacks of those its step has. The first is described in the step, unless
 * something else was wrong with it before. */
static int64_t count_lacking(const struct hc_census *census, struct hc_census_step *step,
                             const struct hc_census_cell *cell, const uint64_t *bits,
                             size_t n_words)
{
    int64_t n_lacking = 0;
    for (size_t w = 0; w < n_words; w++) {
        uint64_t lacking = bits[w] & ~word_at(cell, w);
        if (lacking && !step->detail[0]) {
            char op[96];
            hc_census_describe(
                op, sizeof op,
                &census->ops[w * HC_CENSUS_WORD_BITS + (size_t)__builtin_ctzll(lacking)]);
            snprintf(step->detail, sizeof step->detail, "dp_rank %d lacks %s", cell->dp_rank, op);
        }
        n_lacking += __builtin_popcountll(lacking);
    }
    return n_lacking;
}

static int64_t count_absent(const struct hc_census *census, struct hc_census_step *step,
                            const struct hc_step_cells *row, const uint64_t *bits, size_t n_words)
{
    int64_t n_absent = 0, n_ops = 0;
    for (size_t d = 0; d < row->n_cells; d++)
        n_absent += count_lacking(census, step, &row->cells[d], bits, n_words);
    if (row->n_cells == (size_t)census->dp_size)
        return n_absent;
    for (size_t w = 0; w < n_words; w++)
        n_ops += __builtin_popcountll(bits[w]);
    size_t gap = 0;
    while (gap < row->n_cells && row->cells[gap].dp_rank == (int32_t)gap)
        gap++;
    if (!step->detail[0])
        snprintf(step->detail, sizeof step->detail, "dp_rank %zu has no rows", gap);
    return n_absent + n_ops * (census->dp_size - (int64_t)row->n_cells);
}

static enum hc_status number_structure(struct hc_census *census, struct hc_census_step *step,
                                       const uint64_t *bits, size_t n_words, struct hc_error *err)
{
    for (size_t i = 0; i < census->n_structures; i++)
        if (memcmp(census->structures[i], bits, n_words * sizeof *bits) == 0) {
            step->structure = (int32_t)i;
            return HC_OK;
        }
    if (hc_census_charge(census, n_words, err) ||
        hc_reserve(&census->structures, &census->structures_capacity, census->n_structures + 1,
                   sizeof *census->structures, err))
        return err->status;
    uint64_t *copy = hc_new_array(n_words, sizeof *copy, err);
    if (!copy)
        return err->status;
    memcpy(copy, bits, n_words * sizeof *bits);
    census->structures[census->n_structures] = copy;
    step->structure = (int32_t)census->n_structures++;
    return HC_OK;
}

static enum hc_status finish_step(struct hc_census *census, size_t index, uint64_t *bits,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct hc_census_step *step = &census->steps[index];
    const struct hc_step_cells *row = &census->cells[index];
    size_t n_words = census->n_ops / HC_CENSUS_WORD_BITS + 1;
    for (size_t d = 0; d < row->n_cells; d++)
        step->n_rows += row->cells[d].n_rows;
    unite(row, bits, n_words);
    bool was_clean = !step->detail[0];
    step->n_absent = count_absent(census, step, row, bits, n_words);
    int64_t bad = hc_int_map_find(&report->bad_steps, (uint32_t)step->step);
    step->n_bad = bad < 0 ? 0 : report->bad_steps.values[bad];
    if (step->n_duplicate && !report->count[HC_BAD_DUPLICATE])
        snprintf(report->example[HC_BAD_DUPLICATE], sizeof report->example[0], "step %d: %s",
                 step->step, step->detail);
    if (step->n_absent && was_clean && !report->example[HC_BAD_ABSENT][0])
        snprintf(report->example[HC_BAD_ABSENT], sizeof report->example[0], "step %d: %s",
                 step->step, step->detail);
    report->count[HC_BAD_DUPLICATE] += step->n_duplicate;
    report->count[HC_BAD_ABSENT] += step->n_absent;
    if (step->n_bad && !step->detail[0])
        snprintf(step->detail, sizeof step->detail, "%" PRId64 " row%s could not be read",
                 step->n_bad, step->n_bad == 1 ? "" : "s");
    if (step->n_absent)
        return HC_OK;
    return number_structure(census, step, bits, n_words, err);
}

/* Dp ranks are 0..D-1: one of them without a single row makes every step incomplete, and the error
 * should say this rather than blame a step. */
static enum hc_status fail_unseen_dp_rank(const struct hc_census *census, struct hc_error *err)
{
    int32_t dp_rank = 0;
    while (hc_int_map_find(&census->dp_map, (uint32_t)dp_rank) >= 0)
        dp_rank++;
    return hc_fail(err, HC_BAD_INPUT,
                   "dp_rank %d has no rows in any step, though dp_rank %d has: ranks count from 0 "
                   "without gaps",
                   dp_rank, census->dp_size - 1);
}

enum hc_status hc_census_finish(struct hc_census *census, struct hc_row_report *report,
                                struct hc_error *err)
{
    if (census->dp_map.n < (size_t)census->dp_size)
        return fail_unseen_dp_rank(census, err);
    uint64_t *bits = hc_new_array(census->n_ops / HC_CENSUS_WORD_BITS + 1, sizeof *bits, err);
    enum hc_status status = bits ? sort_steps(census, err) : err->status;
    for (size_t i = 0; status == HC_OK && i < census->n_steps; i++)
        status = finish_step(census, i, bits, report, err);
    free(bits);
    return status;
}
