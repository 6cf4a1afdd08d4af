/* heatmap_text.h - a matrix as plain text: numbers where they fit, shades of ASCII where not. */
#ifndef HC_REPORTS_WRITE_HEATMAP_TEXT_H
#define HC_REPORTS_WRITE_HEATMAP_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct hc_heatmap {
    size_t n_x, n_y;
    const double *values;        /* [x * n_y + y]; NaN is "not known" */
    double low, high;            /* the range of the shades; beyond it the first and last shade */
    const char *x_name, *y_name; /* "dp rank", "stage" */
};

/* Write map within 80 columns, y = 0 on top: the value and shade of each cell when a row of them
 * fits, else one shade a cell. Where there are more cells than fit, neighbours are folded into one
 * cell that shows their maximum, and a line says so. Ends with the legend of the shades. A map
 * without cells writes nothing. */
void hc_heatmap_write_text(FILE *stream, const struct hc_heatmap *map);

#endif
