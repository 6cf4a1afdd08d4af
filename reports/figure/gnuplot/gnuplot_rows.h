/* gnuplot_rows.h - bars, ranges, tornados, stacks and lanes as scripts for gnuplot.
 * Private to this wing. */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_ROWS_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_ROWS_H

#include "reports/figure/gnuplot/gnuplot_statements.h"

/* Height of the picture; its settings and plot. */
double hc_gnuplot_rows_height(const struct hc_gnuplot *gnuplot);
void hc_gnuplot_rows(struct hc_gnuplot *gnuplot);
void hc_gnuplot_gantt(struct hc_gnuplot *gnuplot);

#endif
