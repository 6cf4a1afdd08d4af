/* figure_table.h - the numbers of a figure as an HTML table. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_FIGURE_TABLE_H
#define HC_REPORTS_FIGURE_FIGURE_TABLE_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* A folded table under a drawing, for those who do not see it or want its numbers. What has more
 * than HC_MOST_TABLE_ROWS of them is summed up: each series by its ends and extremes, a map by its
 * largest cells, lanes by the time of each kind of bar. All numbers are in the data of --figures.
 */
#define HC_MOST_TABLE_ROWS 40
void hc_figure_write_table(FILE *stream, const struct hc_figure *figure);

#endif
