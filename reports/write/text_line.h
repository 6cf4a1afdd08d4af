/* text_line.h - a paragraph of a text report: it grows by printf, and is printed under a label. */
#ifndef HC_REPORTS_WRITE_TEXT_LINE_H
#define HC_REPORTS_WRITE_TEXT_LINE_H

#include <stddef.h>
#include <stdio.h>

#define HC_TEXT_WIDTH  80
#define HC_LABEL_WIDTH 14

/* Cut when it is full. */
struct hc_text_line {
    char text[1024];
    size_t used;
};

void hc_line_add(struct hc_text_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print the line beside its label, wrapped, and empty it. */
void hc_line_put(FILE *stream, const char *label, struct hc_text_line *line);

#endif
