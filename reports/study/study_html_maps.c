/* A sweep over two axes or more: maps of each figure over the first two, and as lines. */
#include "reports/study/study_sections.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MAPS     4 /* beside each other; the others are folded away */
#define MAX_LINES    2 /* figures as lines */
#define MAX_VARIANTS 6 /* with maps of their own, the base besides */

/* ---- the plane: two axes, the others at one value (hc_study_plane_cell) ---- */

struct plane {
    const struct hc_study_result *result;
    const struct hc_study_axis *x, *y;
};

static const struct hc_study_value *value_of(const struct plane *plane, size_t run, size_t column,
                                             const size_t xy[2])
{
    return &plane->result->cell[hc_study_plane_cell(plane->result, run, xy[0], xy[1])]
                .value[column];
}

static void write_plane(FILE *stream, const struct plane *plane)
{
    const struct hc_study_result *result = plane->result;
    if (result->n_axes == 2)
        return;
    hc_html_paragraph(stream, NULL,
                      "Maps and lines show the first two axes. The others stand at one value:");
    hc_html_facts_start(stream);
    for (size_t a = 2; a < result->n_axes; a++) {
        const struct hc_study_axis *axis = &result->axis[a];
        bool has_base = axis->base != HC_STUDY_NONE;
        hc_html_fact(stream, axis->path, "%s, %s", axis->label[has_base ? axis->base : 0],
                     has_base ? "as in the scenario"
                              : "the first, since the value of the scenario is not among them");
    }
    hc_html_facts_end(stream);
}

/* ---- maps ---- */

/* Values in the scale of the legend: per cent, or with few digits before the point. */
static double map_factor(const struct hc_study_column *column, double size, const char **suffix)
{
    if (strcmp(column->unit, "share") == 0) {
        *suffix = "%";
        return 100;
    }
    *suffix = size >= 1e7 ? "millions" : size >= 1e4 ? "thousands" : "";
    return size >= 1e7 ? 1e-6 : size >= 1e4 ? 1e-3 : 1;
}

static void scale_map(struct hc_figure_matrix *map, double *values, double factor)
{
    map->low = INFINITY;
    map->high = -INFINITY;
    for (size_t i = 0; i < map->n_x * map->n_y; i++) {
        values[i] = isfinite(values[i]) ? values[i] * factor : NAN;
        map->low = fmin(map->low, values[i]);
        map->high = fmax(map->high, values[i]);
    }
    if (!isfinite(map->low))
        map->low = map->high = 0;
    if (map->low == map->high)
        map->high = map->low + (map->low != 0 ? fabs(map->low) * 0.01 : 1);
    double step = (map->high - map->low) / 10;
    map->has_decimals = true;
    map->decimals = (int)fmax(0, fmin(4, -floor(log10(step))));
}

static enum hc_status draw_map(const struct hc_figure_sink *figures, const struct plane *plane,
                               size_t run, size_t column, struct hc_error *err)
{
    const struct hc_study_column *c = &plane->result->column[column];
    double *values = hc_new_array(plane->x->n * plane->y->n, sizeof *values, err), size = 0;
    const char *suffix;
    char title[HC_STUDY_TEXT * 2], name[HC_STUDY_TEXT], head[HC_STUDY_TEXT];
    if (!values)
        return err->status;
    for (size_t x = 0; x < plane->x->n; x++)
        for (size_t y = 0; y < plane->y->n; y++) {
            double value = value_of(plane, run, column, (size_t[]){x, y})->mean;
            values[x * plane->y->n + y] = value;
            size = isfinite(value) ? fmax(size, fabs(value)) : size;
        }
    struct hc_figure_matrix map = {
        .n_x = plane->x->n,
        .n_y = plane->y->n,
        .values = values,
        .x_name = plane->x->path,
        .y_name = plane->y->path,
        .x_labels = plane->x->label,
        .y_labels = plane->y->label,
        .is_whole_range = true,
        .is_reversed = c->is_gain,
    };
    scale_map(&map, values, map_factor(c, size, &suffix));
    bool has_unit = c->unit[0] && strcmp(c->unit, "share") != 0 && strcmp(c->unit, "money") != 0;
    snprintf(title, sizeof title, suffix[0] || has_unit ? "%s (%s%s%s)" : "%s",
             hc_study_html_head(c, head), suffix, suffix[0] && has_unit ? " of " : "",
             has_unit ? c->unit : "");
    map.value = c->title;
    map.unit = suffix[0] ? suffix : has_unit ? c->unit : "";
    snprintf(name, sizeof name, "map-%.60s%s%.60s", c->name, run > 0 ? "-" : "",
             run > 0 ? plane->result->run[run].name : "");
    const struct hc_figure figure = {
        .kind = HC_FIGURE_MATRIX, .name = name, .title = title, .matrix = map};
    enum hc_status status = hc_figure_put(figures, &figure, err);
    free(values);
    return status;
}

/* The columns that a run has maps of come first, in their order; returns how many. */
static size_t flat_last(const struct plane *plane, size_t run, size_t *columns, size_t n)
{
    size_t n_maps = 0;
    for (size_t i = 0; i < n; i++) {
        size_t column = columns[i];
        if (plane->result->order.is_flat[run * plane->result->n_columns + column])
            continue;
        for (size_t at = i; at > n_maps; at--)
            columns[at] = columns[at - 1];
        columns[n_maps++] = column;
    }
    return n_maps;
}

static void write_flat(FILE *stream, const struct plane *plane, const size_t *columns, size_t n)
{
    char text[HC_STUDY_TEXT * 4] = "";
    size_t used = 0;
    for (size_t i = 0; i < n && used + HC_STUDY_TEXT < sizeof text; i++)
        used += (size_t)snprintf(text + used, HC_STUDY_TEXT, "%s%.100s", i ? ", " : "",
                                 plane->result->column[columns[i]].title);
    if (n > 0)
        hc_html_paragraph(stream, "note", "The same at every point: %s.", text);
}

static enum hc_status draw_maps(FILE *stream, const struct hc_figure_sink *figures,
                                const struct plane *plane, size_t run, const size_t *columns,
                                size_t n, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    hc_html_grid_start(stream);
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = draw_map(figures, plane, run, columns[i], err);
    hc_html_grid_end(stream);
    return status;
}

/* ---- lines ---- */

static void line_axes(struct hc_figure *figure, const struct plane *plane, size_t column)
{
    double low = plane->x->number[0], high = plane->x->number[plane->x->n - 1], size = 0;
    figure->x = (struct hc_axis){
        .title = plane->x->path, .low = low, .high = high, .is_log = low > 0 && high / low >= 50};
    for (size_t x = 0; x < plane->x->n; x++)
        for (size_t y = 0; y < plane->y->n; y++)
            size = hc_study_html_size(value_of(plane, 0, column, (size_t[]){x, y}), size);
    figure->y = hc_study_html_axis(&plane->result->column[column], size);
    for (size_t x = 0; x < plane->x->n; x++)
        for (size_t y = 0; y < plane->y->n; y++)
            hc_axis_widen(&figure->y, &value_of(plane, 0, column, (size_t[]){x, y})->mean, 1);
    hc_axis_round(&figure->y, 6);
}

/* A line for each of some values of the second axis, first and last among them. */
static size_t line_value(const struct plane *plane, size_t n_lines, size_t line)
{
    return n_lines > 1 ? line * (plane->y->n - 1) / (n_lines - 1) : 0;
}

/* Lines with dots upon them: two series for each. */
static void fill_series(struct hc_figure_series *series, const struct plane *plane, size_t n_lines,
                        size_t column, double *means)
{
    size_t n = plane->x->n;
    for (size_t i = 0; i < n_lines; i++) {
        size_t y = line_value(plane, n_lines, i);
        for (size_t x = 0; x < n; x++)
            means[i * n + x] = value_of(plane, 0, column, (size_t[]){x, y})->mean;
        series[i] = (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                              .color = hc_series_color(i),
                                              .name = plane->y->label[y],
                                              .n = n,
                                              .x = plane->x->number,
                                              .y = means + i * n};
        series[n_lines + i] = series[i];
        series[n_lines + i].kind = HC_SERIES_POINTS;
        series[n_lines + i].name = NULL;
    }
}

static enum hc_status draw_lines(const struct hc_figure_sink *figures, const struct plane *plane,
                                 size_t column, struct hc_error *err)
{
    const struct hc_study_column *c = &plane->result->column[column];
    size_t n_lines = plane->y->n < HC_STUDY_N_LINES ? plane->y->n : HC_STUDY_N_LINES;
    struct hc_figure_series series[2 * HC_STUDY_N_LINES];
    char title[HC_STUDY_TEXT * 2], note[HC_STUDY_TEXT * 2], head[HC_STUDY_TEXT],
        name[HC_STUDY_TEXT];
    double *means = hc_new_array(plane->x->n * n_lines, sizeof *means, err);
    if (!means)
        return err->status;
    fill_series(series, plane, n_lines, column, means);
    snprintf(name, sizeof name, "lines-%.100s", c->name);
    snprintf(title, sizeof title, "%s as lines", hc_study_html_head(c, head));
    snprintf(note, sizeof note, "A line for %s of %.100s%s.",
             n_lines < plane->y->n ? "some values" : "each value", plane->y->path,
             n_lines < plane->y->n ? "; the map has the others" : "");
    struct hc_figure figure = {.kind = HC_FIGURE_CHART,
                               .name = name,
                               .title = title,
                               .note = note,
                               .n_series = plane->x->n <= 60 ? 2 * n_lines : n_lines,
                               .series = series};
    line_axes(&figure, plane, column);
    enum hc_status status = hc_figure_put(figures, &figure, err);
    free(means);
    return status;
}

/* ---- all of it ---- */

static enum hc_status draw_base(FILE *stream, const struct hc_figure_sink *figures,
                                const struct plane *plane, size_t *columns, size_t n_all,
                                struct hc_error *err)
{
    size_t n = flat_last(plane, 0, columns, n_all), first = n < MAX_MAPS ? n : MAX_MAPS;
    enum hc_status status = draw_maps(stream, figures, plane, 0, columns, first, err);
    if (status == HC_OK && plane->result->order.is_ascending && n > 0) {
        hc_html_grid_start(stream);
        for (size_t i = 0; i < n && i < MAX_LINES && status == HC_OK; i++)
            status = draw_lines(figures, plane, columns[i], err);
        hc_html_grid_end(stream);
    }
    if (status == HC_OK && n > first) {
        hc_html_details_start(stream, "More figures");
        status = draw_maps(stream, figures, plane, 0, columns + first, n - first, err);
        hc_html_details_end(stream);
    }
    write_flat(stream, plane, columns + n, n_all - n);
    return status;
}

static enum hc_status draw_variants(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct plane *plane, size_t *columns, size_t n_all,
                                    struct hc_error *err)
{
    const struct hc_study_result *result = plane->result;
    enum hc_status status = HC_OK;
    size_t shown = result->n_runs < MAX_VARIANTS + 1 ? result->n_runs : MAX_VARIANTS + 1;
    for (size_t r = 1; r < shown && status == HC_OK; r++) {
        char title[HC_STUDY_TEXT];
        size_t n = flat_last(plane, r, columns, n_all);
        snprintf(title, sizeof title, "Variant %.100s", result->run[r].name);
        hc_html_details_start(stream, title);
        status = draw_maps(stream, figures, plane, r, columns, n < MAX_MAPS ? n : MAX_MAPS, err);
        hc_study_html_remainder(stream, n, MAX_MAPS, "figures as maps");
        write_flat(stream, plane, columns + n, n_all - n);
        hc_html_details_end(stream);
    }
    if (status == HC_OK)
        hc_study_html_remainder(stream, result->n_runs, shown, "variants");
    return status;
}

enum hc_status hc_study_html_sweep_maps(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result, struct hc_error *err)
{
    const struct plane plane = {result, &result->axis[0], &result->axis[1]};
    size_t n = result->order.n_swept, *columns = hc_new_array(n, sizeof *columns, err);
    if (!columns)
        return err->status;
    memcpy(columns, result->order.swept, n * sizeof *columns);
    write_plane(stream, &plane);
    hc_html_paragraph(stream, NULL, "The more a cell stands out, the worse it is.");
    if (result->n_runs > 1)
        hc_html_paragraph(stream, NULL, "First the base; the variants are folded away below.");
    enum hc_status status = draw_base(stream, figures, &plane, columns, n, err);
    if (status == HC_OK)
        status = draw_variants(stream, figures, &plane, columns, n, err);
    free(columns);
    return status;
}
