/* line_reader.h - the lines of a source (plain, gzip, zstd or xz), one after the other. Memory is
 * that of the longest line, and of HC_LINE_MOST bytes at most. */
#ifndef HC_PARSERS_IO_LINE_READER_H
#define HC_PARSERS_IO_LINE_READER_H

#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_LINE_MOST HC_BUFFER_SIZE((size_t)1 << 23)

struct hc_line {
    const char *text; /* without its end, which is LF or CR LF; until the next line; may hold NUL */
    size_t length;
    int64_t number; /* from 1 */
    bool is_open;   /* the source ends within it: no line feed follows */
    bool is_long;   /* longer than HC_LINE_MOST: only its first bytes are here */
};

struct hc_line_reader;

enum hc_status hc_lines_open(struct hc_line_reader **lines, const struct hc_source *source,
                             struct hc_error *err);
void hc_lines_close(struct hc_line_reader *lines);

/* The next line. *is_over: there is none any more, and line is left as it is. */
enum hc_status hc_lines_next(struct hc_line_reader *lines, struct hc_line *line, bool *is_over,
                             struct hc_error *err);

/* Whether the packed data ended too early, once the lines are over. */
bool hc_lines_are_cut(const struct hc_line_reader *lines);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_lines_position(const struct hc_line_reader *lines);

#endif
