#include "reports/figure/gnuplot/figure_data.h"

#include "core/base/printable.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- pieces ---- */

static void put_number(FILE *stream, double value)
{
    char text[HC_NUMBER_TEXT];
    fputs(hc_format_real(value, text), stream);
}

static void put_next(FILE *stream, double value)
{
    fputc('\t', stream);
    put_number(stream, value);
}

/* A name as the last column. */
static void put_name(FILE *stream, const char *name)
{
    fputc('\t', stream);
    hc_show_text(stream, name ? name : "");
}

/* The head of a column: "slowdown", "step time (s)". */
static void put_head(FILE *stream, const char *name, const char *unit)
{
    hc_show_text(stream, name);
    if (unit && unit[0]) {
        fputs(" (", stream);
        hc_show_text(stream, unit);
        fputc(')', stream);
    }
}

static const char *unit_of(const struct hc_axis *axis)
{
    return axis->unit && axis->unit[0] ? axis->unit : axis->is_share ? "share" : "";
}

static void put_axis_head(FILE *stream, const struct hc_axis *axis, const char *instead)
{
    put_head(stream, axis->title ? axis->title : instead, unit_of(axis));
}

/* ---- charts ---- */

size_t hc_figure_n_series(const struct hc_figure *figure)
{
    return figure->n_series < HC_MAX_FIGURE_SERIES ? figure->n_series : HC_MAX_FIGURE_SERIES;
}

static bool share_table(const struct hc_figure_series *a, const struct hc_figure_series *b)
{
    return a->x == b->x && a->n == b->n;
}

static size_t width_of(const struct hc_figure_series *series)
{
    return series->kind == HC_SERIES_BAND ? 2 : 1;
}

void hc_figure_places(const struct hc_figure *figure,
                      struct hc_series_place places[HC_MAX_FIGURE_SERIES])
{
    size_t n_tables = 0;
    for (size_t i = 0; i < hc_figure_n_series(figure); i++) {
        const struct hc_figure_series *series = &figure->series[i];
        places[i] = (struct hc_series_place){n_tables, 2, true};
        for (size_t j = 0; j < i; j++) {
            const struct hc_figure_series *other = &figure->series[j];
            if (!share_table(series, other))
                continue;
            places[i].table = places[j].table;
            if (other->y == series->y && other->high == series->high) {
                places[i].column = places[j].column;
                places[i].is_first = false;
                break;
            }
            if (places[j].is_first)
                places[i].column = places[j].column + width_of(other);
        }
        n_tables += places[i].table == n_tables;
    }
}

static const char *column_name(const struct hc_figure *figure,
                               const struct hc_figure_series *series)
{
    return series->column    ? series->column
           : series->name    ? series->name
           : figure->y.title ? figure->y.title
                             : "value";
}

static void put_series_head(FILE *stream, const struct hc_figure *figure,
                            const struct hc_figure_series *series)
{
    char name[256];
    const char *unit = unit_of(&figure->y), *of = column_name(figure, series);
    fputc('\t', stream);
    if (series->kind != HC_SERIES_BAND) {
        put_head(stream, of, unit);
        return;
    }
    snprintf(name, sizeof name, "%.200s: low", of);
    put_head(stream, name, unit);
    fputc('\t', stream);
    snprintf(name, sizeof name, "%.200s: high", of);
    put_head(stream, name, unit);
}

/* One table: the series of it from `first` on. */
static void put_table(FILE *stream, const struct hc_figure *figure,
                      const struct hc_series_place *places, size_t first)
{
    size_t n = hc_figure_n_series(figure);
    const struct hc_figure_series *one = &figure->series[first];
    const char *const *texts = NULL;
    put_axis_head(stream, &figure->x, "x");
    for (size_t i = first; i < n; i++) {
        if (places[i].table != places[first].table)
            continue;
        if (places[i].is_first)
            put_series_head(stream, figure, &figure->series[i]);
        if (figure->series[i].texts)
            texts = figure->series[i].texts;
    }
    fputs(texts ? "\tlabel\n" : "\n", stream);
    for (size_t at = 0; at < one->n; at++) {
        put_number(stream, one->x[at]);
        for (size_t i = first; i < n; i++) {
            const struct hc_figure_series *series = &figure->series[i];
            if (places[i].table != places[first].table || !places[i].is_first)
                continue;
            put_next(stream, series->y[at]);
            if (series->kind == HC_SERIES_BAND)
                put_next(stream, series->high[at]);
        }
        if (texts)
            put_name(stream, texts[at]);
        fputc('\n', stream);
    }
}

static void put_chart(FILE *stream, const struct hc_figure *figure)
{
    struct hc_series_place places[HC_MAX_FIGURE_SERIES];
    size_t n_done = 0;
    hc_figure_places(figure, places);
    for (size_t i = 0; i < hc_figure_n_series(figure); i++) {
        if (places[i].table != n_done)
            continue;
        fputs(n_done++ ? "\n\n" : "", stream);
        put_table(stream, figure, places, i);
    }
}

/* ---- rows ---- */

static void put_rows(FILE *stream, const struct hc_figure *figure)
{
    bool is_range = figure->kind == HC_FIGURE_RANGES;
    fputs("row\t", stream);
    put_axis_head(stream, &figure->x, "value");
    fputs(is_range ? "\tlow\thigh\tname\n" : "\tname\n", stream);
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_row *row = &figure->rows[i];
        fprintf(stream, "%zu", i);
        put_next(stream, row->value);
        if (is_range) {
            put_next(stream, row->low);
            put_next(stream, row->high);
        }
        put_name(stream, row->name);
        fputc('\n', stream);
    }
}

static void put_keys(FILE *stream, const struct hc_figure *figure)
{
    static const char *const heads[] = {"at low",  "at low: low",  "at low: high",
                                        "at high", "at high: low", "at high: high"};
    fputs("row", stream);
    for (size_t i = 0; i < 6; i++) {
        fputc('\t', stream);
        put_head(stream, heads[i], unit_of(&figure->x));
    }
    fputs("\tlow value\thigh value\tkey\n", stream);
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_key *key = &figure->keys[i];
        const double values[] = {key->at_low,  key->low_interval[0],  key->low_interval[1],
                                 key->at_high, key->high_interval[0], key->high_interval[1]};
        fprintf(stream, "%zu", i);
        for (size_t v = 0; v < 6; v++)
            put_next(stream, values[v]);
        put_name(stream, key->low_text);
        put_name(stream, key->high_text);
        put_name(stream, key->name);
        fputc('\n', stream);
    }
}

static void put_stack(FILE *stream, const struct hc_figure *figure)
{
    fputs("row", stream);
    for (size_t part = 0; part < figure->n_parts; part++) {
        fputc('\t', stream);
        put_head(stream, figure->parts[part].name, figure->x.unit);
    }
    fputs("\tname\n", stream);
    for (size_t row = 0; row < figure->n_rows; row++) {
        fprintf(stream, "%zu", row);
        for (size_t part = 0; part < figure->n_parts; part++) {
            double value = figure->part_values[row * figure->n_parts + part];
            put_next(stream, value > 0 && isfinite(value) ? value : 0);
        }
        put_name(stream, figure->row_names ? figure->row_names[row] : figure->title);
        fputc('\n', stream);
    }
}

static void put_gantt(FILE *stream, const struct hc_figure *figure)
{
    const char *unit = unit_of(&figure->x);
    fputs("lane\t", stream);
    put_head(stream, "start", unit);
    fputc('\t', stream);
    put_head(stream, "end", unit);
    fputs("\tpart\tthin\tpart name\tlane name\n", stream);
    for (size_t i = 0; i < figure->n_bars; i++) {
        const struct hc_figure_bar *bar = &figure->bars[i];
        fprintf(stream, "%zu", bar->lane);
        put_next(stream, bar->start);
        put_next(stream, bar->end);
        fprintf(stream, "\t%zu\t%d", bar->part, bar->is_thin);
        put_name(stream, figure->parts[bar->part].name);
        put_name(stream, figure->row_names ? figure->row_names[bar->lane] : "");
        fputc('\n', stream);
    }
}

/* ---- matrices ---- */

static void put_place(FILE *stream, const char *const *labels, const int32_t *ids, size_t i)
{
    if (labels)
        put_name(stream, labels[i]);
    else
        fprintf(stream, "\t%" PRId32, ids ? ids[i] : (int32_t)i);
}

static void put_cells(FILE *stream, const struct hc_figure_matrix *matrix, const double *values,
                      const char *panel)
{
    for (size_t x = 0; x < matrix->n_x; x++)
        for (size_t y = 0; y < matrix->n_y; y++) {
            fprintf(stream, "%zu\t%zu", x, y);
            put_next(stream, values[x * matrix->n_y + y]);
            put_place(stream, matrix->x_labels, matrix->x_ids, x);
            put_place(stream, matrix->y_labels, matrix->y_ids, y);
            if (panel)
                put_name(stream, panel);
            fputc('\n', stream);
        }
}

static void put_matrix(FILE *stream, const struct hc_figure *figure)
{
    const struct hc_figure_matrix *matrix = &figure->matrix;
    bool is_panels = figure->kind == HC_FIGURE_MAPS;
    fputs("column\trow\t", stream);
    put_head(stream, matrix->value ? matrix->value : "value", matrix->unit);
    put_name(stream, matrix->x_name);
    put_name(stream, matrix->y_name);
    fputs(is_panels ? "\tpanel\n" : "\n", stream);
    if (!is_panels)
        put_cells(stream, matrix, matrix->values, NULL);
    for (size_t i = 0; is_panels && i < figure->n_panels; i++) {
        fputs(i ? "\n\n" : "", stream);
        put_cells(stream, matrix, figure->panels[i].values, figure->panels[i].name);
    }
}

/* ---- all of it ---- */

static void put_comment(FILE *stream, const char *text)
{
    if (!text)
        return;
    fputs("# ", stream);
    hc_show_text(stream, text);
    fputc('\n', stream);
}

void hc_figure_write_data(FILE *stream, const struct hc_figure *figure)
{
    put_comment(stream, figure->title);
    put_comment(stream, figure->note);
    switch (figure->kind) {
    case HC_FIGURE_CHART:
        put_chart(stream, figure);
        break;
    case HC_FIGURE_BARS:
    case HC_FIGURE_RANGES:
        put_rows(stream, figure);
        break;
    case HC_FIGURE_TORNADO:
        put_keys(stream, figure);
        break;
    case HC_FIGURE_STACK:
        put_stack(stream, figure);
        break;
    case HC_FIGURE_GANTT:
        put_gantt(stream, figure);
        break;
    case HC_FIGURE_MATRIX:
    case HC_FIGURE_MAPS:
        put_matrix(stream, figure);
        break;
    }
}
