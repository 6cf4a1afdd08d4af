/* table_maps.h - tables of the cells of matrices. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_TABLE_MAPS_H
#define HC_REPORTS_FIGURE_TABLE_MAPS_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* All cells of a small matrix; of others the ten that matter most: the largest, of a reversed one
 * the smallest. */
void hc_table_of_matrix(FILE *stream, const struct hc_figure *figure);

/* A row for each panel, with the cell that matters most. */
void hc_table_of_maps(FILE *stream, const struct hc_figure *figure);

#endif
