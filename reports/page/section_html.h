/* section_html.h - a section (reports/write/section.h) on a page. */
#ifndef HC_REPORTS_PAGE_SECTION_HTML_H
#define HC_REPORTS_PAGE_SECTION_HTML_H

#include "reports/write/section.h"

/* The table with its caption (where it has none, its title), the first cell of each row as the head
 * of the row, then each note as a paragraph. HC_INTERNAL as hc_section_write_text.
 */
enum hc_status hc_section_write_html(FILE *stream, const struct hc_section *section);

/* Write a section and finish it, with err filled when memory was short. */
enum hc_status hc_section_print_html(FILE *stream, struct hc_section section, struct hc_error *err);

/* The same below a heading of its own, which is also the caption of a table without one; where the
 * section has no rows, neither is written. */
enum hc_status hc_section_print_headed(FILE *stream, const char *anchor, const char *title,
                                       struct hc_section section, struct hc_error *err);

#endif
