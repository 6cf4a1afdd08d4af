#include "reports/figure/svg_series.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/figure/svg_labels.h"

#include <math.h>
#include <stdlib.h>

#define CHARACTER   7.2 /* of 12 unit text */
#define LEGEND_LINE 18
#define LINE_SAMPLE 20 /* by which the sample of a line is longer than that of an area */
#define CLASS_SIZE  48
#define MAX_NAMES   16

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

/* In the chart a band lies upon those before it of its colour, and looks as dark as all of them: so
 * does its sample. */
static void band_below(FILE *stream, const struct legend *legend, size_t below,
                       const struct hc_figure_series *series, const double at[2])
{
    char class[CLASS_SIZE];
    const struct hc_figure_series *other = legend->series[below];
    if (other->kind != HC_SERIES_BAND || other->color != series->color)
        return;
    fprintf(stream, "<rect class=\"band fill %s\" width=\"10\" height=\"10\" rx=\"2\" x=\"",
            class_of(other, class));
    hc_svg_number(stream, at[0]);
    fputs("\" y=\"", stream);
    hc_svg_number(stream, at[1] - 9);
    fputs("\"/>", stream);
}

/* A sample as the series is drawn, and its name: in grey, lines are told apart by their dashes. */
static void draw_entry(FILE *stream, const struct legend *legend, size_t i, const double at[2])
{
    const struct hc_figure_series *series = legend->series[i];
    char class[CLASS_SIZE], band[CLASS_SIZE + 8];
    const char *area = band;
    class_of(series, class);
    if (series->kind == HC_SERIES_BAND)
        for (size_t below = 0; below < i; below++)
            band_below(stream, legend, below, series, at);
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

/* The text of a mark stands right of it, or left where there is no room, above or below. A curve
 * that rises has room below it to the right, and above it to the left. */
static void label_mark(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                       const struct hc_figure_mark *mark)
{
    double x = fmin(hc_svg_chart_x(chart, mark->x), chart->right);
    double y = hc_svg_chart_y(chart, mark->y);
    double left_y = mark->is_below ? y + 16 : y - 6, other_y = mark->is_below ? y - 6 : y + 16;
    double width = CHARACTER * (double)hc_text_columns(mark->text);
    /* At the right end, where the text is as long as what is left of the drawing; elsewhere it
     * would be far from its mark. */
    bool is_near_end = x + 7 + 1.2 * width > chart->right;
    const struct hc_svg_place places[] = {
        {x + 7, y + 16, 's'},
        {x + 7, y - 6, 's'},
        {is_near_end ? chart->right : x + 12, y + (is_near_end ? 20 : 28), is_near_end ? 'e' : 's'},
        {x - 14, y + 4, 'e'},
        {x - 26, y + 4, 'e'},
        {x - 9, left_y, 'e'},
        {x - 9, other_y, 'e'}};
    hc_svg_label(
        labels, chart,
        &(struct hc_svg_label){mark->text, "strong", places, sizeof places / sizeof places[0]});
}

/* Dots, then their texts from the top down. */
static void draw_marks(struct hc_svg_labels *labels, struct hc_svg_chart *chart,
                       const struct hc_figure *figure)
{
    bool is_done[MAX_MARKS] = {false};
    for (size_t n = 0; n < figure->n_marks && n < MAX_MARKS; n++) {
        size_t i = next_mark(figure, is_done);
        const struct hc_figure_mark *mark = &figure->marks[i];
        is_done[i] = true;
        if (!isfinite(mark->x) || !isfinite(mark->y))
            continue;
        hc_svg_chart_dot(chart, hc_color_class(mark->color), mark->x, mark->y, NULL);
        label_mark(labels, chart, mark);
    }
}

/* ---- rules ---- */

/* Beside the rule at its foot, or at its head; on the side with more room first. */
static void label_rule_x(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                         const struct hc_figure_rule *rule)
{
    double at = hc_svg_chart_x(chart, rule->at);
    bool is_left = at > (chart->left + chart->right) / 2;
    double near = at + (is_left ? -6 : 6), far = at + (is_left ? 6 : -6);
    char anchor = is_left ? 'e' : 's', other = is_left ? 's' : 'e';
    const struct hc_svg_place places[] = {{near, chart->bottom - 6, anchor},
                                          {near, chart->top + 14, anchor},
                                          {far, chart->bottom - 6, other},
                                          {far, chart->top + 14, other},
                                          {near, (chart->top + chart->bottom) / 2, anchor}};
    hc_svg_label(
        labels, chart,
        &(struct hc_svg_label){rule->text, "label", places, sizeof places / sizeof places[0]});
}

/* Above or below the rule, at its right end or at its left one. */
static void label_rule_y(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                         const struct hc_figure_rule *rule)
{
    double at = hc_svg_chart_y(chart, rule->at), right = chart->right - 4, left = chart->left + 4;
    const struct hc_svg_place places[] = {
        {right, at - 5, 'e'}, {right, at + 14, 'e'}, {left, at - 5, 's'}, {left, at + 14, 's'}};
    hc_svg_label(
        labels, chart,
        &(struct hc_svg_label){rule->text, "label", places, sizeof places / sizeof places[0]});
}

/* After the marks, whose places are fixed by what they name. */
static void label_rules(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                        const struct hc_figure *figure)
{
    for (size_t i = 0; i < figure->n_rules; i++) {
        const struct hc_figure_rule *rule = &figure->rules[i];
        double place = hc_axis_place(rule->is_x ? &chart->x : &chart->y, rule->at);
        if (rule->text && place >= -0.001 && place <= 1.001)
            (rule->is_x ? label_rule_x : label_rule_y)(labels, chart, rule);
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
    struct hc_svg_labels labels = {.figure = figure};
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
        (figure->rules[i].is_x ? hc_svg_chart_rule_x : hc_svg_chart_rule_y)(&chart,
                                                                            figure->rules[i].at);
    for (size_t i = 0; i < figure->n_series && status == HC_OK; i++)
        status = draw_series(&chart, figure, &figure->series[i], sums, err);
    if (has_columns(figure))
        fputs("</g>\n", stream);
    draw_marks(&labels, &chart, figure);
    label_rules(&labels, &chart, figure);
    hc_svg_chart_end(&chart);
    free(sums);
    return status;
}
