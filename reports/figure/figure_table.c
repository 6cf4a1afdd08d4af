#include "reports/figure/figure_table.h"

#include "reports/figure/table_cells.h"
#include "reports/figure/table_maps.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <string.h>

/* Title and unit of an axis, without the power of ten that shortens its ticks. */
static const char *plain_title(const struct hc_axis *axis, const char *otherwise,
                               char text[HC_AXIS_TEXT])
{
    struct hc_axis plain = *axis;
    plain.power = NULL;
    return hc_axis_text(&plain, text) ? text : otherwise;
}

/* ---- charts ---- */

static const char *name_of(const struct hc_figure *figure, const struct hc_figure_series *series)
{
    return series->column    ? series->column
           : series->name    ? series->name
           : figure->y.title ? figure->y.title
                             : "value";
}

static bool share_points(const struct hc_figure_series *a, const struct hc_figure_series *b)
{
    return a->x == b->x && a->n == b->n;
}

/* Whether a series before this one shows the same numbers, as dots on a line do. */
static bool is_repeated(const struct hc_figure *figure, size_t at)
{
    const struct hc_figure_series *series = &figure->series[at];
    for (size_t i = 0; i < at; i++)
        if (share_points(&figure->series[i], series) && figure->series[i].y == series->y &&
            figure->series[i].high == series->high)
            return true;
    return false;
}

static bool is_in_table(const struct hc_figure *figure, size_t first, size_t at)
{
    return share_points(&figure->series[first], &figure->series[at]) && !is_repeated(figure, at);
}

static void head_of_series(FILE *stream, const struct hc_figure *figure,
                           const struct hc_figure_series *series)
{
    char name[256];
    const char *unit = figure->y.unit && figure->y.unit[0] ? figure->y.unit : NULL;
    bool is_band = series->kind == HC_SERIES_BAND;
    for (int end = 0; end <= (int)is_band; end++) {
        snprintf(name, sizeof name, "%.160s%s%s%.40s%s", name_of(figure, series),
                 !is_band ? ""
                 : end    ? ", upper"
                          : ", lower",
                 unit ? " (" : "", unit ? unit : "", unit ? ")" : "");
        hc_table_head(stream, name, true);
    }
}

static void values_at(FILE *stream, const struct hc_figure *figure,
                      const struct hc_figure_series *series, size_t at)
{
    struct hc_table_format format = hc_table_format(
        &figure->y, series->kind == HC_SERIES_BAND ? series->high : series->y, series->n);
    hc_table_value(stream, &format, series->y[at]);
    if (series->kind == HC_SERIES_BAND)
        hc_table_value(stream, &format, series->high[at]);
}

/* The series that share their points with the first: a row for each point. */
static void table_of_points(FILE *stream, const struct hc_figure *figure, size_t first)
{
    char title[HC_AXIS_TEXT], text[HC_NUMBER_TEXT];
    const struct hc_figure_series *one = &figure->series[first];
    struct hc_table_format format = hc_table_format(&figure->x, one->x, one->n);
    hc_table_start(stream, figure->title);
    hc_table_head(stream, plain_title(&figure->x, "x", title), false);
    for (size_t i = first; i < figure->n_series; i++)
        if (is_in_table(figure, first, i))
            head_of_series(stream, figure, &figure->series[i]);
    hc_table_body(stream);
    for (size_t at = 0; at < one->n; at++) {
        if (!isfinite(one->x[at]))
            continue;
        hc_table_row(stream, hc_table_number(&format, one->x[at], text));
        for (size_t i = first; i < figure->n_series; i++)
            if (is_in_table(figure, first, i))
                values_at(stream, figure, &figure->series[i], at);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

/* The first and the last point of a series that are known, and the extremes of it. */
struct course {
    size_t n, first, last;
    double least, most;
};

static struct course course_of(const struct hc_figure_series *series)
{
    struct course course = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < series->n; i++) {
        if (!isfinite(series->x[i]) || !isfinite(series->y[i]))
            continue;
        course.first = course.n == 0 ? i : course.first;
        course.last = i;
        course.n++;
        course.least = fmin(course.least, series->y[i]);
        course.most =
            fmax(course.most, series->kind == HC_SERIES_BAND ? series->high[i] : series->y[i]);
    }
    return course;
}

static void row_of_course(FILE *stream, const struct hc_figure *figure,
                          const struct hc_figure_series *series)
{
    char text[HC_NUMBER_TEXT];
    struct course course = course_of(series);
    if (course.n == 0)
        return;
    struct hc_table_format x = hc_table_format(&figure->x, series->x, series->n);
    struct hc_table_format y = hc_table_format(&figure->y, series->y, series->n);
    hc_table_row(stream, name_of(figure, series));
    hc_table_cell(stream, hc_format_count((int64_t)course.n, text));
    hc_table_value(stream, &x, series->x[course.first]);
    hc_table_value(stream, &x, series->x[course.last]);
    hc_table_value(stream, &y, series->y[course.first]);
    hc_table_value(stream, &y, series->y[course.last]);
    hc_table_value(stream, &y, course.least);
    hc_table_value(stream, &y, course.most);
    hc_table_row_end(stream);
}

/* A row for each series, where there are too many points. */
static void table_of_courses(FILE *stream, const struct hc_figure *figure)
{
    static const char *const heads[] = {"points", "from", "to", "first", "last", "least", "most"};
    char caption[3 * HC_AXIS_TEXT], x[HC_AXIS_TEXT], y[HC_AXIS_TEXT];
    snprintf(caption, sizeof caption, "From and to: %s. First to most: %s.",
             plain_title(&figure->x, "x", x), plain_title(&figure->y, "the value", y));
    hc_table_start(stream, caption);
    hc_table_head(stream, "series", false);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        hc_table_head(stream, heads[i], true);
    hc_table_body(stream);
    for (size_t i = 0; i < figure->n_series; i++)
        if (!is_repeated(figure, i))
            row_of_course(stream, figure, &figure->series[i]);
    hc_table_end(stream);
}

static bool is_first_of_table(const struct hc_figure *figure, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (share_points(&figure->series[i], &figure->series[at]))
            return false;
    return true;
}

static void write_chart(FILE *stream, const struct hc_figure *figure)
{
    size_t n = 0;
    for (size_t i = 0; i < figure->n_series; i++)
        n += is_first_of_table(figure, i) ? figure->series[i].n : 0;
    if (n > HC_MOST_TABLE_ROWS) {
        table_of_courses(stream, figure);
        return;
    }
    for (size_t i = 0; i < figure->n_series; i++)
        if (is_first_of_table(figure, i))
            table_of_points(stream, figure, i);
}

/* ---- rows ---- */

static void write_rows(FILE *stream, const struct hc_figure *figure)
{
    char title[HC_AXIS_TEXT];
    hc_table_start(stream, figure->title);
    hc_table_head(stream, "row", false);
    hc_table_head(stream, plain_title(&figure->x, "value", title), true);
    if (figure->kind == HC_FIGURE_RANGES) {
        hc_table_head(stream, "from", true);
        hc_table_head(stream, "to", true);
    }
    hc_table_body(stream);
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_row *row = &figure->rows[i];
        const double ends[] = {row->low, row->high};
        struct hc_table_format format = hc_table_format(&figure->x, ends, 2);
        hc_table_row(stream, row->name);
        hc_table_cell(stream, row->text);
        for (size_t end = 0; end < 2 && figure->kind == HC_FIGURE_RANGES; end++)
            hc_table_value(stream, &format, ends[end]);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

static void write_keys(FILE *stream, const struct hc_figure *figure)
{
    char title[HC_AXIS_TEXT];
    const char *value = plain_title(&figure->x, "value", title);
    hc_table_start(stream, figure->title);
    hc_table_head(stream, "key", false);
    for (int end = 0; end < 2; end++) {
        hc_table_head(stream, end ? "high" : "low", true);
        hc_table_head(stream, value, true);
    }
    hc_table_body(stream);
    for (size_t i = 0; i < figure->n_rows; i++) {
        const struct hc_figure_key *key = &figure->keys[i];
        struct hc_table_format format =
            hc_table_format(&figure->x, (const double[]){key->at_low, key->at_high}, 2);
        hc_table_row(stream, key->name);
        hc_table_cell(stream, key->low_text);
        hc_table_value(stream, &format, key->at_low);
        hc_table_cell(stream, key->high_text);
        hc_table_value(stream, &format, key->at_high);
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

/* ---- parts ---- */

static bool is_used(const struct hc_figure *figure, size_t part)
{
    for (size_t row = 0; row < figure->n_rows; row++)
        if (figure->part_values[row * figure->n_parts + part] > 0)
            return true;
    return false;
}

static void write_stack(FILE *stream, const struct hc_figure *figure)
{
    char head[256];
    const char *unit = figure->x.unit && figure->x.unit[0] ? figure->x.unit : NULL;
    struct hc_table_format format = hc_table_format(
        &(struct hc_axis){.low = 0}, figure->part_values, figure->n_rows * figure->n_parts);
    hc_table_start(stream, figure->title);
    hc_table_head(stream, unit ? unit : "part", false);
    for (size_t row = 0; row < figure->n_rows; row++)
        hc_table_head(stream, figure->row_names ? figure->row_names[row] : "value", true);
    hc_table_body(stream);
    for (size_t part = 0; part < figure->n_parts; part++) {
        if (!is_used(figure, part))
            continue;
        snprintf(head, sizeof head, "%.250s", figure->parts[part].name);
        hc_table_row(stream, head);
        for (size_t row = 0; row < figure->n_rows; row++) {
            double value = figure->part_values[row * figure->n_parts + part];
            hc_table_value(stream, &format, value > 0 ? value : 0);
        }
        hc_table_row_end(stream);
    }
    hc_table_end(stream);
}

static double time_of(const struct hc_figure *figure, size_t lane, size_t part, size_t *n_bars)
{
    double sum = 0;
    *n_bars = 0;
    for (size_t i = 0; i < figure->n_bars; i++)
        if (figure->bars[i].lane == lane && figure->bars[i].part == part) {
            sum += figure->bars[i].end - figure->bars[i].start;
            (*n_bars)++;
        }
    return sum;
}

/* The bars of each lane by their kind: how many, and how long together. */
static void write_gantt(FILE *stream, const struct hc_figure *figure)
{
    char text[HC_NUMBER_TEXT], length[64];
    const char *unit = figure->x.unit && figure->x.unit[0] ? figure->x.unit : "";
    struct hc_table_format format = hc_table_format(
        &(struct hc_axis){.low = 0}, (const double[]){figure->x.high - figure->x.low, 0.5}, 2);
    snprintf(length, sizeof length, unit[0] ? "together (%.40s)" : "together", unit);
    hc_table_start(stream, figure->title);
    hc_table_head(stream, "lane", false);
    hc_table_head(stream, "what", false);
    hc_table_head(stream, "bars", true);
    hc_table_head(stream, length, true);
    hc_table_body(stream);
    for (size_t lane = 0; lane < figure->n_rows; lane++)
        for (size_t part = 0, n; part < figure->n_parts; part++) {
            double time = time_of(figure, lane, part, &n);
            if (n == 0)
                continue;
            hc_table_row(stream, figure->row_names ? figure->row_names[lane] : "");
            fputs("<td>", stream);
            hc_html_text(stream, figure->parts[part].name);
            fputs("</td>", stream);
            hc_table_cell(stream, hc_format_count((int64_t)n, text));
            hc_table_value(stream, &format, time);
            hc_table_row_end(stream);
        }
    hc_table_end(stream);
}

/* ---- all of it ---- */

void hc_figure_write_table(FILE *stream, const struct hc_figure *figure)
{
    hc_html_details_start(stream, "The numbers of this chart");
    switch (figure->kind) {
    case HC_FIGURE_CHART:
        write_chart(stream, figure);
        break;
    case HC_FIGURE_BARS:
    case HC_FIGURE_RANGES:
        write_rows(stream, figure);
        break;
    case HC_FIGURE_TORNADO:
        write_keys(stream, figure);
        break;
    case HC_FIGURE_STACK:
        write_stack(stream, figure);
        break;
    case HC_FIGURE_GANTT:
        write_gantt(stream, figure);
        break;
    case HC_FIGURE_MATRIX:
        hc_table_of_matrix(stream, figure);
        break;
    case HC_FIGURE_MAPS:
        hc_table_of_maps(stream, figure);
        break;
    }
    hc_html_details_end(stream);
}
