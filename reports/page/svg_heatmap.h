/* svg_heatmap.h - a matrix as coloured cells, in inline SVG. */
#ifndef HC_REPORTS_PAGE_SVG_HEATMAP_H
#define HC_REPORTS_PAGE_SVG_HEATMAP_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hc_svg_heatmap {
    size_t n_x, n_y;
    const double *values; /* [x * n_y + y]; NaN is "not known" */
    double low, high;     /* the range of the ten shades; beyond it the first and last */
    const char *x_name, *y_name;
    const int32_t *x_ids, *y_ids; /* names of columns and rows; NULL: 0, 1, ... */
    double width;                 /* HC_SVG_WIDTH, HC_SVG_WIDE_WIDTH, or less */
    bool is_small;                /* one of many: without names, values and legend */
    /* Names of columns and rows that are no numbers; NULL: their ids. */
    const char *const *x_labels, *const *y_labels;
    bool is_whole_range; /* no value is above high, and the legend does not say "and more" */
    bool is_reversed;    /* the light shades are for high values */
    bool has_decimals;   /* of values and legend as in decimals; else 2, and 3 when pointed at */
    int decimals;
};

/* Draw the map, y = 0 on top, with the values in its cells where they fit and its legend below.
 * Where there are more cells than can be told apart, neighbours become one that shows their
 * maximum. */
enum hc_status hc_svg_heatmap(FILE *stream, const char *label, const struct hc_svg_heatmap *map,
                              struct hc_error *err);

/* How many columns and rows became one, for the caption: 1 and 1 where each has its own cell. */
void hc_svg_heatmap_fold(const struct hc_svg_heatmap *map, size_t *fold_x, size_t *fold_y);

/* The legend on its own, for many small maps. */
void hc_svg_heatmap_legend(FILE *stream, double low, double high);

#endif
