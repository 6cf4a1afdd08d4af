#include "reports/figure/svg_ranges.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>

#define ROW_HEIGHT   24
#define TORNADO_ROW  50
#define TORNADO_BAR  14
#define TOP          6
#define TORNADO_TOP  26
#define AXIS_HEIGHT  44
#define LEAST_PLOT   150 /* width left for the dots, else their names stand above them */
#define NAME_LINE    16  /* height of a name above its row */
#define CHARACTER    8.2
#define TORNADO_ENDS 78 /* room for the values of the keys on either side of the bars */

static double columns_width(size_t columns)
{
    return CHARACTER * (double)columns;
}

/* Ticks of the axis and its title, from the top of the rows down. */
static void start(struct hc_svg_chart *chart, const char *label, size_t n_ticks)
{
    chart->height = chart->bottom + (chart->x.title ? AXIS_HEIGHT : AXIS_HEIGHT - 20);
    hc_svg_start(chart->stream, chart->width, chart->height, label);
    hc_svg_chart_grid(chart, (int)chart->top, n_ticks);
}

static void line(const struct hc_svg_chart *chart, const char *class, const double at[4])
{
    fprintf(chart->stream, "<path class=\"%s\" d=\"M", class);
    hc_svg_number(chart->stream, at[0]);
    fputc(' ', chart->stream);
    hc_svg_number(chart->stream, at[1]);
    fputc('L', chart->stream);
    hc_svg_number(chart->stream, at[2]);
    fputc(' ', chart->stream);
    hc_svg_number(chart->stream, at[3]);
    fputs("\"/>\n", chart->stream);
}

static double within(double low, double value, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* A line from low to high with short ends. */
static void whisker(const struct hc_svg_chart *chart, const char *class, const double ends[2],
                    double y)
{
    if (!isfinite(ends[0]) || !isfinite(ends[1]))
        return;
    double from = within(chart->left, hc_svg_chart_x(chart, ends[0]), chart->right);
    double to = within(chart->left, hc_svg_chart_x(chart, ends[1]), chart->right);
    line(chart, class, (double[]){from, y, to, y});
    line(chart, class, (double[]){from, y - 4, from, y + 4});
    line(chart, class, (double[]){to, y - 4, to, y + 4});
}

/* ---- dots ---- */

static void draw_name(const struct hc_svg_chart *chart, const char *name, bool is_above, double y)
{
    char text[256];
    if (is_above)
        hc_svg_text(chart->stream, chart->left, y - 12, 's', "strong",
                    hc_svg_fit(text, sizeof text, name, 0.85 * (chart->width - chart->left)));
    else
        hc_svg_text(chart->stream, chart->left - 10, y + 4, 'e', "title",
                    hc_svg_fit(text, sizeof text, name, 0.9 * (chart->left - 14)));
}

static void draw_range(const struct hc_svg_chart *chart, const struct hc_figure_row *range,
                       double y)
{
    char class[32];
    snprintf(class, sizeof class, "line %s", hc_color_class(range->color));
    whisker(chart, class, (double[]){range->low, range->high}, y);
    if (isfinite(range->value)) {
        fprintf(chart->stream, "<circle class=\"dot %s\" r=\"4\" cx=\"",
                hc_color_class(range->color));
        hc_svg_number(chart->stream, hc_svg_chart_x(chart, range->value));
        fputs("\" cy=\"", chart->stream);
        hc_svg_number(chart->stream, y);
        fputs("\"/>\n", chart->stream);
    }
    hc_svg_text(chart->stream, chart->width - 4, y + 4, 'e', NULL, range->text);
}

/* The dashed line of the figure: its first rule, or the base. */
static void draw_rule(const struct hc_svg_chart *chart, double at)
{
    if (!isfinite(at))
        return;
    double x = hc_svg_chart_x(chart, at);
    line(chart, "rule", (double[]){x, chart->top, x, chart->bottom});
}

void hc_svg_ranges(FILE *stream, const char *label, const struct hc_figure *figure)
{
    struct hc_svg_chart chart = {.stream = stream, .width = HC_SVG_WIDTH, .top = TOP};
    size_t names = 0, texts = 0;
    for (size_t i = 0; i < figure->n_rows; i++) {
        size_t name = hc_text_columns(figure->rows[i].name);
        size_t text = hc_text_columns(figure->rows[i].text);
        names = name > names ? name : names;
        texts = text > texts ? text : texts;
    }
    hc_figure_rows_axis(figure, &chart.x);
    chart.right = chart.width - columns_width(texts) - 22;
    bool has_names_above = columns_width(names) + 16 > chart.right - LEAST_PLOT;
    double row = ROW_HEIGHT + (has_names_above ? NAME_LINE : 0);
    chart.left = has_names_above ? 32 : columns_width(names) + 16;
    chart.bottom = TOP + row * (double)figure->n_rows + 4;
    start(&chart, label, 3);
    draw_rule(&chart, figure->n_rules > 0 ? figure->rules[0].at : NAN);
    for (size_t i = 0; i < figure->n_rows; i++) {
        double y = TOP + row * (double)(i + 1) - ROW_HEIGHT / 2 + 2;
        draw_name(&chart, figure->rows[i].name, has_names_above, y);
        draw_range(&chart, &figure->rows[i], y);
    }
    hc_svg_end(stream);
}

/* ---- tornado ---- */

/* One end of a row of the tornado: `at` is the value where the bar ends, `interval` that of the
 * value, `text` the setting that gave it. */
struct end {
    const char *class, *text;
    double at;
    const double *interval;
};

static void draw_end(const struct hc_svg_chart *chart, const struct end *end, double base, double y)
{
    char fitted[64];
    if (!isfinite(base) || !isfinite(end->at))
        return;
    double from = hc_svg_chart_x(chart, base), to = hc_svg_chart_x(chart, end->at);
    bool is_left = to < from;
    double outer = is_left ? end->interval[0] : end->interval[1];
    double text_x = isfinite(outer) ? hc_svg_chart_x(chart, outer) : to;
    fputs("<rect x=\"", chart->stream);
    hc_svg_number(chart->stream, fmin(from, to));
    fputs("\" y=\"", chart->stream);
    hc_svg_number(chart->stream, y);
    fputs("\" width=\"", chart->stream);
    hc_svg_number(chart->stream, fmax(fabs(to - from), 1));
    fprintf(chart->stream, "\" height=\"%d\" class=\"fill %s\"/>\n", TORNADO_BAR, end->class);
    whisker(chart, "whisker", end->interval, y + TORNADO_BAR / 2);
    hc_svg_text(chart->stream, text_x + (is_left ? -8 : 8), y + TORNADO_BAR - 3,
                is_left ? 'e' : 's', "label",
                hc_svg_fit(fitted, sizeof fitted, end->text, TORNADO_ENDS - 16));
}

static void draw_row(const struct hc_svg_chart *chart, const struct hc_figure_key *row, double base,
                     double y)
{
    char text[256];
    /* Both on one side of the base: below each other, or one would hide the other. */
    bool same_side = (row->at_low - base) * (row->at_high - base) > 0;
    double below = same_side ? TORNADO_BAR + 1 : 0, top = y + 20;
    /* Its name has a line of its own above: keys are long, and phones narrow. */
    hc_svg_text(chart->stream, 12, y + 14, 's', "strong",
                hc_svg_fit(text, sizeof text, row->name, 0.9 * (chart->width - 24)));
    draw_end(chart, &(struct end){"s1", row->low_text, row->at_low, row->low_interval}, base, top);
    draw_end(chart, &(struct end){"s2", row->high_text, row->at_high, row->high_interval}, base,
             top + below);
}

void hc_svg_tornado(FILE *stream, const char *label, const struct hc_figure *figure)
{
    static const char *const names[] = {"at the low value", "at the high value"};
    static const char *const classes[] = {"s1", "s2"};
    struct hc_svg_chart chart = {.stream = stream, .width = HC_SVG_WIDTH, .top = TORNADO_TOP};
    hc_figure_rows_axis(figure, &chart.x);
    chart.left = TORNADO_ENDS;
    chart.right = chart.width - TORNADO_ENDS;
    chart.bottom = TORNADO_TOP + TORNADO_ROW * (double)figure->n_rows + 4;
    start(&chart, label, 4);
    hc_svg_legend(stream, 12, 12, names, classes, 2);
    draw_rule(&chart, figure->base);
    for (size_t i = 0; i < figure->n_rows; i++)
        draw_row(&chart, &figure->keys[i], figure->base, TORNADO_TOP + TORNADO_ROW * (double)i);
    hc_svg_end(stream);
}
