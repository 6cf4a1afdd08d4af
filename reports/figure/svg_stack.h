/* svg_stack.h - rows of stacked parts: shares of a whole, or amounts side by side; in inline SVG.
 * Private to this wing. */
#ifndef HC_REPORTS_FIGURE_SVG_STACK_H
#define HC_REPORTS_FIGURE_SVG_STACK_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_STACK with its legend on top, which has the parts that are there.
 */
void hc_svg_stack(FILE *stream, const char *label, const struct hc_figure *figure);

#endif
