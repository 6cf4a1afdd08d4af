#include "reports/figure/svg_chart.h"

#include "core/base/text_layout.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <string.h>

#define CHARACTER_WIDTH 7.2 /* of 12 unit text: wider than most fonts have it */
#define LEFT_MARGIN     62
#define RIGHT_MARGIN    28
#define TOP_MARGIN      16
#define BOTTOM_MARGIN   46

/* ---- pieces ---- */

void hc_svg_start(FILE *stream, double width, double height, const char *label)
{
    fputs("<svg viewBox=\"0 0 ", stream);
    hc_svg_number(stream, width);
    fputc(' ', stream);
    hc_svg_number(stream, height);
    fputs("\" role=\"img\" aria-label=\"", stream);
    hc_html_text(stream, label);
    fputs("\">\n", stream);
}

void hc_svg_end(FILE *stream)
{
    fputs("</svg>\n", stream);
}

void hc_svg_number(FILE *stream, double value)
{
    char text[HC_NUMBER_TEXT];
    hc_format_fixed(isfinite(value) ? value : 0, 1, text);
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, ".0") == 0)
        text[length - 2] = '\0';
    fputs(text, stream);
}

void hc_svg_box(FILE *stream, double x, double y, const double size[2])
{
    fputc('M', stream);
    hc_svg_number(stream, x);
    fputc(' ', stream);
    hc_svg_number(stream, y);
    fputc('h', stream);
    hc_svg_number(stream, size[0]);
    fputc('v', stream);
    hc_svg_number(stream, size[1]);
    fputc('h', stream);
    hc_svg_number(stream, -size[0]);
    fputc('z', stream);
}

void hc_svg_text(FILE *stream, double x, double y, char anchor, const char *class, const char *text)
{
    fputs("<text x=\"", stream);
    hc_svg_number(stream, x);
    fputs("\" y=\"", stream);
    hc_svg_number(stream, y);
    fputc('"', stream);
    if (anchor != 's')
        fprintf(stream, " text-anchor=\"%s\"", anchor == 'm' ? "middle" : "end");
    if (class)
        fprintf(stream, " class=\"%s\"", class);
    fputc('>', stream);
    hc_html_text(stream, text);
    fputs("</text>\n", stream);
}

const char *hc_svg_fit(char *to, size_t size, const char *text, double width)
{
    size_t columns = (size_t)fmax(4, width / CHARACTER_WIDTH);
    return hc_text_head(to, size, text, columns);
}

double hc_svg_legend_width(const char *name)
{
    return 33 + CHARACTER_WIDTH * (double)hc_text_columns(name);
}

void hc_svg_legend(FILE *stream, double x, double y, const char *const *names,
                   const char *const *classes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fputs("<rect x=\"", stream);
        hc_svg_number(stream, x);
        fputs("\" y=\"", stream);
        hc_svg_number(stream, y - 9);
        fprintf(stream, "\" width=\"10\" height=\"10\" rx=\"2\" class=\"fill %s\"/>", classes[i]);
        hc_svg_text(stream, x + 15, y, 's', NULL, names[i]);
        x += hc_svg_legend_width(names[i]);
    }
}

/* One straight line. */
static void segment(FILE *stream, const char *class, const double from[2], const double to[2])
{
    fprintf(stream, "<path class=\"%s\" d=\"M", class);
    hc_svg_number(stream, from[0]);
    fputc(' ', stream);
    hc_svg_number(stream, from[1]);
    fputc('L', stream);
    hc_svg_number(stream, to[0]);
    fputc(' ', stream);
    hc_svg_number(stream, to[1]);
    fputs("\"/>\n", stream);
}

static void line(FILE *stream, const char *class, double x1, double y1, double x2, double y2)
{
    segment(stream, class, (double[]){x1, y1}, (double[]){x2, y2});
}

/* ---- the frame ---- */

static void draw_x_axis(struct hc_svg_chart *chart)
{
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT];
    hc_axis_ticks(&chart->x, (size_t)((chart->right - chart->left) / 55), &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        double x = hc_svg_chart_x(chart, ticks.at[i]);
        line(chart->stream, "gl", x, chart->top, x, chart->bottom);
        hc_svg_text(chart->stream, x, chart->bottom + 16, 'm', NULL,
                    hc_tick_text(&chart->x, &ticks, i, text));
    }
    char title[HC_AXIS_TEXT];
    if (hc_axis_text(&chart->x, title))
        hc_svg_text(chart->stream, (chart->left + chart->right) / 2, chart->height - 8, 'm',
                    "title", title);
}

static void y_ticks(const struct hc_svg_chart *chart, struct hc_ticks *ticks)
{
    hc_axis_ticks(&chart->y, (size_t)((chart->bottom - chart->top) / 36), ticks);
}

/* Wider only for numbers that need it ("100.00 %"), so that most plots begin at the same place. */
static double left_margin(const struct hc_svg_chart *chart)
{
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT];
    size_t columns = 0;
    y_ticks(chart, &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        size_t n = hc_text_columns(hc_tick_text(&chart->y, &ticks, i, text));
        columns = n > columns ? n : columns;
    }
    return columns > 7 ? 8 * (double)columns + 12 : LEFT_MARGIN;
}

static void draw_y_axis(struct hc_svg_chart *chart)
{
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT];
    y_ticks(chart, &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        double y = hc_svg_chart_y(chart, ticks.at[i]);
        line(chart->stream, "gl", chart->left, y, chart->right, y);
        hc_svg_text(chart->stream, chart->left - 8, y + 4, 'e', NULL,
                    hc_tick_text(&chart->y, &ticks, i, text));
    }
    /* The title stands above the axis, not turned by 90 degrees beside it, so that it is easy to
     * read. */
    char title[HC_AXIS_TEXT];
    if (hc_axis_text(&chart->y, title))
        hc_svg_text(chart->stream, 4, 14, 's', "title", title);
}

void hc_svg_chart_start(struct hc_svg_chart *chart, FILE *stream, const char *label)
{
    chart->stream = stream;
    chart->right = chart->width - RIGHT_MARGIN;
    chart->top = TOP_MARGIN + (chart->y.title ? 14 : 0) + chart->above;
    chart->bottom = chart->height - (chart->x.title ? BOTTOM_MARGIN : BOTTOM_MARGIN - 20);
    chart->left = left_margin(chart);
    hc_svg_start(stream, chart->width, chart->height, label);
    draw_y_axis(chart);
    draw_x_axis(chart);
    line(stream, "axis", chart->left, chart->bottom, chart->right, chart->bottom);
}

void hc_svg_chart_end(struct hc_svg_chart *chart)
{
    hc_svg_end(chart->stream);
}

void hc_svg_chart_grid(const struct hc_svg_chart *chart, int top, size_t n_ticks)
{
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT];
    hc_axis_ticks(&chart->x, n_ticks, &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        double x = hc_svg_chart_x(chart, ticks.at[i]);
        fputs("<path class=\"gl\" d=\"M", chart->stream);
        hc_svg_number(chart->stream, x);
        fprintf(chart->stream, " %dV", top);
        hc_svg_number(chart->stream, chart->bottom);
        fputs("\"/>", chart->stream);
        hc_svg_text(chart->stream, x, chart->bottom + 16, 'm', NULL,
                    hc_tick_text(&chart->x, &ticks, i, text));
    }
    char title[HC_AXIS_TEXT];
    if (hc_axis_text(&chart->x, title))
        hc_svg_text(chart->stream, (chart->left + chart->right) / 2, chart->height - 6, 'm',
                    "title", title);
}

double hc_svg_chart_x(const struct hc_svg_chart *chart, double value)
{
    return chart->left + hc_axis_place(&chart->x, value) * (chart->right - chart->left);
}

double hc_svg_chart_y(const struct hc_svg_chart *chart, double value)
{
    return chart->bottom - hc_axis_place(&chart->y, value) * (chart->bottom - chart->top);
}

/* ---- curves ---- */

static double between(double low, double value, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double place_x(const struct hc_svg_chart *chart, double value)
{
    return between(chart->left, hc_svg_chart_x(chart, value), chart->right);
}

static double place_y(const struct hc_svg_chart *chart, double value)
{
    return between(chart->top, hc_svg_chart_y(chart, value), chart->bottom);
}

static void point(struct hc_svg_chart *chart, char command, double x, double y)
{
    fputc(command, chart->stream);
    hc_svg_number(chart->stream, x);
    fputc(' ', chart->stream);
    hc_svg_number(chart->stream, y);
}

/* Whether a value has a place on an axis at all. */
static bool has_place(const struct hc_axis *axis, double value)
{
    return isfinite(value) && (!axis->is_log || value > 0);
}

static void curve(struct hc_svg_chart *chart, const char *class, const double *xs, const double *ys,
                  size_t n, bool is_steps)
{
    bool is_open = false;
    fprintf(chart->stream, "<path class=\"line %s\" d=\"", class);
    for (size_t i = 0; i < n; i++) {
        if (!has_place(&chart->x, xs[i]) || !has_place(&chart->y, ys[i])) {
            is_open = false;
            continue;
        }
        double x = place_x(chart, xs[i]), y = place_y(chart, ys[i]);
        if (is_open && is_steps) {
            fputc('H', chart->stream);
            hc_svg_number(chart->stream, x);
            fputc('V', chart->stream);
            hc_svg_number(chart->stream, y);
        } else {
            point(chart, is_open ? 'L' : 'M', x, y);
        }
        is_open = true;
    }
    fputs("\"/>\n", chart->stream);
}

void hc_svg_chart_line(struct hc_svg_chart *chart, const char *class, const double *xs,
                       const double *ys, size_t n)
{
    curve(chart, class, xs, ys, n, false);
}

void hc_svg_chart_steps(struct hc_svg_chart *chart, const char *class, const double *xs,
                        const double *ys, size_t n)
{
    curve(chart, class, xs, ys, n, true);
}

void hc_svg_chart_band(struct hc_svg_chart *chart, const char *class, const double *xs,
                       const double *lows, const double *highs, size_t n)
{
    bool is_open = false;
    fprintf(chart->stream, "<path class=\"band fill %s\" d=\"", class);
    for (size_t i = 0; i < n; i++)
        if (has_place(&chart->y, highs[i]) && has_place(&chart->y, lows[i])) {
            point(chart, is_open ? 'L' : 'M', place_x(chart, xs[i]), place_y(chart, highs[i]));
            is_open = true;
        }
    for (size_t i = n; i-- > 0;)
        if (has_place(&chart->y, highs[i]) && has_place(&chart->y, lows[i]))
            point(chart, 'L', place_x(chart, xs[i]), place_y(chart, lows[i]));
    fputs(is_open ? "Z\"/>\n" : "\"/>\n", chart->stream);
}

void hc_svg_chart_dot(struct hc_svg_chart *chart, const char *class, double x, double y,
                      const char *title)
{
    if (!has_place(&chart->x, x) || !has_place(&chart->y, y))
        return;
    fprintf(chart->stream, "<circle class=\"dot %s\" r=\"3\" cx=\"", class);
    hc_svg_number(chart->stream, place_x(chart, x));
    fputs("\" cy=\"", chart->stream);
    hc_svg_number(chart->stream, place_y(chart, y));
    if (title) {
        fputs("\"><title>", chart->stream);
        hc_html_text(chart->stream, title);
        fputs("</title></circle>\n", chart->stream);
    } else {
        fputs("\"/>\n", chart->stream);
    }
}

/* ---- rules ---- */

void hc_svg_chart_rule_x(struct hc_svg_chart *chart, double x)
{
    if (!has_place(&chart->x, x))
        return;
    double at = hc_svg_chart_x(chart, x);
    if (at >= chart->left && at <= chart->right)
        line(chart->stream, "rule", at, chart->top, at, chart->bottom);
}

void hc_svg_chart_rule_y(struct hc_svg_chart *chart, double y)
{
    if (!has_place(&chart->y, y))
        return;
    double at = hc_svg_chart_y(chart, y);
    if (at >= chart->top - 0.05 && at <= chart->bottom + 0.05)
        line(chart->stream, "rule", chart->left, at, chart->right, at);
}
