/* csv_writer.h - tables as CSV for spreadsheets and data frames: quoted as RFC 4180 says, lines end
 * in a line feed, decimal points whatever the locale, empty where a value is not known.
 *
 * Texts may be foreign (names of jobs and nodes). What must not be shown as it is becomes an escape
 * (core/base/printable.h). A spreadsheet takes a text that begins with '=', '+', '-' or '@' for a
 * formula, and runs it: such a text gets an apostrophe in front, and so does one that begins with
 * an apostrophe, so that whoever takes one away has the text. A text that is a number ("-1.5") is
 * none of these.
 *
 * Write errors are kept by the stream, for whoever opened it.
 */
#ifndef HC_CORE_TEXT_CSV_WRITER_H
#define HC_CORE_TEXT_CSV_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Starts with a stream and nothing else. */
struct hc_csv {
    FILE *stream;
    bool has_field; /* in the row at hand */
};

void hc_csv_text(struct hc_csv *csv, const char *text); /* NULL: empty */
void hc_csv_i64(struct hc_csv *csv, int64_t value);     /* missing: empty */
void hc_csv_real(struct hc_csv *csv, double value);     /* not finite: empty; reads back the same */
void hc_csv_bool(struct hc_csv *csv, bool value);       /* true or false */

/* End of the row. */
void hc_csv_end(struct hc_csv *csv);

#endif
