/* svg_gantt.h - who did what when: bars on named lanes over time, in inline SVG.
 * Private to this wing. */
#ifndef HC_REPORTS_FIGURE_SVG_GANTT_H
#define HC_REPORTS_FIGURE_SVG_GANTT_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_GANTT at the width of a page. Bars shorter than can be seen get
 * the least width that can. */
void hc_svg_gantt(FILE *stream, const char *label, const struct hc_figure *figure);

#endif
