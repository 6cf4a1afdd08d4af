#include "reports/figure/svg_gantt.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>

#define LANE_HEIGHT 26
#define BAR_HEIGHT  15
#define STRIP       5  /* height of a thin bar */
#define TOP         26 /* with a legend */
#define BARE_TOP    6
#define AXIS_HEIGHT 44
#define LEAST_BAR   0.4
#define CHARACTER   8.2

static double lane_top(const struct hc_svg_chart *chart, size_t lane)
{
    return chart->top + LANE_HEIGHT * (double)lane + 2;
}

/* The outline of one bar, as a part of a path. */
static void box(const struct hc_svg_chart *chart, const struct hc_figure_bar *bar)
{
    double from = hc_svg_chart_x(chart, bar->start), to = hc_svg_chart_x(chart, bar->end);
    double width = fmax(to - from, LEAST_BAR);
    double height = bar->is_thin ? STRIP : BAR_HEIGHT;
    FILE *stream = chart->stream;
    hc_svg_box(stream, from, lane_top(chart, bar->lane) + (bar->is_thin ? BAR_HEIGHT + 1 : 0),
               (double[]){width, height});
}

/* Bars of one part: those without a text as one path. */
static void draw_part(const struct hc_svg_chart *chart, const struct hc_figure *gantt, size_t part)
{
    const char *class = hc_color_class(gantt->parts[part].color);
    bool is_open = false;
    for (size_t i = 0; i < gantt->n_bars; i++) {
        const struct hc_figure_bar *bar = &gantt->bars[i];
        if (bar->part != part || bar->text)
            continue;
        if (!is_open)
            fprintf(chart->stream, "<path class=\"fill bar %s\" d=\"", class);
        is_open = true;
        box(chart, bar);
    }
    if (is_open)
        fputs("\"/>\n", chart->stream);
    for (size_t i = 0; i < gantt->n_bars; i++) {
        const struct hc_figure_bar *bar = &gantt->bars[i];
        if (bar->part != part || !bar->text)
            continue;
        fprintf(chart->stream, "<path class=\"fill bar %s\" d=\"", class);
        box(chart, bar);
        fputs("\"><title>", chart->stream);
        hc_html_text(chart->stream, bar->text);
        fputs("</title></path>\n", chart->stream);
    }
}

static double names_width(const struct hc_figure *gantt)
{
    size_t columns = 4;
    for (size_t lane = 0; lane < gantt->n_rows; lane++)
        if (gantt->row_names[lane] && hc_text_columns(gantt->row_names[lane]) > columns)
            columns = hc_text_columns(gantt->row_names[lane]);
    return fmin(220, CHARACTER * (double)columns + 12);
}

static void draw_legend(FILE *stream, const struct hc_figure *gantt, double x)
{
    for (size_t i = 0; i < gantt->n_parts; i++) {
        const struct hc_figure_part *part = &gantt->parts[i];
        const char *class = hc_color_class(part->color);
        hc_svg_legend(stream, x, 12, &part->name, &class, 1);
        x += hc_svg_legend_width(part->name);
    }
}

void hc_svg_gantt(FILE *stream, const char *label, const struct hc_figure *gantt)
{
    struct hc_svg_chart chart = {.stream = stream, .width = HC_SVG_WIDE_WIDTH, .x = gantt->x};
    char name[128];
    chart.left = names_width(gantt);
    chart.right = chart.width - 24;
    chart.top = gantt->has_no_legend ? BARE_TOP : TOP;
    chart.bottom = lane_top(&chart, gantt->n_rows) + 2;
    chart.height = chart.bottom + AXIS_HEIGHT;
    hc_svg_start(stream, chart.width, chart.height, label);
    hc_svg_chart_grid(&chart, (int)chart.top, 10);
    for (size_t lane = 0; lane < gantt->n_rows; lane++)
        if (gantt->row_names[lane])
            hc_svg_text(stream, chart.left - 8, lane_top(&chart, lane) + 12, 'e', "title",
                        hc_svg_fit(name, sizeof name, gantt->row_names[lane], chart.left - 10));
    fputs("<g class=\"hatched\">\n", stream);
    if (!gantt->has_no_legend)
        draw_legend(stream, gantt, chart.left);
    for (size_t part = 0; part < gantt->n_parts; part++)
        draw_part(&chart, gantt, part);
    fputs("</g>\n", stream);
    hc_svg_end(stream);
}
