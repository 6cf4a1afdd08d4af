/* gnuplot_cells.h - matrices as scripts for gnuplot. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_CELLS_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_CELLS_H

#include "reports/figure/gnuplot/gnuplot_statements.h"

/* Height of the picture; its settings and plot. */
double hc_gnuplot_cells_height(const struct hc_gnuplot *gnuplot);
void hc_gnuplot_matrix(struct hc_gnuplot *gnuplot);
void hc_gnuplot_maps(struct hc_gnuplot *gnuplot);

#endif
