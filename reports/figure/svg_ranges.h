/* svg_ranges.h - named values with their intervals, a row each, in inline SVG.
 * Private to this wing.
 */
#ifndef HC_REPORTS_FIGURE_SVG_RANGES_H
#define HC_REPORTS_FIGURE_SVG_RANGES_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_RANGES: dots with a line from low to high, the first row on top,
 * and its first rule. */
void hc_svg_ranges(FILE *stream, const char *label, const struct hc_figure *figure);

/* Draw one of kind HC_FIGURE_TORNADO: bars from the base to what the figure is at the two ends of
 * each key, with the value of the key at the end of each. */
void hc_svg_tornado(FILE *stream, const char *label, const struct hc_figure *figure);

#endif
