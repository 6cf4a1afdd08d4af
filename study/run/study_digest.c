#include "study/run/study_digest.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t hc_study_column_find(const struct hc_study_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_columns; i++)
        if (strcmp(result->column[i].name, name) == 0)
            return i;
    return HC_STUDY_NONE;
}

/* ---- runs and columns ---- */

static size_t best_run(const struct hc_study_result *result, size_t column)
{
    double sign = result->column[column].is_gain ? -1 : 1;
    double first = result->run[0].value[column].mean;
    size_t best = 0;
    bool differs = false;
    for (size_t r = 1; r < result->n_runs; r++) {
        double mean = result->run[r].value[column].mean;
        differs |= fabs(mean - first) > 1e-9 * fabs(first);
        if (sign * mean < sign * result->run[best].value[column].mean)
            best = r;
    }
    return differs ? best : HC_STUDY_NONE;
}

static enum hc_status put_best_runs(struct hc_study_result *result, struct hc_arena *arena,
                                    struct hc_error *err)
{
    size_t *best = hc_arena_new(arena, result->n_columns * sizeof *best, err);
    for (size_t c = 0; best && c < result->n_columns; c++)
        best[c] = best_run(result, c);
    result->order.best_run = best;
    return best ? HC_OK : err->status;
}

typedef bool column_test(const struct hc_study_result *result, size_t column);

typedef int column_place(const struct hc_study_column *column);

static int compare_place(const struct hc_study_column *column)
{
    return column->compare_place;
}

static int lead_place(const struct hc_study_column *column)
{
    return column->lead_place;
}

/* Whether a column with place a stands before one with place b: columns with a place first, in that
 * order, then the others in the order of the table. */
static bool stands_before(int a, int b)
{
    return a > 0 && (b <= 0 || a < b);
}

/* The columns that pass, by their place. Returns their number. */
static size_t order_columns(const struct hc_study_result *result, column_place *place,
                            column_test *passes, size_t *column)
{
    size_t n = 0;
    for (size_t c = 0; c < result->n_columns; c++) {
        size_t at = n;
        if (!passes(result, c))
            continue;
        for (; at > 0 &&
               stands_before(place(&result->column[c]), place(&result->column[column[at - 1]]));
             at--)
            column[at] = column[at - 1];
        column[at] = c;
        n++;
    }
    return n;
}

static bool is_compared(const struct hc_study_result *result, size_t column)
{
    return result->column[column].is_compared;
}

static bool is_swept(const struct hc_study_result *result, size_t column)
{
    double first = NAN;
    for (size_t i = 0; i < result->n_runs * result->n_points && result->column[column].is_reported;
         i++) {
        double value = result->cell[i].value[column].mean;
        if (isfinite(value) && isfinite(first) && value != first)
            return true;
        if (isfinite(value))
            first = value;
    }
    return false;
}

static enum hc_status put_columns(struct hc_study_result *result, struct hc_arena *arena,
                                  struct hc_error *err)
{
    struct hc_study_order *order = &result->order;
    size_t *compared = hc_arena_new(arena, result->n_columns * sizeof *compared, err);
    size_t *swept = hc_arena_new(arena, result->n_columns * sizeof *swept, err);
    if (!compared || !swept)
        return err->status;
    order->n_compared = order_columns(result, compare_place, is_compared, compared);
    order->compared = compared;
    order->n_swept = order_columns(result, lead_place, is_swept, swept);
    order->swept = swept;
    return HC_OK;
}

static void put_brief(struct hc_study_result *result)
{
    struct hc_study_order *order = &result->order;
    size_t n_reported = 0, n_leading = 0;
    for (size_t c = 0; c < result->n_columns; c++) {
        n_reported += result->column[c].is_reported;
        n_leading += result->column[c].lead_place > 0;
    }
    bool is_many = n_reported > HC_STUDY_BRIEF && n_leading > 0;
    for (size_t c = 0; c < result->n_columns && order->n_brief < HC_STUDY_BRIEF; c++) {
        const struct hc_study_column *column = &result->column[c];
        if (is_many ? column->lead_place > 0 : column->is_reported)
            order->brief[order->n_brief++] = c;
    }
}

/* ---- the sweep ---- */

struct ranked {
    double value;
    size_t at;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static enum hc_status put_best_cells(struct hc_study_result *result, struct hc_arena *arena,
                                     struct hc_error *err)
{
    struct hc_study_order *order = &result->order;
    size_t all = result->n_runs * result->n_points, column = order->swept[0];
    size_t n = all < HC_STUDY_BEST_POINTS ? all : HC_STUDY_BEST_POINTS;
    size_t *best = hc_arena_new(arena, n * sizeof *best, err);
    struct ranked *ranked = hc_new_array(all, sizeof *ranked, err);
    if (!best || !ranked) {
        free(ranked);
        return err->status;
    }
    for (size_t i = 0; i < all; i++) {
        double value = result->cell[i].value[column].mean;
        bool is_gain = result->column[column].is_gain;
        ranked[i] = (struct ranked){isnan(value) ? INFINITY : is_gain ? -value : value, i};
    }
    qsort(ranked, all, sizeof *ranked, by_value);
    for (size_t i = 0; i < n; i++)
        best[i] = ranked[i].at;
    free(ranked);
    order->best_cell = best;
    order->n_best_cells = n;
    return HC_OK;
}

size_t hc_study_plane_cell(const struct hc_study_result *result, size_t run, size_t x, size_t y)
{
    size_t point = x * result->axis[1].n + y;
    for (size_t a = 2; a < result->n_axes; a++) {
        const struct hc_study_axis *axis = &result->axis[a];
        point = point * axis->n + (axis->base == HC_STUDY_NONE ? 0 : axis->base);
    }
    return run * result->n_points + point;
}

static bool is_flat(const struct hc_study_result *result, size_t run, size_t column)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t x = 0; x < result->axis[0].n; x++)
        for (size_t y = 0; y < result->axis[1].n; y++) {
            double value = result->cell[hc_study_plane_cell(result, run, x, y)].value[column].mean;
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    return !(high - low > 1e-9 * fabs(high));
}

static enum hc_status put_flat(struct hc_study_result *result, struct hc_arena *arena,
                               struct hc_error *err)
{
    size_t n = result->n_columns;
    bool *flat = hc_arena_new(arena, result->n_runs * n * sizeof *flat, err);
    for (size_t i = 0; flat && i < result->n_runs * n; i++)
        flat[i] = is_flat(result, i / n, i % n);
    result->order.is_flat = flat;
    return flat ? HC_OK : err->status;
}

static bool is_ascending(const struct hc_study_axis *axis)
{
    for (size_t i = 0; i < axis->n; i++)
        if (!isfinite(axis->number[i]) || (i > 0 && axis->number[i] <= axis->number[i - 1]))
            return false;
    return axis->n > 1;
}

static enum hc_status put_sweep(struct hc_study_result *result, struct hc_arena *arena,
                                struct hc_error *err)
{
    if (result->n_points == 0)
        return HC_OK;
    result->order.is_ascending = is_ascending(&result->axis[0]);
    if (result->order.n_swept > 0 && put_best_cells(result, arena, err))
        return err->status;
    return result->n_axes > 1 ? put_flat(result, arena, err) : HC_OK;
}

/* ---- what was sought ---- */

static void weigh_tries(struct hc_study_found *found)
{
    found->answer = found->better_fails = found->worse_fails = HC_STUDY_NONE;
    for (size_t i = 0; i < found->n_tries; i++) {
        struct hc_study_try *try = &found->tries[i];
        try->is_near = try->margin > 0 && try->margin < 0.1 * (try->value.high - try->value.mean);
        if (found->is_found && try->number == found->number)
            found->answer = i;
    }
    size_t answer = found->answer, n = found->n_tries;
    if (answer == HC_STUDY_NONE)
        return;
    size_t better = found->is_smallest ? answer - 1 : answer + 1; /* wraps below 0 */
    if (better < n && !found->tries[better].holds)
        found->better_fails = better;
    for (size_t i = 1; i < n && found->worse_fails == HC_STUDY_NONE; i++) {
        size_t worse = found->is_smallest ? answer + i : answer - i;
        if (worse >= n)
            break;
        if (!found->tries[worse].holds)
            found->worse_fails = worse;
    }
}

enum hc_status hc_study_digest(struct hc_study_result *result, struct hc_arena *arena,
                               struct hc_error *err)
{
    size_t bar =
        result->bar_column ? hc_study_column_find(result, result->bar_column->name) : HC_STUDY_NONE;
    result->order = (struct hc_study_order){
        .bar_base = bar == HC_STUDY_NONE ? NAN : result->run[0].value[bar].mean};
    weigh_tries(&result->found);
    put_brief(result);
    if (put_best_runs(result, arena, err) || put_columns(result, arena, err))
        return err->status;
    return put_sweep(result, arena, err);
}
