/* svg_series.h - the series, marks and rules of a chart, in inline SVG. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_SVG_SERIES_H
#define HC_REPORTS_FIGURE_SVG_SERIES_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_CHART. */
enum hc_status hc_svg_series(FILE *stream, const char *label, const struct hc_figure *figure,
                             struct hc_error *err);

#endif
