#include "reports/figure/svg_stack.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>

#define ROW_HEIGHT  26
#define BAR_HEIGHT  16
#define LEGEND_LINE 18
#define AXIS_HEIGHT 44
#define CHARACTER   8.2
#define LEAST_LABEL 44 /* width of a part that has room for its share */

static bool is_used(const struct hc_figure *figure, size_t part)
{
    for (size_t row = 0; row < figure->n_rows; row++)
        if (figure->part_values[row * figure->n_parts + part] > 0)
            return true;
    return false;
}

/* The names of the parts that are there, in as many lines as they need within width. Returns the
 * height of all, also where stream is NULL and nothing is drawn. */
static double legend_lines(FILE *stream, const double at[2], double width,
                           const struct hc_figure *figure)
{
    double x = at[0], y = at[1];
    for (size_t i = 0; i < figure->n_parts; i++) {
        const struct hc_figure_part *part = &figure->parts[i];
        const char *class = hc_color_class(part->color);
        if (!is_used(figure, i))
            continue;
        double item = 33 + CHARACTER * (double)hc_text_columns(part->name);
        if (x > at[0] && x + item > at[0] + width) {
            x = at[0];
            y += LEGEND_LINE;
        }
        if (stream)
            hc_svg_legend(stream, x, y, &part->name, &class, 1);
        x += item;
    }
    return y + LEGEND_LINE - at[1];
}

static double width_of(const struct hc_figure *figure)
{
    return figure->is_wide ? HC_SVG_WIDE_WIDTH : HC_SVG_WIDTH;
}

static double names_width(const struct hc_figure *figure)
{
    size_t columns = 0;
    for (size_t row = 0; row < figure->n_rows && figure->row_names; row++) {
        size_t n = hc_text_columns(figure->row_names[row]);
        columns = n > columns ? n : columns;
    }
    return columns ? fmin(width_of(figure) * 0.3, CHARACTER * (double)columns + 16) : 12;
}

static void write_title(const struct hc_svg_chart *chart, const struct hc_figure *figure,
                        size_t part, const double value_and_sum[2])
{
    char amount[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    double value = value_and_sum[0];
    int decimals = value < 10 ? 2 : value < 1000 ? 1 : 0;
    fputs("<title>", chart->stream);
    const char *unit = figure->x.unit;
    if (unit && unit[0])
        hc_html_textf(chart->stream, "%s: %s %s, %s", figure->parts[part].name,
                      hc_format_fixed(value, decimals, amount), unit,
                      hc_format_percent(value / value_and_sum[1], share));
    else
        hc_html_textf(chart->stream, "%s: %s", figure->parts[part].name,
                      hc_format_percent(value / value_and_sum[1], share));
    fputs("</title>", chart->stream);
}

static void draw_part(const struct hc_svg_chart *chart, const struct hc_figure *figure, size_t part,
                      const double box[3])
{
    fputs("<rect x=\"", chart->stream);
    hc_svg_number(chart->stream, box[0]);
    fputs("\" y=\"", chart->stream);
    hc_svg_number(chart->stream, box[1]);
    fputs("\" width=\"", chart->stream);
    /* A gap sets neighbours apart that look alike. */
    hc_svg_number(chart->stream, box[2] > 3 ? box[2] - 1 : fmax(box[2], 0.4));
    fprintf(chart->stream, "\" height=\"%d\" class=\"fill %s\">", BAR_HEIGHT,
            hc_color_class(figure->parts[part].color));
}

/* With a halo of the colour of the part, since letters upon a hatch are hard to read. */
static void write_share(const struct hc_svg_chart *chart, enum hc_color color, const double at[2],
                        double share)
{
    char text[HC_NUMBER_TEXT], names[32];
    snprintf(names, sizeof names, "%s halo %s", hc_letters_class(&hc_palette[color]),
             hc_color_class(color));
    hc_svg_text(chart->stream, at[0], at[1], 'm', names, hc_format_percent(share, text));
}

static void draw_row(const struct hc_svg_chart *chart, const struct hc_figure *figure, size_t row,
                     double y)
{
    double sum = hc_figure_row_sum(figure, row), from = 0;
    char text[256];
    if (figure->row_names)
        hc_svg_text(
            chart->stream, chart->left - 8, y + 12, 'e', "title",
            hc_svg_fit(text, sizeof text, figure->row_names[row], 0.9 * (chart->left - 10)));
    for (size_t part = 0; part < figure->n_parts; part++) {
        double value = figure->part_values[row * figure->n_parts + part];
        if (!(value > 0) || !isfinite(value))
            continue;
        double unit = figure->is_share_of_row ? sum : 1;
        double left = hc_svg_chart_x(chart, from / unit);
        double width = hc_svg_chart_x(chart, (from + value) / unit) - left;
        draw_part(chart, figure, part, (double[]){left, y, width});
        write_title(chart, figure, part, (double[]){value, sum});
        fputs("</rect>\n", chart->stream);
        if (figure->is_share_of_row && width >= LEAST_LABEL)
            write_share(chart, figure->parts[part].color, (double[]){left + width / 2, y + 12},
                        value / sum);
        from += value;
    }
}

void hc_svg_stack(FILE *stream, const char *label, const struct hc_figure *figure)
{
    struct hc_svg_chart chart = {.stream = stream, .width = width_of(figure)};
    chart.left = names_width(figure);
    chart.right = chart.width - 28;
    const double at[2] = {12, 12};
    chart.top = at[1] + legend_lines(NULL, at, chart.width - 16, figure);
    chart.bottom = chart.top + ROW_HEIGHT * (double)figure->n_rows + 4;
    chart.height = chart.bottom + (figure->x.title ? AXIS_HEIGHT : AXIS_HEIGHT - 20);
    hc_figure_rows_axis(figure, &chart.x);
    hc_svg_start(stream, chart.width, chart.height, label);
    hc_svg_chart_grid(&chart, (int)chart.top, chart.width > 700 ? 10 : 5);
    fputs("<g class=\"hatched\">\n", stream);
    legend_lines(stream, at, chart.width - 16, figure);
    for (size_t row = 0; row < figure->n_rows; row++)
        draw_row(&chart, figure, row, chart.top + 6 + ROW_HEIGHT * (double)row);
    fputs("</g>\n", stream);
    hc_svg_end(stream);
}
