/* figure_data.h - the numbers of a figure as a text file: for gnuplot, and for whoever draws them
 * with something else. Private to this wing.
 *
 * Lines of '#' say what the figure is. Then comes a table: columns apart by tabs, a first line with
 * their names and units, numbers that read back as the same doubles, "nan" for what is not known,
 * and last the names, which may be foreign text (shown as core/base/printable.h says, so that no
 * tab or newline is in one). A chart whose series differ in x has several tables, two empty lines
 * apart, which gnuplot calls index 0, 1, ...
 */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_FIGURE_DATA_H
#define HC_REPORTS_FIGURE_GNUPLOT_FIGURE_DATA_H

#include "reports/figure/figure.h"

#include <stdio.h>

#define HC_MAX_FIGURE_SERIES 32 /* of a chart; more are left out */

/* Where a series is in the data: its table, and its column in that, counted from 1 as gnuplot does
 * (of a band the lower end, the upper one is in the next). */
struct hc_series_place {
    size_t table, column;
    bool is_first; /* no series before it has the same numbers */
};

void hc_figure_places(const struct hc_figure *figure,
                      struct hc_series_place places[HC_MAX_FIGURE_SERIES]);

/* How many series of a chart are drawn. */
size_t hc_figure_n_series(const struct hc_figure *figure);

void hc_figure_write_data(FILE *stream, const struct hc_figure *figure);

#endif
