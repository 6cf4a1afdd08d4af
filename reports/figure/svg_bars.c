#include "reports/figure/svg_bars.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>

#define ROW_HEIGHT  22
#define BAR_HEIGHT  12
#define TOP         6
#define AXIS_HEIGHT 44
#define LEAST_PLOT  140 /* width left for the bars, else their names stand above them */
#define NAME_LINE   16  /* height of a name above its bar */
#define CHARACTER   8.2

/* Columns of the widest of the names, or of the texts. */
static double widest(const struct hc_figure_row *bars, size_t n, bool of_text)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = hc_text_columns(of_text ? bars[i].text : bars[i].name);
        columns = length > columns ? length : columns;
    }
    return CHARACTER * (double)columns;
}

static void rectangle(FILE *stream, const char *class, const double from[2], const double size[2])
{
    fputs("<rect x=\"", stream);
    hc_svg_number(stream, from[0]);
    fputs("\" y=\"", stream);
    hc_svg_number(stream, from[1]);
    fputs("\" width=\"", stream);
    hc_svg_number(stream, size[0]);
    fputs("\" height=\"", stream);
    hc_svg_number(stream, size[1]);
    fprintf(stream, "\" class=\"fill %s\"/>", class);
}

/* has_name_above: the name has a line of its own, on which it is cut only where it is longer than
 * the drawing. y: the middle of the bar. */
static void draw_name(const struct hc_svg_chart *chart, const struct hc_figure_row *bar,
                      bool has_name_above, double y)
{
    char name[256];
    if (has_name_above)
        hc_svg_text(chart->stream, chart->left, y - BAR_HEIGHT / 2 - 4, 's', "title",
                    hc_svg_fit(name, sizeof name, bar->name, 0.85 * (chart->width - chart->left)));
    else
        hc_svg_text(chart->stream, chart->left - 8, y + 4, 'e', "title",
                    hc_svg_fit(name, sizeof name, bar->name, 0.9 * (chart->left - 10)));
}

static void draw_bar(const struct hc_svg_chart *chart, const struct hc_figure_row *bar, double base,
                     double y)
{
    double end = hc_svg_chart_x(chart, base);
    if (isfinite(bar->value)) {
        double from = hc_svg_chart_x(chart, base), to = hc_svg_chart_x(chart, bar->value);
        rectangle(chart->stream, hc_color_class(bar->color),
                  (double[]){fmin(from, to), y - BAR_HEIGHT / 2},
                  (double[]){fmax(fabs(to - from), 1), BAR_HEIGHT});
        end = fmax(from, to);
    }
    hc_svg_text(chart->stream, end + 6, y + 4, 's', NULL, bar->text);
}

void hc_svg_bars(FILE *stream, const char *label, const struct hc_figure *figure)
{
    struct hc_svg_chart chart = {.stream = stream, .width = HC_SVG_WIDTH};
    const struct hc_figure_row *bars = figure->rows;
    size_t n = figure->n_rows;
    double names = widest(bars, n, false), texts = widest(bars, n, true);
    bool has_names_above = names + 12 > chart.width - fmax(texts, 24) - 12 - LEAST_PLOT;
    double row = ROW_HEIGHT + (has_names_above ? NAME_LINE : 0);
    hc_figure_rows_axis(figure, &chart.x);
    chart.right = chart.width - fmax(texts, 24) - 12;
    chart.left = has_names_above ? 24 : names + 12;
    chart.top = TOP;
    chart.bottom = TOP + row * (double)n + 4;
    chart.height = chart.bottom + (chart.x.title ? AXIS_HEIGHT : AXIS_HEIGHT - 20);
    hc_svg_start(stream, chart.width, chart.height, label);
    hc_svg_chart_grid(&chart, TOP, 4);
    for (size_t i = 0; i < n; i++) {
        double y = TOP + row * (double)(i + 1) - ROW_HEIGHT / 2 + 2;
        draw_name(&chart, &bars[i], has_names_above, y);
        draw_bar(&chart, &bars[i], figure->base, y);
    }
    hc_svg_end(stream);
}
