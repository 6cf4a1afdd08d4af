#include "reports/figure/svg_bars.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>

#define ROW_HEIGHT  22
#define BAR_HEIGHT  12
#define TOP         6
#define AXIS_HEIGHT 44
#define LEAST_PLOT  160 /* width left for the bars, however long the names */
#define CHARACTER   8.2

/* Columns of the widest of the names, or of the texts. */
static double widest(const struct hc_svg_bar *bars, size_t n, bool of_text)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = hc_text_columns(of_text ? bars[i].text : bars[i].name);
        columns = length > columns ? length : columns;
    }
    return CHARACTER * (double)columns;
}

static void make_axis(struct hc_axis *axis, double base, const struct hc_svg_bar *bars, size_t n)
{
    axis->low = axis->high = base;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(bars[i].value))
            continue;
        axis->low = fmin(axis->low, bars[i].value);
        axis->high = fmax(axis->high, bars[i].value);
    }
    if (axis->low == axis->high)
        axis->high = base + (base != 0 ? fabs(base) * 0.1 : 1);
    const struct hc_axis exact = *axis;
    double range = exact.high - exact.low;
    hc_axis_round(axis, 4);
    /* A bar that can hardly be seen gets no room up to the next tick. */
    if (base - exact.low < range * 0.02)
        axis->low = exact.low;
    if (exact.high - base < range * 0.02)
        axis->high = exact.high;
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

static void draw_bar(const struct hc_svg_chart *chart, const struct hc_svg_bar *bar, double base,
                     double y)
{
    char name[256];
    double end = hc_svg_chart_x(chart, base);
    hc_svg_text(chart->stream, chart->left - 8, y + 4, 'e', "title",
                hc_svg_fit(name, sizeof name, bar->name, 0.9 * (chart->left - 10)));
    if (isfinite(bar->value)) {
        double from = hc_svg_chart_x(chart, base), to = hc_svg_chart_x(chart, bar->value);
        rectangle(chart->stream, bar->class, (double[]){fmin(from, to), y - BAR_HEIGHT / 2},
                  (double[]){fmax(fabs(to - from), 1), BAR_HEIGHT});
        end = fmax(from, to);
    }
    hc_svg_text(chart->stream, end + 6, y + 4, 's', NULL, bar->text);
}

void hc_svg_bars(FILE *stream, const char *label, const struct hc_axis *axis, double base,
                 const struct hc_svg_bar *bars, size_t n)
{
    struct hc_svg_chart chart = {.stream = stream, .width = HC_SVG_WIDTH, .x = *axis};
    double names = widest(bars, n, false), texts = widest(bars, n, true);
    make_axis(&chart.x, base, bars, n);
    chart.right = chart.width - fmax(texts, 24) - 12;
    chart.left = fmin(names + 12, chart.right - LEAST_PLOT);
    chart.top = TOP;
    chart.bottom = TOP + ROW_HEIGHT * (double)n + 4;
    chart.height = chart.bottom + (axis->title ? AXIS_HEIGHT : AXIS_HEIGHT - 20);
    hc_svg_start(stream, chart.width, chart.height, label);
    hc_svg_chart_grid(&chart, TOP, 4);
    for (size_t i = 0; i < n; i++)
        draw_bar(&chart, &bars[i], base, TOP + ROW_HEIGHT * ((double)i + 0.5) + 2);
    hc_svg_end(stream);
}
