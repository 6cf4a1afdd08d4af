/* svg_bars.h - named values as horizontal bars, in inline SVG. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_SVG_BARS_H
#define HC_REPORTS_FIGURE_SVG_BARS_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_BARS, the first row on top. */
void hc_svg_bars(FILE *stream, const char *label, const struct hc_figure *figure);

#endif
