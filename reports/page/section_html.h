/* section_html.h - a section (reports/write/section.h) on a page. */
#ifndef HC_REPORTS_PAGE_SECTION_HTML_H
#define HC_REPORTS_PAGE_SECTION_HTML_H

#include "reports/write/section.h"

/* The table with its caption, then each note as a paragraph. */
void hc_section_write_html(FILE *stream, const struct hc_section *section);

#endif
