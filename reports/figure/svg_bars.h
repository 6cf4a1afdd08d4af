/* svg_bars.h - named values as horizontal bars, in inline SVG. */
#ifndef HC_REPORTS_FIGURE_SVG_BARS_H
#define HC_REPORTS_FIGURE_SVG_BARS_H

#include "reports/page/axis.h"

#include <stddef.h>
#include <stdio.h>

struct hc_svg_bar {
    const char *name, *text; /* text stands at the end of the bar: the value in words */
    double value;            /* not finite: no bar, only the text */
    const char *class;       /* "s1" to "s6" */
};

/* Bars from base (0 of a time, 1 of a slowdown) to their values, the first on top. axis has a title
 * and whether it holds shares; its range is made here and holds all bars. */
void hc_svg_bars(FILE *stream, const char *label, const struct hc_axis *axis, double base,
                 const struct hc_svg_bar *bars, size_t n);

#endif
