/* svg_stack.h - rows of stacked parts: shares of a whole, or amounts side by side; in inline SVG.
 */
#ifndef HC_REPORTS_FIGURE_SVG_STACK_H
#define HC_REPORTS_FIGURE_SVG_STACK_H

#include "reports/page/axis.h"

#include <stddef.h>
#include <stdio.h>

struct hc_svg_stack {
    size_t n_rows, n_parts;
    const char *const *row_names; /* NULL: one row without a name */
    const char *const *part_names, *const *part_classes;
    const double *values; /* [row * n_parts + part]; what is not above 0 is left out */
    const char *unit;     /* behind the values that show when a part is pointed at; "" for none */
    bool is_share;        /* each row is drawn as shares of its sum */
    const char *axis_title;
    double axis_factor; /* as that of an axis; 0: 1 */
    double width;       /* HC_SVG_WIDTH or HC_SVG_WIDE_WIDTH */
};

/* Draw it with its legend on top, which has the parts that are there. */
void hc_svg_stack(FILE *stream, const char *label, const struct hc_svg_stack *stack);

/* A legend in as many lines as it needs within width; the parts that are not in use (NULL: all
 * are) are left out. Returns the height that it takes, also where stream is NULL and nothing is
 * drawn. */
double hc_svg_legend_lines(FILE *stream, const double at[2], double width,
                           const struct hc_svg_stack *stack, const bool *in_use);

#endif
