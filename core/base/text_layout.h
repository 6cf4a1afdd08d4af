/* text_layout.h - text for a terminal of limited width.
 *
 * Names that come from input are shown as core/base/printable.h says: an ESC in a job id does not
 * reach the terminal, but "\x1b" does. A column is one code point of UTF-8 (wide and combining
 * characters are not known), or one character of an escape.
 */
#ifndef HC_CORE_BASE_TEXT_LAYOUT_H
#define HC_CORE_BASE_TEXT_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

/* Columns that text takes when it is shown. */
size_t hc_text_columns(const char *text);

/* Copy text into a buffer of size bytes as it is to be shown. A text of more than columns columns,
 * or too long for the buffer, loses its head ("...tail", for paths). NULL gives
 * "". size >= 8, columns >= 4. Returns to. */
const char *hc_text_tail(char *to, size_t size, const char *text, size_t columns);

/* As hc_text_tail, but what is too long loses its end ("head..."). */
const char *hc_text_head(char *to, size_t size, const char *text, size_t columns);

/* Print text and a newline, broken at spaces so that no line passes width columns; the first line
 * begins at column `column`, which is where the cursor is, the others are indented by indent. A
 * word that does not fit a line is broken. */
void hc_text_wrap(FILE *stream, const char *text, size_t column, size_t indent, size_t width);

#endif
