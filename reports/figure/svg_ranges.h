/* svg_ranges.h - named values with their intervals, a row each, in inline SVG. */
#ifndef HC_REPORTS_FIGURE_SVG_RANGES_H
#define HC_REPORTS_FIGURE_SVG_RANGES_H

#include "reports/page/axis.h"

#include <stddef.h>
#include <stdio.h>

struct hc_svg_range {
    const char *name, *text; /* text: the value in words, at the end of the row */
    double value, low, high; /* not finite: not drawn */
    const char *class;       /* "s1" to "s6" */
};

/* Dots with a line from low to high, the first row on top. axis has a title and whether it holds
 * shares; its range is made here. rule: a dashed line there, if it is finite; it is always within
 * the axis. */
void hc_svg_ranges(FILE *stream, const char *label, const struct hc_axis *axis, double rule,
                   const struct hc_svg_range *ranges, size_t n);

/* A tornado: what a value becomes at the two ends of each of several keys. */
struct hc_svg_tornado_row {
    const char *name;
    const char *low_text, *high_text; /* the two values of the key */
    double at_low, at_high;           /* of the figure there */
    double low_interval[2], high_interval[2];
};

/* Bars from base to at_low (class "s1") and to at_high ("s2"), with the value of the key at
 * the end of each. */
void hc_svg_tornado(FILE *stream, const char *label, const struct hc_axis *axis, double base,
                    const struct hc_svg_tornado_row *rows, size_t n);

#endif
