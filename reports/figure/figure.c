#include "reports/figure/figure.h"

#include <math.h>

enum hc_status hc_figure_put(const struct hc_figure_sink *sink, const struct hc_figure *figure,
                             struct hc_error *err)
{
    return sink->take(figure, sink->context, err);
}

bool hc_figure_is_empty(const struct hc_figure *figure)
{
    switch (figure->kind) {
    case HC_FIGURE_CHART:
        return figure->n_series == 0;
    case HC_FIGURE_MATRIX:
        return figure->matrix.n_x == 0 || figure->matrix.n_y == 0;
    case HC_FIGURE_MAPS:
        return figure->n_panels == 0 || figure->matrix.n_x == 0 || figure->matrix.n_y == 0;
    default:
        return figure->n_rows == 0;
    }
}

/* ---- the range of rows ---- */

static void widen(struct hc_axis *axis, double value)
{
    hc_axis_widen(axis, &value, 1);
}

static void bars_range(const struct hc_figure *figure, struct hc_axis *axis)
{
    double base = figure->base;
    axis->low = axis->high = base;
    for (size_t i = 0; i < figure->n_rows; i++)
        widen(axis, figure->rows[i].value);
    if (axis->low == axis->high)
        axis->high = base + (base != 0 ? fabs(base) * 0.1 : 1);
    const struct hc_axis exact = *axis;
    double range = exact.high - exact.low;
    hc_axis_round(axis, 4);
    /* A bar that can hardly be seen gets no room up to the next tick. */
    if (base - exact.low < range * 0.02)
        axis->low = exact.low;
    if (exact.high - base < range * 0.02)
        axis->high = exact.high;
}

static void ranges_range(const struct hc_figure *figure, struct hc_axis *axis)
{
    if (figure->n_rules > 0)
        widen(axis, figure->rules[0].at);
    for (size_t i = 0; i < figure->n_rows; i++) {
        widen(axis, figure->rows[i].value);
        widen(axis, figure->rows[i].low);
        widen(axis, figure->rows[i].high);
    }
    hc_axis_round(axis, 3);
}

static void tornado_range(const struct hc_figure *figure, struct hc_axis *axis)
{
    widen(axis, figure->base);
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_key *key = &figure->keys[i];
        widen(axis, key->at_low);
        widen(axis, key->at_high);
        hc_axis_widen(axis, key->low_interval, 2);
        hc_axis_widen(axis, key->high_interval, 2);
    }
    const struct hc_axis exact = *axis;
    hc_axis_round(axis, 4);
    /* Only the ticks are round: the room is for the bars. */
    if (exact.high > exact.low) {
        axis->low = exact.low;
        axis->high = exact.high;
    }
}

bool hc_figure_is_cut(const struct hc_figure *figure, double *low, double *high)
{
    struct hc_axis all = figure->y;
    if (figure->kind != HC_FIGURE_CHART || all.is_log)
        return false;
    all.low = INFINITY;
    all.high = -INFINITY;
    for (size_t i = 0; i < figure->n_series; i++) {
        const struct hc_figure_series *series = &figure->series[i];
        if (series->kind == HC_SERIES_COLUMNS)
            continue;
        hc_axis_widen(&all, series->y, series->n);
        if (series->kind == HC_SERIES_BAND)
            hc_axis_widen(&all, series->high, series->n);
    }
    *low = all.low;
    *high = all.high;
    double slack = 1e-6 * (figure->y.high - figure->y.low);
    return all.low < figure->y.low - slack ||
           (isfinite(all.high) && all.high > figure->y.high + slack);
}

double hc_figure_row_sum(const struct hc_figure *figure, size_t row)
{
    double sum = 0;
    for (size_t part = 0; part < figure->n_parts; part++) {
        double value = figure->part_values[row * figure->n_parts + part];
        sum += value > 0 && isfinite(value) ? value : 0;
    }
    return sum;
}

static void stack_range(const struct hc_figure *figure, struct hc_axis *axis)
{
    axis->low = 0;
    axis->high = 0;
    for (size_t row = 0; row < figure->n_rows; row++)
        axis->high = fmax(axis->high, hc_figure_row_sum(figure, row));
    if (figure->is_share_of_row || !(axis->high > 0))
        axis->high = 1;
    axis->is_share |= figure->is_share_of_row;
}

void hc_figure_rows_axis(const struct hc_figure *figure, struct hc_axis *axis)
{
    *axis = figure->x;
    axis->low = INFINITY;
    axis->high = -INFINITY;
    switch (figure->kind) {
    case HC_FIGURE_BARS:
        bars_range(figure, axis);
        break;
    case HC_FIGURE_RANGES:
        ranges_range(figure, axis);
        break;
    case HC_FIGURE_TORNADO:
        tornado_range(figure, axis);
        break;
    case HC_FIGURE_STACK:
        stack_range(figure, axis);
        break;
    default:
        *axis = figure->x;
    }
}
