#include "reports/figure/svg_series.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"

#include <math.h>
#include <stdlib.h>

#define CHARACTER    7.2 /* of 12 unit text */
#define LEGEND_LINE  18
#define LINE_SAMPLE  20 /* by which the sample of a line is longer than that of an area */
#define CLASS_SIZE   48
#define LABEL_HEIGHT 17 /* of the text of a mark */
#define MAX_NAMES    16

/* ---- classes ---- */

static const char *class_of(const struct hc_figure_series *series, char text[CLASS_SIZE])
{
    static const char *const strengths[] = {
        [HC_PLAIN] = "", [HC_PALE] = "pale ", [HC_DEEP] = "deep "};
    snprintf(text, CLASS_SIZE, "%s%s", strengths[series->strength], hc_color_class(series->color));
    return text;
}

/* ---- the legend ---- */

struct legend {
    const char *names[MAX_NAMES];
    char fitted[MAX_NAMES][128];
    const struct hc_figure_series *series[MAX_NAMES];
    size_t n;
};

static bool is_line(const struct hc_figure_series *series)
{
    return series->kind == HC_SERIES_LINE || series->kind == HC_SERIES_STEPS;
}

static double entry_width(const struct legend *legend, size_t i)
{
    return hc_svg_legend_width(legend->names[i]) + (is_line(legend->series[i]) ? LINE_SAMPLE : 0);
}

static void line_sample(FILE *stream, const char *class, const double at[2])
{
    fprintf(stream, "<path class=\"line %s\" d=\"M", class);
    hc_svg_number(stream, at[0]);
    fputc(' ', stream);
    hc_svg_number(stream, at[1] - 4);
    fprintf(stream, "h%d\"/>", 10 + LINE_SAMPLE);
}

static void dot_sample(FILE *stream, const char *class, const double at[2])
{
    fprintf(stream, "<circle class=\"dot %s\" r=\"3\" cx=\"", class);
    hc_svg_number(stream, at[0] + 5);
    fputs("\" cy=\"", stream);
    hc_svg_number(stream, at[1] - 4);
    fputs("\"/>", stream);
}

/* A sample as the series is drawn, and its name: in grey, lines are told apart by their dashes. */
static void draw_entry(FILE *stream, const struct legend *legend, size_t i, const double at[2])
{
    const struct hc_figure_series *series = legend->series[i];
    char class[CLASS_SIZE], band[CLASS_SIZE + 8];
    const char *area = band;
    class_of(series, class);
    if (!is_line(series) && series->kind != HC_SERIES_POINTS) {
        snprintf(band, sizeof band, "%s%s", series->kind == HC_SERIES_BAND ? "band " : "", class);
        hc_svg_legend(stream, at[0], at[1], &legend->names[i], &area, 1);
        return;
    }
    if (is_line(series))
        line_sample(stream, class, at);
    else
        dot_sample(stream, class, at);
    hc_svg_text(stream, at[0] + 15 + (is_line(series) ? LINE_SAMPLE : 0), at[1], 's', NULL,
                legend->names[i]);
}

static void find_names(struct legend *legend, const struct hc_figure *figure)
{
    legend->n = 0;
    for (size_t i = 0; i < figure->n_series && legend->n < MAX_NAMES; i++) {
        const struct hc_figure_series *series = &figure->series[i];
        if (!series->name)
            continue;
        size_t at = legend->n++;
        legend->names[at] = hc_svg_fit(legend->fitted[at], sizeof legend->fitted[0], series->name,
                                       (figure->is_wide ? HC_SVG_WIDE_WIDTH : HC_SVG_WIDTH) - 60);
        legend->series[at] = series;
    }
}

/* The names in lines from (x, y) on, no further right than right. Returns the height of all lines;
 * stream NULL: draws nothing. */
static double legend_lines(FILE *stream, const struct legend *legend, const double at[2],
                           double right)
{
    double x = at[0], y = at[1];
    for (size_t i = 0; i < legend->n; i++) {
        if (x > at[0] && x + entry_width(legend, i) > right) {
            x = at[0];
            y += LEGEND_LINE;
        }
        if (stream)
            draw_entry(stream, legend, i, (double[]){x, y});
        x += entry_width(legend, i);
    }
    return y + LEGEND_LINE - at[1];
}

/* Beside the title of y where they fit on its line, which takes no height; else below it. */
static double legend_height(const struct legend *legend, const struct hc_figure *figure,
                            double width, double *x)
{
    char title[HC_AXIS_TEXT] = "";
    double all = 0;
    for (size_t i = 0; i < legend->n; i++)
        all += entry_width(legend, i);
    hc_axis_text(&figure->y, title);
    *x = CHARACTER * (double)hc_text_columns(title) + 28;
    if (legend->n == 0 || (title[0] && *x + all <= width))
        return 0;
    *x = 4;
    return legend_lines(NULL, legend, (double[]){*x, 0}, width);
}

/* ---- columns ---- */

static double number_or_0(double value)
{
    return isfinite(value) && value > 0 ? value : 0;
}

static void draw_columns(struct hc_svg_chart *chart, const struct hc_figure *figure,
                         const struct hc_figure_series *series, double *sums)
{
    bool is_open = false;
    for (size_t i = 0; i < series->n; i++) {
        double value = number_or_0(series->y[i]), half = figure->column_width / 2;
        double left = hc_svg_chart_x(chart, series->x[i] - half);
        double width = fmax(0.4, hc_svg_chart_x(chart, series->x[i] + half) - left - 0.8);
        double top = hc_svg_chart_y(chart, sums[i] + value);
        double height = hc_svg_chart_y(chart, sums[i]) - top;
        sums[i] += value;
        if (!(height > 0.05))
            continue;
        if (!is_open)
            fprintf(chart->stream, "<path class=\"fill %s\" d=\"", hc_color_class(series->color));
        is_open = true;
        hc_svg_box(chart->stream, left, top, (double[]){width, height});
    }
    if (is_open)
        fputs("\"/>\n", chart->stream);
}

/* ---- dots ---- */

#define MOST_DOTS                                                                                  \
    2000 /* with more than these, only the first of several dots on one place is drawn */

/* The drawing as a raster of half units, with those that have a dot already: a second dot there
 * would not be seen, and without it the drawing of a large fleet stays a small file. */
struct places {
    bool *is_taken;
    int width, height;
};

static bool take_place(struct places *places, double x, double y)
{
    if (!places->is_taken)
        return true;
    /* In this form what is not a number is outside, too. */
    if (!(x >= 0 && y >= 0 && x * 2 < places->width && y * 2 < places->height))
        return false;
    int column = (int)(x * 2), line = (int)(y * 2);
    bool *place = &places->is_taken[line * places->width + column];
    bool was_free = !*place;
    *place = true;
    return was_free;
}

static enum hc_status draw_dots(struct hc_svg_chart *chart, const struct hc_figure_series *series,
                                struct hc_error *err)
{
    struct places places = {.width = (int)(2 * chart->width), .height = (int)(2 * chart->height)};
    if (series->n > MOST_DOTS) {
        places.is_taken = hc_new_array((size_t)places.width * (size_t)places.height, 1, err);
        if (!places.is_taken)
            return err->status;
    }
    for (size_t i = 0; i < series->n; i++)
        if (take_place(&places, hc_svg_chart_x(chart, series->x[i]),
                       hc_svg_chart_y(chart, series->y[i])))
            hc_svg_chart_dot(chart, hc_color_class(series->color), series->x[i], series->y[i],
                             series->texts ? series->texts[i] : NULL);
    free(places.is_taken);
    return HC_OK;
}

/* ---- marks ---- */

/* The mark below *above that is the highest; n_marks when there is none. */
static size_t next_mark(const struct hc_figure *figure, const bool *is_done)
{
    size_t best = figure->n_marks;
    for (size_t i = 0; i < figure->n_marks; i++)
        if (!is_done[i] && (best == figure->n_marks || figure->marks[i].y > figure->marks[best].y))
            best = i;
    return best;
}

#define MAX_MARKS 16

/* Dots, and their texts from the top down, none on another. A curve that rises has room below it to
 * the right, and above it to the left. */
static void draw_marks(struct hc_svg_chart *chart, const struct hc_figure *figure)
{
    bool is_done[MAX_MARKS] = {false};
    double above = chart->top - 10;
    for (size_t n = 0; n < figure->n_marks && n < MAX_MARKS; n++) {
        size_t i = next_mark(figure, is_done);
        const struct hc_figure_mark *mark = &figure->marks[i];
        is_done[i] = true;
        if (!isfinite(mark->x) || !isfinite(mark->y))
            continue;
        hc_svg_chart_dot(chart, hc_color_class(mark->color), mark->x, mark->y, NULL);
        double x = fmin(hc_svg_chart_x(chart, mark->x), chart->right);
        double width = CHARACTER * (double)hc_text_columns(mark->text) + 14;
        bool is_right = x + width < chart->width;
        double y = hc_svg_chart_y(chart, mark->y) + (is_right || mark->is_below ? 16 : -6);
        y = fmin(fmax(y, above + LABEL_HEIGHT), chart->bottom - 4);
        above = y;
        hc_svg_text(chart->stream, x + (is_right ? 7 : -9), y, is_right ? 's' : 'e', "strong",
                    mark->text);
    }
}

/* ---- all of it ---- */

static enum hc_status draw_series(struct hc_svg_chart *chart, const struct hc_figure *figure,
                                  const struct hc_figure_series *series, double *sums,
                                  struct hc_error *err)
{
    char class[CLASS_SIZE];
    class_of(series, class);
    switch (series->kind) {
    case HC_SERIES_LINE:
        hc_svg_chart_line(chart, class, series->x, series->y, series->n);
        return HC_OK;
    case HC_SERIES_STEPS:
        hc_svg_chart_steps(chart, class, series->x, series->y, series->n);
        return HC_OK;
    case HC_SERIES_BAND:
        hc_svg_chart_band(chart, class, series->x, series->y, series->high, series->n);
        return HC_OK;
    case HC_SERIES_COLUMNS:
        draw_columns(chart, figure, series, sums);
        return HC_OK;
    case HC_SERIES_POINTS:
        break;
    }
    return draw_dots(chart, series, err);
}

static double *column_sums(const struct hc_figure *figure, struct hc_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < figure->n_series; i++)
        if (figure->series[i].kind == HC_SERIES_COLUMNS && figure->series[i].n > most)
            most = figure->series[i].n;
    return hc_new_array(most, sizeof(double), err);
}

static bool has_columns(const struct hc_figure *figure)
{
    for (size_t i = 0; i < figure->n_series; i++)
        if (figure->series[i].kind == HC_SERIES_COLUMNS)
            return true;
    return false;
}

enum hc_status hc_svg_series(FILE *stream, const char *label, const struct hc_figure *figure,
                             struct hc_error *err)
{
    struct legend legend;
    struct hc_svg_chart chart = {.width = figure->is_wide ? HC_SVG_WIDE_WIDTH : HC_SVG_WIDTH,
                                 .height = figure->height > 0 ? figure->height : HC_SVG_HEIGHT,
                                 .x = figure->x,
                                 .y = figure->y};
    double *sums = column_sums(figure, err), legend_x;
    enum hc_status status = sums ? HC_OK : err->status;
    if (status)
        return status;
    find_names(&legend, figure);
    chart.above = legend_height(&legend, figure, chart.width, &legend_x);
    chart.height += chart.above;
    hc_svg_chart_start(&chart, stream, label);
    if (has_columns(figure))
        fputs("<g class=\"hatched\">\n", stream);
    legend_lines(stream, &legend, (double[]){legend_x, chart.above > 0 ? 30 : 14}, chart.width);
    for (size_t i = 0; i < figure->n_rules; i++)
        (figure->rules[i].is_x ? hc_svg_chart_rule_x : hc_svg_chart_rule_y)(
            &chart, figure->rules[i].at, figure->rules[i].text);
    for (size_t i = 0; i < figure->n_series && status == HC_OK; i++)
        status = draw_series(&chart, figure, &figure->series[i], sums, err);
    if (has_columns(figure))
        fputs("</g>\n", stream);
    draw_marks(&chart, figure);
    hc_svg_chart_end(&chart);
    free(sums);
    return status;
}
