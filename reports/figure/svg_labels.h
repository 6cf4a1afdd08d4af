/* svg_labels.h - where the texts upon a chart go, so that none lies on another.
 * Private to this wing.
 *
 *     struct hc_svg_labels labels = {.figure = figure};
 *     hc_svg_label(&labels, chart, &(struct hc_svg_label){"knee: 1", "strong", places, 4});
 *
 * A text takes the first of its places that is within the drawing, free, and not upon a curve; else
 * the first that is free. Where none is, it goes down from the last of them, line by line, until it
 * finds room.
 */
#ifndef HC_REPORTS_FIGURE_SVG_LABELS_H
#define HC_REPORTS_FIGURE_SVG_LABELS_H

#include "reports/figure/figure.h"
#include "reports/figure/svg_chart.h"

#define HC_MAX_LABELS 48

struct hc_svg_box {
    double left, right, top, bottom;
};

/* The boxes of the texts that are there, and the figure whose curves they avoid. */
struct hc_svg_labels {
    const struct hc_figure *figure;
    size_t n;
    struct hc_svg_box box[HC_MAX_LABELS];
};

struct hc_svg_place {
    double x, y; /* of the text's base line */
    char anchor; /* as of hc_svg_text */
};

struct hc_svg_label {
    const char *text, *class;
    const struct hc_svg_place *places;
    size_t n_places; /* at least 1 */
};

void hc_svg_label(struct hc_svg_labels *labels, const struct hc_svg_chart *chart,
                  const struct hc_svg_label *label);

#endif
