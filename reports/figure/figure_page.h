/* figure_page.h - figures on a page, as inline SVG. */
#ifndef HC_REPORTS_FIGURE_FIGURE_PAGE_H
#define HC_REPORTS_FIGURE_FIGURE_PAGE_H

#include "reports/figure/figure.h"

#include <stdio.h>

/* A sink that puts each figure, with its title and note, on the page that is written to stream. */
struct hc_figure_sink hc_figure_page(FILE *stream);

#endif
