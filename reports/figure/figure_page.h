/* figure_page.h - figures on a page, as inline SVG. */
#ifndef HC_REPORTS_FIGURE_FIGURE_PAGE_H
#define HC_REPORTS_FIGURE_FIGURE_PAGE_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* A sink that puts each figure, with its title and note, on the page that is written to stream. */
struct hc_figure_sink hc_figure_page(FILE *stream);

/* The drawing alone. */
enum hc_status hc_figure_write_svg(FILE *stream, const struct hc_figure *figure,
                                   struct hc_error *err);

#endif
