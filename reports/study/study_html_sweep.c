/* The sweep: curves over one axis, the points as a table; maps are in study_html_maps.c. */
#include "reports/page/section_html.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_winner.h"

#include "core/base/memory.h"

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

static struct hc_axis x_axis(const struct hc_study_axis *axis)
{
    double low = axis->number[0], high = axis->number[axis->n - 1];
    return (struct hc_axis){
        .title = axis->path, .low = low, .high = high, .is_log = low > 0 && high / low >= 50};
}

typedef char dot_text[HC_STUDY_TEXT * 3];

/* One run along the axis. */
struct line {
    double *means, *lows, *highs;
    const char **texts; /* of dots; NULL where there are too many points */
    dot_text *lines;
};

struct lines {
    double *xs;
    size_t n; /* points of each */
    struct line line[HC_STUDY_N_LINES];
};

static void lines_fini(struct lines *lines)
{
    for (size_t r = 0; r < HC_STUDY_N_LINES; r++) {
        free(lines->line[r].means);
        free(lines->line[r].texts);
        free(lines->line[r].lines);
    }
    free(lines->xs);
}

static enum hc_status name_dots(struct line *line, const struct hc_study_result *result, size_t run,
                                size_t column, struct hc_error *err)
{
    char value[HC_STUDY_TEXT];
    size_t n = result->n_points;
    line->lines = hc_new_array(n, sizeof *line->lines, err);
    line->texts = line->lines ? hc_new_array(n, sizeof *line->texts, err) : NULL;
    if (!line->texts)
        return err->status;
    for (size_t p = 0; p < n; p++) {
        const struct hc_study_value *v = &cell_of(result, run, p)->value[column];
        snprintf(line->lines[p], sizeof line->lines[p], "%.80s, %.80s: %s", result->run[run].name,
                 result->axis[0].label[p],
                 hc_study_html_value(v, result->column[column].unit, value));
        line->texts[p] = line->lines[p];
    }
    return HC_OK;
}

/* Values of a run at every stride-th point. */
static enum hc_status fill_line(struct lines *lines, const struct hc_study_result *result,
                                size_t run, size_t column, struct hc_error *err)
{
    struct line *line = &lines->line[run];
    size_t n = result->n_points, stride = (n + MAX_POINTS - 1) / MAX_POINTS;
    line->means = hc_new_array(n, 3 * sizeof *line->means, err);
    if (!line->means)
        return err->status;
    line->lows = line->means + n;
    line->highs = line->means + 2 * n;
    lines->n = 0;
    for (size_t p = 0; p < n; p++) {
        if (p % stride != 0 && p + 1 != n)
            continue;
        const struct hc_study_value *value = &cell_of(result, run, p)->value[column];
        lines->xs[lines->n] = result->axis[0].number[p];
        line->means[lines->n] = value->mean;
        line->lows[lines->n] = value->low;
        line->highs[lines->n] = value->high;
        lines->n++;
    }
    return n <= MAX_DOTS ? name_dots(line, result, run, column, err) : HC_OK;
}

/* The largest of the values of some runs. */
static double size_of(const struct hc_study_result *result, size_t column, size_t n_runs)
{
    double size = 0;
    for (size_t i = 0; i < n_runs * result->n_points; i++)
        size = hc_study_html_size(&result->cell[i].value[column], size);
    return size;
}

#define LAYERS 3 /* of a run: band, line, dots */

static size_t fill_series(struct hc_figure_series *series, const struct lines *lines,
                          const struct hc_study_result *result, size_t n_runs)
{
    size_t n = 0;
    for (size_t r = 0; r < n_runs; r++) {
        const struct line *line = &lines->line[r];
        const struct hc_figure_series of = {.color = hc_series_color(r),
                                            .column = result->run[r].name,
                                            .n = lines->n,
                                            .x = lines->xs,
                                            .y = line->means};
        struct hc_figure_series *band = &series[n++], *middle = &series[n++];
        *band = *middle = of;
        band->kind = HC_SERIES_BAND;
        band->y = line->lows;
        band->high = line->highs;
        /* Many bands on one another are no darker than few. */
        band->strength = n_runs > 2 ? HC_PALE : HC_PLAIN;
        middle->kind = HC_SERIES_LINE;
        middle->name = n_runs > 1 ? result->run[r].name : NULL;
        if (!line->texts)
            continue;
        series[n] = of;
        series[n].kind = HC_SERIES_POINTS;
        series[n++].texts = line->texts;
    }
    return n;
}

static enum hc_status put_curve(const struct hc_figure_sink *figures,
                                const struct hc_study_result *result, const struct lines *lines,
                                size_t column, struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    size_t n_runs = result->n_runs < HC_STUDY_N_LINES ? result->n_runs : HC_STUDY_N_LINES;
    struct hc_figure_series series[HC_STUDY_N_LINES * LAYERS];
    char head[HC_STUDY_TEXT], name[HC_STUDY_TEXT];
    snprintf(name, sizeof name, "sweep-%.100s", c->name);
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = name,
        .title = hc_study_html_head(c, head),
        .says = c->title,
        .x = x_axis(&result->axis[0]),
        .y = hc_study_html_axis(c, size_of(result, column, n_runs)),
        .n_series = fill_series(series, lines, result, n_runs),
        .series = series,
    };
    for (size_t r = 0; r < n_runs; r++) {
        hc_axis_widen(&figure.y, lines->line[r].means, lines->n);
        hc_axis_widen(&figure.y, lines->line[r].lows, lines->n);
        hc_axis_widen(&figure.y, lines->line[r].highs, lines->n);
    }
    hc_axis_round(&figure.y, 6);
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status draw_curve(const struct hc_figure_sink *figures,
                                 const struct hc_study_result *result, size_t column,
                                 struct hc_error *err)
{
    struct lines lines = {.xs = hc_new_array(result->n_points, sizeof *lines.xs, err)};
    enum hc_status status = lines.xs ? HC_OK : err->status;
    for (size_t r = 0; r < result->n_runs && r < HC_STUDY_N_LINES && status == HC_OK; r++)
        status = fill_line(&lines, result, r, column, err);
    if (status == HC_OK)
        status = put_curve(figures, result, &lines, column, err);
    lines_fini(&lines);
    return status;
}

/* Values that are no ascending numbers: a row each, of the base. */
static enum hc_status draw_rows(const struct hc_figure_sink *figures,
                                const struct hc_study_result *result, size_t column,
                                struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    size_t n = result->n_points < MAX_ROWS ? result->n_points : MAX_ROWS;
    struct hc_figure_row ranges[MAX_ROWS];
    char text[MAX_ROWS][HC_STUDY_TEXT], name[HC_STUDY_TEXT], note[HC_STUDY_TEXT],
        head[HC_STUDY_TEXT];
    for (size_t p = 0; p < n; p++) {
        const struct hc_study_value *v = &cell_of(result, 0, p)->value[column];
        hc_study_html_number(v->mean, c->unit, hc_study_html_half_width(v), text[p]);
        ranges[p] = (struct hc_figure_row){.name = result->axis[0].label[p],
                                           .text = text[p],
                                           .value = v->mean,
                                           .low = v->low,
                                           .high = v->high,
                                           .color = HC_BLUE};
    }
    snprintf(name, sizeof name, "sweep-%.100s", c->name);
    snprintf(note, sizeof note, "The base, %zu of %zu values.", n, result->n_points);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_RANGES,
        .name = name,
        .title = hc_study_html_head(c, head),
        .says = c->title,
        .note = n < result->n_points ? note
                : result->n_runs > 1 ? "The base."
                                     : NULL,
        .x = hc_study_html_axis(c, size_of(result, column, 1)),
        .n_rows = n,
        .rows = ranges,
    };
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status draw_one_axis(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct hc_study_result *result, const size_t *columns,
                                    size_t n, struct hc_error *err)
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
        status = has_lines ? draw_curve(figures, result, columns[i], err)
                           : draw_rows(figures, result, columns[i], err);
    }
    if (n > 0)
        hc_html_grid_end(stream);
    if (n > MAX_CHARTS && status == HC_OK)
        hc_html_details_end(stream);
    if (has_lines)
        hc_html_paragraph(stream, "note", "Bands are the intervals of the means.");
    if (has_lines && result->n_runs > HC_STUDY_N_LINES)
        hc_study_html_remainder(stream, result->n_runs, HC_STUDY_N_LINES, "variants");
    return status;
}

/* ---- tables ---- */

/* Some cells of the sweep. */
struct choice {
    const size_t *cells;
    size_t n;
    const char *caption; /* NULL: none */
};

static enum hc_status write_cells(FILE *stream, const struct hc_study_result *result,
                                  const struct choice *choice, struct hc_error *err)
{
    struct hc_study_listing table;
    size_t n = choice->n;
    hc_study_points_table(&table, result, choice->cells, n);
    table.section.caption = choice->caption;
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, result->n_runs * result->n_points, n, "points");
    hc_study_html_remainder(stream, result->order.n_swept, hc_study_points_figures(result),
                            "figures");
    return status;
}

static enum hc_status write_points(FILE *stream, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    size_t cells[MAX_LISTED], n = 0;
    for (; n < result->n_runs * result->n_points && n < MAX_LISTED; n++)
        cells[n] = n;
    hc_html_details_start(stream, "The points as a table");
    enum hc_status status = write_cells(stream, result, &(struct choice){cells, n, NULL}, err);
    hc_html_details_end(stream);
    return status;
}

/* The best by the first figure, which is ETTR where that is reported. */
static enum hc_status write_best(FILE *stream, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    const struct hc_study_order *order = &result->order;
    const struct hc_study_column *first = &result->column[order->swept[0]];
    char caption[HC_STUDY_TEXT * 2];
    snprintf(caption, sizeof caption, "The %zu points of %s %s", order->n_best_cells,
             first->is_gain ? "highest" : "least", first->title);
    const struct choice best = {order->best_cell, order->n_best_cells, caption};
    return write_cells(stream, result, &best, err);
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

static enum hc_status draw_sweep(FILE *stream, const struct hc_figure_sink *figures,
                                 const struct hc_study_result *result, const size_t *columns,
                                 size_t n, struct hc_error *err)
{
    if (n == 0) {
        hc_html_paragraph(stream, NULL, "None of the figures that are reported changes in it.");
        return HC_OK;
    }
    if (result->n_axes == 1) {
        if (draw_one_axis(stream, figures, result, columns, n, err))
            return err->status;
    } else if (result->n_axes > 2 && write_best(stream, result, err)) {
        return err->status;
    }
    if (result->n_axes > 1 && hc_study_html_sweep_maps(stream, figures, result, err))
        return err->status;
    return write_points(stream, result, err);
}

enum hc_status hc_study_html_sweep(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    if (result->n_points == 0)
        return HC_OK;
    hc_html_section_start(stream, "sweep", "Sweep");
    write_axes(stream, result);
    char best[HC_WINNER_WORDS];
    if (*hc_study_best_again(result, best))
        hc_html_paragraph(stream, NULL, "%s", best);
    enum hc_status status =
        draw_sweep(stream, figures, result, result->order.swept, result->order.n_swept, err);
    hc_html_section_end(stream);
    return status;
}
