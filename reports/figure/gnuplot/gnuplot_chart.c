#include "reports/figure/gnuplot/gnuplot_chart.h"

#include "reports/figure/gnuplot/figure_data.h"
#include "reports/figure/svg_chart.h"

#include <math.h>

#define PAGE_TO_PLOT 0.74 /* height of a plot here over that on a page */
#define PAGE_MARGINS 62   /* above and below a plot there */

static size_t find_names(const struct hc_figure *figure, const char *names[HC_MAX_FIGURE_SERIES])
{
    size_t n = 0;
    for (size_t i = 0; i < hc_figure_n_series(figure); i++)
        if (figure->series[i].name)
            names[n++] = figure->series[i].name;
    return n;
}

static double plot_height(const struct hc_figure *figure)
{
    double height = figure->height > 0 ? figure->height : HC_SVG_HEIGHT;
    return (height - PAGE_MARGINS) * PAGE_TO_PLOT;
}

static size_t legend_lines(const struct hc_gnuplot *gnuplot)
{
    const char *names[HC_MAX_FIGURE_SERIES];
    size_t n = find_names(gnuplot->figure, names);
    return hc_gnuplot_legend_lines(gnuplot, names, n);
}

double hc_gnuplot_chart_height(const struct hc_gnuplot *gnuplot)
{
    return HC_GNUPLOT_TOP_MARGIN + plot_height(gnuplot->figure) +
           hc_gnuplot_bottom_margin(legend_lines(gnuplot));
}

/* ---- series ---- */

static void put_columns(struct hc_gnuplot *gnuplot, const struct hc_series_place *places, size_t i)
{
    const struct hc_figure_series *series = &gnuplot->figure->series[i];
    double half = gnuplot->figure->column_width * 0.48;
    size_t below = places[i].column;
    for (size_t j = 0; j < i; j++)
        if (gnuplot->figure->series[j].kind == HC_SERIES_COLUMNS &&
            places[j].table == places[i].table && places[j].column < below)
            below = places[j].column;
    fprintf(gnuplot->stream, " using 1:(0):($1-%.9g):($1+%.9g):(0", half, half);
    if (below < places[i].column)
        fprintf(gnuplot->stream, "+(sum [c=%zu:%zu] over0(column(c)))", below,
                places[i].column - 1);
    fprintf(gnuplot->stream, "):(sum [c=%zu:%zu] over0(column(c))) with boxxyerror", below,
            places[i].column);
    hc_gnuplot_fill(gnuplot, series->color, true);
}

static void put_points(const struct hc_gnuplot *gnuplot, const struct hc_figure_series *series)
{
    /* Shapes differ by colour: in grey they are what tells dots apart. */
    static const int shapes[HC_N_COLORS] = {7, 7, 5, 9, 13, 7, 11, 7, 5, 7, 7, 7, 7};
    bool are_many = series->n > 200;
    fprintf(gnuplot->stream, " with points pt %d ps %s", shapes[series->color],
            are_many ? "0.25" : "0.45");
    hc_gnuplot_color(gnuplot, series->color);
}

static void put_series(struct hc_gnuplot *gnuplot, const struct hc_series_place *places, size_t i)
{
    static const double opacity[] = {[HC_PLAIN] = 0.22, [HC_PALE] = 0.11, [HC_DEEP] = 0.42};
    const struct hc_figure_series *series = &gnuplot->figure->series[i];
    FILE *stream = gnuplot->stream;
    size_t column = places[i].column;
    hc_gnuplot_element(gnuplot, places[i].table);
    switch (series->kind) {
    case HC_SERIES_BAND:
        fprintf(stream, " using 1:%zu:%zu with filledcurves fs transparent solid %.2f noborder",
                column, column + 1, opacity[series->strength]);
        fprintf(stream, " fc rgb '%s'", hc_palette[series->color].light);
        break;
    case HC_SERIES_COLUMNS:
        put_columns(gnuplot, places, i);
        break;
    case HC_SERIES_POINTS:
        fprintf(stream, " using 1:%zu", column);
        put_points(gnuplot, series);
        break;
    case HC_SERIES_LINE:
    case HC_SERIES_STEPS:
        fprintf(stream, " using 1:%zu with %s lw 1.8", column,
                series->kind == HC_SERIES_STEPS ? "steps" : "lines");
        hc_gnuplot_color(gnuplot, series->color);
        hc_gnuplot_dash(gnuplot, series->color);
        break;
    }
    hc_gnuplot_title(gnuplot, series->name);
}

/* ---- marks ---- */

#define MAX_MARKS   16
#define MARK_HEIGHT 15 /* of its text */

static size_t highest_mark(const struct hc_figure *figure, const bool *is_done)
{
    size_t best = figure->n_marks;
    for (size_t i = 0; i < figure->n_marks; i++)
        if (!is_done[i] && (best == figure->n_marks || figure->marks[i].y > figure->marks[best].y))
            best = i;
    return best;
}

static void put_mark(const struct hc_gnuplot *gnuplot, const struct hc_figure_mark *mark,
                     double text_y)
{
    FILE *stream = gnuplot->stream;
    bool is_right = hc_axis_place(&gnuplot->figure->x, mark->x) < 0.7;
    fputs("set label '' at first ", stream);
    hc_gnuplot_number(gnuplot, mark->x);
    fputs(", first ", stream);
    hc_gnuplot_number(gnuplot, mark->y);
    fputs(" front point pt 7 ps 0.6", stream);
    hc_gnuplot_color(gnuplot, mark->color);
    fputs("\nset label ", stream);
    hc_gnuplot_text(gnuplot, mark->text, 40);
    fputs(" at first ", stream);
    hc_gnuplot_number(gnuplot, mark->x);
    fprintf(stream, ", graph %.4f %s offset %s,0 front boxed\n", text_y,
            is_right ? "left" : "right", is_right ? "1" : "-1");
}

/* Dots, and their texts from the top down, none on another: as on a page. */
static void put_marks(const struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    double plot = plot_height(figure), above = 1 + 6 / plot;
    bool is_done[MAX_MARKS] = {false};
    for (size_t n = 0; n < figure->n_marks && n < MAX_MARKS; n++) {
        size_t i = highest_mark(figure, is_done);
        const struct hc_figure_mark *mark = &figure->marks[i];
        is_done[i] = true;
        if (!isfinite(mark->x) || !isfinite(mark->y))
            continue;
        bool is_below = mark->is_below || hc_axis_place(&figure->x, mark->x) < 0.7;
        double y = hc_axis_place(&figure->y, mark->y) + (is_below ? -14 : 8) / plot;
        above = fmax(fmin(y, above - MARK_HEIGHT / plot), 6 / plot);
        put_mark(gnuplot, mark, above);
    }
}

void hc_gnuplot_chart(struct hc_gnuplot *gnuplot)
{
    const struct hc_figure *figure = gnuplot->figure;
    struct hc_series_place places[HC_MAX_FIGURE_SERIES];
    const char *names[HC_MAX_FIGURE_SERIES];
    hc_gnuplot_legend(gnuplot, names, find_names(figure, names));
    hc_gnuplot_frame(gnuplot, hc_gnuplot_chart_height(gnuplot), legend_lines(gnuplot));
    hc_figure_places(figure, places);
    fputs("over0(value) = value > 0 ? value : 0\n", gnuplot->stream);
    hc_gnuplot_axis(gnuplot, 'x', &figure->x, figure->is_wide ? 12 : 6);
    hc_gnuplot_axis(gnuplot, 'y', &figure->y, 6);
    for (size_t i = 0; i < figure->n_rules; i++)
        hc_gnuplot_rule(gnuplot, &figure->rules[i]);
    put_marks(gnuplot);
    for (size_t i = 0; i < hc_figure_n_series(figure); i++)
        put_series(gnuplot, places, i);
}
