/* whatif_html.h - a straggler what-if as one self-contained HTML page. */
#ifndef HC_REPORTS_WHATIF_WHATIF_HTML_H
#define HC_REPORTS_WHATIF_WHATIF_HTML_H

#include "core/base/status.h"
#include "reports/whatif/whatif_report.h"

#include <stdio.h>

/* Raised when pages are written otherwise than before: those that a fleet has from earlier runs are
 * made anew. */
#define HC_WHATIF_PAGE_VERSION 2

/* Write the page: the verdict first, then the figures, the workers, the steps, the splits, what a
 * fix would bring, one step as it was and as it should be, and where all of it comes from. Parts
 * that were not done are left out. Fails when memory is short or the stream does. */
enum hc_status hc_whatif_write_html(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err);

#endif
