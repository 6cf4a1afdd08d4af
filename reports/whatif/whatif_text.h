/* whatif_text.h - the summary of a straggler what-if for a terminal. */
#ifndef HC_REPORTS_WHATIF_WHATIF_TEXT_H
#define HC_REPORTS_WHATIF_WHATIF_TEXT_H

#include "core/base/status.h"
#include "reports/whatif/whatif_report.h"

#include <stdio.h>

/* Write the summary: plain ASCII but for names from the input, 80 columns, no colour, the same
 * bytes for the same result. Figures that are not defined print as "-" with the reason. HC_IO when
 * the stream fails. */
enum hc_status hc_whatif_write_text(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err);

#endif
