#include "reports/figure/svg_stack.h"

#include "core/base/text_layout.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <string.h>

#define ROW_HEIGHT  26
#define BAR_HEIGHT  16
#define LEGEND_LINE 18
#define AXIS_HEIGHT 44
#define CHARACTER   8.2
#define MAX_PARTS   32
#define LEAST_LABEL 44 /* width of a part that has room for its share */

double hc_svg_legend_lines(FILE *stream, const double at[2], double width,
                           const struct hc_svg_stack *stack, const bool *in_use)
{
    double x = at[0], y = at[1];
    for (size_t i = 0; i < stack->n_parts; i++) {
        if (in_use && !in_use[i])
            continue;
        double item = 33 + CHARACTER * (double)hc_text_columns(stack->part_names[i]);
        if (x > at[0] && x + item > at[0] + width) {
            x = at[0];
            y += LEGEND_LINE;
        }
        if (stream)
            hc_svg_legend(stream, x, y, &stack->part_names[i], &stack->part_classes[i], 1);
        x += item;
    }
    return y + LEGEND_LINE - at[1];
}

static double row_sum(const struct hc_svg_stack *stack, size_t row)
{
    double sum = 0;
    for (size_t part = 0; part < stack->n_parts; part++) {
        double value = stack->values[row * stack->n_parts + part];
        sum += value > 0 && isfinite(value) ? value : 0;
    }
    return sum;
}

static double names_width(const struct hc_svg_stack *stack)
{
    size_t columns = 0;
    for (size_t row = 0; row < stack->n_rows && stack->row_names; row++) {
        size_t n = hc_text_columns(stack->row_names[row]);
        columns = n > columns ? n : columns;
    }
    return columns ? fmin(stack->width * 0.3, CHARACTER * (double)columns + 16) : 12;
}

static void write_title(const struct hc_svg_chart *chart, const struct hc_svg_stack *stack,
                        size_t part, const double value_and_sum[2])
{
    char amount[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    double value = value_and_sum[0];
    int decimals = value < 10 ? 2 : value < 1000 ? 1 : 0;
    fputs("<title>", chart->stream);
    if (stack->unit[0])
        hc_html_textf(chart->stream, "%s: %s %s, %s", stack->part_names[part],
                      hc_format_fixed(value, decimals, amount), stack->unit,
                      hc_format_percent(value / value_and_sum[1], share));
    else
        hc_html_textf(chart->stream, "%s: %s", stack->part_names[part],
                      hc_format_percent(value / value_and_sum[1], share));
    fputs("</title>", chart->stream);
}

static void draw_part(const struct hc_svg_chart *chart, const struct hc_svg_stack *stack,
                      size_t part, const double box[3])
{
    fputs("<rect x=\"", chart->stream);
    hc_svg_number(chart->stream, box[0]);
    fputs("\" y=\"", chart->stream);
    hc_svg_number(chart->stream, box[1]);
    fputs("\" width=\"", chart->stream);
    /* A gap sets neighbours apart that look alike. */
    hc_svg_number(chart->stream, box[2] > 3 ? box[2] - 1 : fmax(box[2], 0.4));
    fprintf(chart->stream, "\" height=\"%d\" class=\"fill %s\">", BAR_HEIGHT,
            stack->part_classes[part]);
}

/* s10 is the one colour that is light on light pages and dark on dark ones. */
static const char *label_class(const struct hc_svg_stack *stack, size_t part)
{
    return strcmp(stack->part_classes[part], "s10") == 0 ? "off" : "on";
}

static void draw_row(const struct hc_svg_chart *chart, const struct hc_svg_stack *stack, size_t row,
                     double y)
{
    double sum = row_sum(stack, row), from = 0;
    char text[256];
    if (stack->row_names)
        hc_svg_text(chart->stream, chart->left - 8, y + 12, 'e', "title",
                    hc_svg_fit(text, sizeof text, stack->row_names[row], 0.9 * (chart->left - 10)));
    for (size_t part = 0; part < stack->n_parts; part++) {
        double value = stack->values[row * stack->n_parts + part];
        if (!(value > 0) || !isfinite(value))
            continue;
        double unit = stack->is_share ? sum : 1;
        double left = hc_svg_chart_x(chart, from / unit);
        double width = hc_svg_chart_x(chart, (from + value) / unit) - left;
        draw_part(chart, stack, part, (double[]){left, y, width});
        write_title(chart, stack, part, (double[]){value, sum});
        fputs("</rect>\n", chart->stream);
        if (stack->is_share && width >= LEAST_LABEL)
            hc_svg_text(chart->stream, left + width / 2, y + 12, 'm', label_class(stack, part),
                        hc_format_percent(value / sum, text));
        from += value;
    }
}

void hc_svg_stack(FILE *stream, const char *label, const struct hc_svg_stack *stack)
{
    struct hc_svg_chart chart = {.stream = stream, .width = stack->width};
    bool in_use[MAX_PARTS] = {false};
    double most = 0;
    for (size_t row = 0; row < stack->n_rows; row++) {
        most = fmax(most, row_sum(stack, row));
        for (size_t part = 0; part < stack->n_parts && part < MAX_PARTS; part++)
            in_use[part] |= stack->values[row * stack->n_parts + part] > 0;
    }
    chart.left = names_width(stack);
    chart.right = chart.width - 28;
    const double at[2] = {12, 12};
    chart.top = at[1] + hc_svg_legend_lines(NULL, at, chart.width - 16, stack, in_use);
    chart.bottom = chart.top + ROW_HEIGHT * (double)stack->n_rows + 4;
    chart.height = chart.bottom + (stack->axis_title ? AXIS_HEIGHT : AXIS_HEIGHT - 20);
    chart.x = (struct hc_axis){.title = stack->axis_title,
                               .high = stack->is_share ? 1
                                       : most > 0      ? most
                                                       : 1,
                               .is_share = stack->is_share,
                               .factor = stack->axis_factor};
    hc_svg_start(stream, chart.width, chart.height, label);
    hc_svg_legend_lines(stream, at, chart.width - 16, stack, in_use);
    hc_svg_chart_grid(&chart, (int)chart.top, chart.width > 700 ? 10 : 5);
    for (size_t row = 0; row < stack->n_rows; row++)
        draw_row(&chart, stack, row, chart.top + 6 + ROW_HEIGHT * (double)row);
    hc_svg_end(stream);
}
