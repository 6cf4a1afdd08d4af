/* line_reader.h - the lines of a source (plain, gzip, zstd or xz), one after the other. Memory is
 * that of the longest line, and of HC_LINE_MOST bytes at most. A UTF-8 byte order mark is passed
 * over. */
#ifndef HC_PARSERS_IO_LINE_READER_H
#define HC_PARSERS_IO_LINE_READER_H

#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_LINE_MOST HC_BUFFER_SIZE((size_t)1 << 23)

struct hc_line {
    /* Without its end, which is LF or CR LF; until the next call; may hold NUL. Behind it,
     * HC_TEXT_PADDING bytes may be read. */
    const char *text;
    size_t length;
    int64_t number; /* from 1; of joined lines, that of the first */
    int64_t byte;   /* where it starts in the decompressed data, from 0 */
    bool is_open;   /* the source ends within it: no line feed follows */
    bool is_long;   /* longer than HC_LINE_MOST: only its first bytes are here */
};

struct hc_line_reader;

/* Let a source end behind its last line feed, as far as it is read from now on, where it is not
 * compressed: a writer may be about to finish the line behind it. *left becomes the number of bytes
 * that are left out. */
enum hc_status hc_lines_end_source(struct hc_source *source, int64_t *left, struct hc_error *err);

enum hc_status hc_lines_open(struct hc_line_reader **lines, const struct hc_source *source,
                             struct hc_error *err);
void hc_lines_close(struct hc_line_reader *lines);

/* Go on behind `offset` bytes of the unpacked data, which are n_lines lines: the next line is what
 * follows. */
enum hc_status hc_lines_go_to(struct hc_line_reader *lines, int64_t offset, int64_t n_lines,
                              struct hc_error *err);

/* Bytes of the unpacked data up to the end of the line that was given last, and the lines in them.
 */
int64_t hc_lines_offset(const struct hc_line_reader *lines);
int64_t hc_lines_number(const struct hc_line_reader *lines);

/* Let a line that would be too long end behind its last carriage return: a progress bar writes all
 * of an epoch into one line. What follows has the same number. */
void hc_lines_break_at_returns(struct hc_line_reader *lines);

/* Whether the line that was given last ended so: what is given next is of the same line. */
bool hc_lines_are_broken(const struct hc_line_reader *lines);

/* The next line. *is_over: there is none any more, and line is left as it is. */
enum hc_status hc_lines_next(struct hc_line_reader *lines, struct hc_line *line, bool *is_over,
                             struct hc_error *err);

/* The lines behind the one that was given last which are whole in memory, each with its line feed;
 * *length of 0: there are none, and hc_lines_next has to read some. Until the next call;
 * HC_TEXT_PADDING bytes may be read behind them. */
const char *hc_lines_view(const struct hc_line_reader *lines, size_t *length);

/* Take the first n_lines of what hc_lines_view gave, which are `length` bytes, as given. */
void hc_lines_pass(struct hc_line_reader *lines, size_t length, int64_t n_lines);

/* Join the next line to the one that was given last: *line becomes both, with the line end between
 * them. Where there is none, or both together are too long, *line stays, and *is_joined is false.
 */
enum hc_status hc_lines_join(struct hc_line_reader *lines, struct hc_line *line, bool *is_joined,
                             struct hc_error *err);

/* Take back what was joined: *line is the first line again, and the next line is the one that was
 * joined first. */
void hc_lines_unjoin(struct hc_line_reader *lines, struct hc_line *line);

/* Whether the packed data ended too early, once the lines are over. */
bool hc_lines_are_cut(const struct hc_line_reader *lines);

/* Bytes of the source consumed so far (compressed), for progress. */
int64_t hc_lines_position(const struct hc_line_reader *lines);

#endif
