/* The sweep: curves over one axis, the points as a table; maps are in study_html_maps.c. */
#include "reports/page/section_html.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"

#include "core/base/memory.h"
#include "reports/figure/svg_ranges.h"

#include <math.h>
#include <stdlib.h>

#define MAX_CHARTS 6   /* beside each other; the others are folded away */
#define MAX_POINTS 500 /* of a line */
#define MAX_DOTS   60
#define MAX_ROWS   24 /* of a chart with a row a value */
#define MAX_LISTED 200

static const struct hc_study_cell *cell_of(const struct hc_study_result *result, size_t run,
                                           size_t point)
{
    return &result->cell[run * result->n_points + point];
}

/* ---- one axis ---- */

static struct hc_axis x_axis(const struct hc_study_axis *axis, char title[HC_STUDY_TEXT])
{
    double low = axis->number[0], high = axis->number[axis->n - 1];
    bool is_log = low > 0 && high / low >= 50;
    char path[128];
    snprintf(title, HC_STUDY_TEXT, "%.120s%s", hc_svg_fit(path, sizeof path, axis->path, 380),
             is_log ? " (log scale)" : "");
    return (struct hc_axis){.title = title, .low = low, .high = high, .is_log = is_log};
}

/* One run along the axis. */
struct line {
    double *xs, *means, *lows, *highs;
    size_t n;
};

static enum hc_status make_line(struct line *line, const struct hc_study_result *result,
                                struct hc_error *err)
{
    size_t n = result->n_points;
    line->xs = hc_new_array(n, 4 * sizeof *line->xs, err);
    if (!line->xs)
        return err->status;
    line->means = line->xs + n;
    line->lows = line->xs + 2 * n;
    line->highs = line->xs + 3 * n;
    return HC_OK;
}

static void fill_line(struct line *line, const struct hc_study_result *result, size_t run,
                      size_t column)
{
    size_t stride = (result->n_points + MAX_POINTS - 1) / MAX_POINTS;
    line->n = 0;
    for (size_t p = 0; p < result->n_points; p++) {
        if (p % stride != 0 && p + 1 != result->n_points)
            continue;
        const struct hc_study_value *value = &cell_of(result, run, p)->value[column];
        line->xs[line->n] = result->axis[0].number[p];
        line->means[line->n] = value->mean;
        line->lows[line->n] = value->low;
        line->highs[line->n] = value->high;
        line->n++;
    }
}

static void widen(struct hc_axis *axis, double value)
{
    if (isfinite(value)) {
        axis->low = fmin(axis->low, value);
        axis->high = fmax(axis->high, value);
    }
}

/* The largest of the values of some runs. */
static double size_of(const struct hc_study_result *result, size_t column, size_t n_runs)
{
    double size = 0;
    for (size_t i = 0; i < n_runs * result->n_points; i++)
        size = hc_study_html_size(&result->cell[i].value[column], size);
    return size;
}

static void draw_lines(struct hc_svg_chart *chart, const struct hc_study_result *result,
                       struct line *line, size_t column, size_t n_runs)
{
    char title[HC_STUDY_TEXT * 3], value[HC_STUDY_TEXT];
    for (size_t r = 0; r < n_runs; r++) {
        const char *class = hc_study_html_class(r);
        fill_line(line, result, r, column);
        char band[16];
        /* Many bands on one another are no darker than few. */
        snprintf(band, sizeof band, n_runs > 2 ? "pale %s" : "%s", class);
        hc_svg_chart_band(chart, band, line->xs, line->lows, line->highs, line->n);
        hc_svg_chart_line(chart, class, line->xs, line->means, line->n);
        for (size_t p = 0; p < result->n_points && result->n_points <= MAX_DOTS; p++) {
            const struct hc_study_value *v = &cell_of(result, r, p)->value[column];
            snprintf(title, sizeof title, "%.80s, %.80s: %s", result->run[r].name,
                     result->axis[0].label[p],
                     hc_study_html_value(v, result->column[column].unit, value));
            hc_svg_chart_dot(chart, class, result->axis[0].number[p], v->mean, title);
        }
    }
}

static enum hc_status draw_curve(FILE *stream, const struct hc_study_result *result, size_t column,
                                 struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    size_t n_runs = result->n_runs < HC_STUDY_N_COLORS ? result->n_runs : HC_STUDY_N_COLORS;
    struct line line = {.n = 0};
    char x_title[HC_STUDY_TEXT], y_title[HC_STUDY_TEXT], head[HC_STUDY_TEXT];
    const char *names[HC_STUDY_N_COLORS], *classes[HC_STUDY_N_COLORS];
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    if (make_line(&line, result, err))
        return err->status;
    chart.x = x_axis(&result->axis[0], x_title);
    chart.y = hc_study_html_axis(c, size_of(result, column, n_runs), y_title);
    for (size_t r = 0; r < n_runs; r++) {
        names[r] = result->run[r].name;
        classes[r] = hc_study_html_class(r);
        for (size_t p = 0; p < result->n_points; p++) {
            const struct hc_study_value *v = &cell_of(result, r, p)->value[column];
            widen(&chart.y, v->mean);
            widen(&chart.y, v->low);
            widen(&chart.y, v->high);
        }
    }
    hc_axis_round(&chart.y, 6);
    hc_html_figure_start(stream, hc_study_html_head(c, head), false);
    if (n_runs > 1)
        hc_study_html_legend(stream, HC_SVG_WIDTH, names, classes, n_runs);
    hc_svg_chart_start(&chart, stream, c->title);
    draw_lines(&chart, result, &line, column, n_runs);
    hc_svg_chart_end(&chart);
    hc_html_figure_end(stream, NULL);
    free(line.xs);
    return HC_OK;
}

/* Values that are no ascending numbers: a row each, of the base. */
static enum hc_status draw_rows(FILE *stream, const struct hc_study_result *result, size_t column,
                                struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    size_t n = result->n_points < MAX_ROWS ? result->n_points : MAX_ROWS;
    struct hc_svg_range ranges[MAX_ROWS];
    char text[MAX_ROWS][HC_STUDY_TEXT], title[HC_STUDY_TEXT], note[HC_STUDY_TEXT],
        head[HC_STUDY_TEXT];
    (void)err;
    for (size_t p = 0; p < n; p++) {
        const struct hc_study_value *v = &cell_of(result, 0, p)->value[column];
        hc_study_html_number(v->mean, c->unit, hc_study_html_half_width(v), text[p]);
        ranges[p] = (struct hc_svg_range){.name = result->axis[0].label[p],
                                          .text = text[p],
                                          .value = v->mean,
                                          .low = v->low,
                                          .high = v->high,
                                          .class = "s1"};
    }
    const struct hc_axis axis = hc_study_html_axis(c, size_of(result, column, 1), title);
    hc_html_figure_start(stream, hc_study_html_head(c, head), false);
    hc_svg_ranges(stream, c->title, &axis, NAN, ranges, n);
    snprintf(note, sizeof note, "The base, %zu of %zu values.", n, result->n_points);
    hc_html_figure_end(stream, n < result->n_points ? note
                               : result->n_runs > 1 ? "The base."
                                                    : NULL);
    return HC_OK;
}

static enum hc_status draw_one_axis(FILE *stream, const struct hc_study_result *result,
                                    const size_t *columns, size_t n, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    bool has_lines = result->order.is_ascending;
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        if (i == MAX_CHARTS) {
            hc_html_grid_end(stream);
            hc_html_details_start(stream, "More figures");
        }
        if (i == 0 || i == MAX_CHARTS)
            hc_html_grid_start(stream);
        status = has_lines ? draw_curve(stream, result, columns[i], err)
                           : draw_rows(stream, result, columns[i], err);
    }
    if (n > 0)
        hc_html_grid_end(stream);
    if (n > MAX_CHARTS && status == HC_OK)
        hc_html_details_end(stream);
    if (has_lines)
        hc_html_paragraph(stream, "note", "Bands are the intervals of the means.");
    if (has_lines && result->n_runs > HC_STUDY_N_COLORS)
        hc_study_html_left_out(stream, result->n_runs, HC_STUDY_N_COLORS, "variants");
    return status;
}

/* ---- tables ---- */

static void write_cells(FILE *stream, const struct hc_study_result *result, const size_t *cells,
                        size_t n, const char *caption)
{
    struct hc_study_listing table;
    hc_study_points_table(&table, result, cells, n);
    table.section.caption = caption;
    hc_section_write_html(stream, &table.section);
    hc_section_fini(&table.section);
    hc_study_html_left_out(stream, result->n_runs * result->n_points, n, "points");
    hc_study_html_left_out(stream, result->order.n_swept, hc_study_points_figures(result),
                           "figures");
}

static void write_points(FILE *stream, const struct hc_study_result *result)
{
    size_t cells[MAX_LISTED], n = 0;
    for (; n < result->n_runs * result->n_points && n < MAX_LISTED; n++)
        cells[n] = n;
    hc_html_details_start(stream, "The points as a table");
    write_cells(stream, result, cells, n, NULL);
    hc_html_details_end(stream);
}

/* The best by the first figure, which is ETTR where that is reported. */
static void write_best(FILE *stream, const struct hc_study_result *result)
{
    const struct hc_study_order *order = &result->order;
    const struct hc_study_column *first = &result->column[order->swept[0]];
    char caption[HC_STUDY_TEXT * 2];
    snprintf(caption, sizeof caption, "The %zu points of %s %s", order->n_best_cells,
             first->is_gain ? "highest" : "least", first->title);
    write_cells(stream, result, order->best_cell, order->n_best_cells, caption);
}

/* ---- the section ---- */

static void write_axes(FILE *stream, const struct hc_study_result *result)
{
    char points[HC_NUMBER_TEXT];
    hc_html_paragraph(
        stream, NULL, "%s point%s%s:", hc_format_count((int64_t)result->n_points, points),
        result->n_points == 1 ? "" : "s", result->n_runs > 1 ? " of each variant" : "");
    hc_html_facts_start(stream);
    for (size_t a = 0; a < result->n_axes; a++) {
        const struct hc_study_axis *axis = &result->axis[a];
        if (axis->n == 0)
            continue;
        hc_html_fact(stream, axis->path, "%zu value%s: %s%s%s%s%s", axis->n,
                     axis->n == 1 ? "" : "s", axis->label[0],
                     axis->n > 2   ? ", ..., "
                     : axis->n > 1 ? ", "
                                   : "",
                     axis->n > 1 ? axis->label[axis->n - 1] : "", axis->unit[0] ? " " : "",
                     axis->unit);
    }
    hc_html_facts_end(stream);
}

static enum hc_status draw_sweep(FILE *stream, const struct hc_study_result *result,
                                 const size_t *columns, size_t n, struct hc_error *err)
{
    if (n == 0) {
        hc_html_paragraph(stream, NULL, "None of the figures that are reported changes in it.");
        return HC_OK;
    }
    if (result->n_axes == 1) {
        if (draw_one_axis(stream, result, columns, n, err))
            return err->status;
    } else if (result->n_axes > 2) {
        write_best(stream, result);
    }
    if (result->n_axes > 1 && hc_study_html_sweep_maps(stream, result, err))
        return err->status;
    write_points(stream, result);
    return HC_OK;
}

enum hc_status hc_study_html_sweep(FILE *stream, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    if (result->n_points == 0)
        return HC_OK;
    hc_html_section_start(stream, "sweep", "Sweep");
    write_axes(stream, result);
    enum hc_status status =
        draw_sweep(stream, result, result->order.swept, result->order.n_swept, err);
    hc_html_section_end(stream);
    return status;
}
