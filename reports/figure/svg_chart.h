/* svg_chart.h - charts with two axes as inline SVG: lines, steps, points, cumulative distributions.
 * Private to this wing.
 *
 * A chart has a size in its own units and is scaled to the width of its place by the page; colours
 * are classes of the page's style (reports/page/palette.h), so both themes share one drawing. class
 * is "s1" to "s12", with "pale" or "deep" before it for bands. Coordinates are
 * written with one decimal: the same bytes everywhere.
 */
#ifndef HC_REPORTS_FIGURE_SVG_CHART_H
#define HC_REPORTS_FIGURE_SVG_CHART_H

#include "reports/page/axis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Sizes that read well in the grid of a page, and across it. The style of the page
 * (reports/page/html_style.c) sets its letters by them. */
#define HC_SVG_WIDTH      440
#define HC_SVG_WIDE_WIDTH 1060
#define HC_SVG_HEIGHT     280

/* ---- pieces that all drawings share ---- */

/* Begin a drawing: label says what it is to those who do not see it. */
void hc_svg_start(FILE *stream, double width, double height, const char *label);
void hc_svg_end(FILE *stream);

/* A coordinate. */
void hc_svg_number(FILE *stream, double value);

/* The outline of a box of size[0] x size[1], as a part of a path. */
void hc_svg_box(FILE *stream, double x, double y, const double size[2]);

/* anchor: 's'tart, 'm'iddle or 'e'nd of the text is at x. class may be NULL. */
void hc_svg_text(FILE *stream, double x, double y, char anchor, const char *class,
                 const char *text);

/* A text no wider than width units as far as can be told without its font: what is too long loses
 * its end. For names from input. Returns to. */
const char *hc_svg_fit(char *to, size_t size, const char *text, double width);

/* Width of one name of a legend with its swatch. */
double hc_svg_legend_width(const char *name);

/* Names of series side by side, from x, y on. */
void hc_svg_legend(FILE *stream, double x, double y, const char *const *names,
                   const char *const *classes, size_t n);

/* ---- charts ---- */

struct hc_svg_chart {
    FILE *stream;
    double width, height;
    double above;                    /* room for a legend between the title of y and the plot */
    double left, right, top, bottom; /* edges of the plot */
    struct hc_axis x, y;
};

/* Begin a chart of chart->width x chart->height with the axes chart->x and chart->y, which have
 * their titles and ranges (hc_axis_round first, if they are to end at ticks). */
void hc_svg_chart_start(struct hc_svg_chart *chart, FILE *stream, const char *label);
void hc_svg_chart_end(struct hc_svg_chart *chart);

/* Upright lines from top to the bottom of the plot at some n_ticks round values of x, each with its
 * number, and the title of the axis below. */
void hc_svg_chart_grid(const struct hc_svg_chart *chart, int top, size_t n_ticks);

/* Where a value is, for whoever draws more. */
double hc_svg_chart_x(const struct hc_svg_chart *chart, double value);
double hc_svg_chart_y(const struct hc_svg_chart *chart, double value);

/* A line through n points by ascending x; with steps, each value holds up to the next x. It is
 * interrupted where a value is not finite, and what is beyond the axes is cut off at their ends. */
void hc_svg_chart_line(struct hc_svg_chart *chart, const char *class, const double *xs,
                       const double *ys, size_t n);
void hc_svg_chart_steps(struct hc_svg_chart *chart, const char *class, const double *xs,
                        const double *ys, size_t n);

/* The area between two curves. */
void hc_svg_chart_band(struct hc_svg_chart *chart, const char *class, const double *xs,
                       const double *lows, const double *highs, size_t n);

/* A dot; title (NULL: none) shows when it is pointed at. */
void hc_svg_chart_dot(struct hc_svg_chart *chart, const char *class, double x, double y,
                      const char *title);

/* A dashed line across the plot at an x or y. */
void hc_svg_chart_rule_x(struct hc_svg_chart *chart, double x);
void hc_svg_chart_rule_y(struct hc_svg_chart *chart, double y);

#endif
