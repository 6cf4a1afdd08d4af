/* svg_matrix.h - matrices as coloured cells, in inline SVG. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_SVG_MATRIX_H
#define HC_REPORTS_FIGURE_SVG_MATRIX_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* Draw a figure of kind HC_FIGURE_MATRIX, y = 0 on top, with the values in its cells where they fit
 * and its legend below. Where there are more cells than can be told apart, neighbours become one
 * that shows their maximum. */
enum hc_status hc_svg_matrix(FILE *stream, const char *label, const struct hc_figure *figure,
                             struct hc_error *err);

/* How many columns and rows became one: 1 and 1 where each has its own cell. */
void hc_svg_matrix_fold(const struct hc_figure *figure, size_t *fold_x, size_t *fold_y);

/* Draw a figure of kind HC_FIGURE_MAPS: a small drawing for each panel, after a legend of the
 * shades. */
enum hc_status hc_svg_maps(FILE *stream, const char *label, const struct hc_figure *figure,
                           struct hc_error *err);

#endif
