/* gnuplot_chart.h - charts as scripts for gnuplot. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_CHART_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_CHART_H

#include "reports/figure/gnuplot/gnuplot_statements.h"

/* Height of the picture; its settings and plot. */
double hc_gnuplot_chart_height(const struct hc_gnuplot *gnuplot);
void hc_gnuplot_chart(struct hc_gnuplot *gnuplot);

#endif
