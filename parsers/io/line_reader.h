/* line_reader.h - the lines of a text, in bounded memory.
 *
 * Lines end in LF or CRLF; a UTF-8 byte order mark is passed over. A line, or lines joined to one,
 * have at most HC_LINE_MAX bytes.
 */
#ifndef HC_PARSERS_IO_LINE_READER_H
#define HC_PARSERS_IO_LINE_READER_H

#include "core/base/memory.h"
#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_LINE_MAX HC_BUFFER_SIZE((size_t)1 << 20)

/* Without its end. Not terminated, but HC_TEXT_PADDING bytes behind it may be read. */
struct hc_line {
    const char *text; /* NULL at the end of the file; valid until the next call */
    size_t length;
    int64_t number; /* from 1 */
    int64_t byte;   /* where it starts in the decompressed data, from 0 */
    bool is_ended;  /* by a line end; false for a last line without one */
};

struct hc_line_reader;

enum hc_status hc_lines_open(struct hc_line_reader **reader, const struct hc_source *source,
                             struct hc_error *err);
void hc_lines_close(struct hc_line_reader *reader);

/* The next line. HC_BAD_INPUT, naming file, line and byte: a line that is too long, damaged
 * compressed data. */
enum hc_status hc_lines_next(struct hc_line_reader *reader, struct hc_line *line,
                             struct hc_error *err);

/* Join the next line to the one that was given last: *line becomes both, with the line end between
 * them. At the end of the file *line stays as it was, and *is_joined is false. */
enum hc_status hc_lines_join(struct hc_line_reader *reader, struct hc_line *line, bool *is_joined,
                             struct hc_error *err);

/* Go back behind the first of joined lines: the next line is the one that was joined first. */
void hc_lines_unjoin(struct hc_line_reader *reader);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_lines_position(const struct hc_line_reader *reader);

#endif
