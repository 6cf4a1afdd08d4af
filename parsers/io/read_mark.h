/* read_mark.h - where the reading of a file that only grows can go on: behind whole lines that were
 * read, with what the parser knew there.
 *
 * What is promised: to open a file at a mark and read its rest gives the rows that reading all of
 * it gives, but for those that it gave before the mark. Rows that were given since at the end of
 * the file, such as the launch at hand, come again under the same key. So a parser marks a place
 * only where nothing waits in it for further lines that its state does not hold. */
#ifndef HC_PARSERS_IO_READ_MARK_H
#define HC_PARSERS_IO_READ_MARK_H

#include "core/tables/row_report.h"
#include "parsers/io/line_reader.h"

#include <stdint.h>

struct hc_read_mark {
    int64_t offset;              /* bytes before it, unpacked; 0: none */
    int64_t line;                /* lines before it */
    int64_t rows_read, rows_bad; /* of them */
    /* What the parser knew: a record of the format's state_record, of state_size bytes; the owner's
     * to free. NULL: nothing but the place. */
    void *state;
};

/* Whether a mark behind the line that was given last is worth its while: far enough behind the one
 * before. */
bool hc_read_mark_is_due(const struct hc_read_mark *mark, const struct hc_line_reader *lines);

/* Mark the end of the line that was given last; the state stays as it is. */
void hc_read_mark_put(struct hc_read_mark *mark, const struct hc_line_reader *lines,
                      const struct hc_row_report *report);

/* Go on there; where mark is NULL, from the first line on. */
enum hc_status hc_read_mark_go_on(const struct hc_read_mark *mark, struct hc_line_reader *lines,
                                  struct hc_error *err);

#endif
