/* log_text.h - what a program printed, out of the lines in which a log holds it: progress bars go
 * back to the beginning of a line over and over (CR), terminals are told colours (ESC [ ... m), and
 * container engines put each line into one of their own:
 *
 *     2026-03-01T10:00:00.123456789Z stdout F the line
 *     {"log":"the line\n","stream":"stdout","time":"2026-03-01T10:00:00.123456789Z"}
 */
#ifndef HC_PARSERS_IO_LOG_TEXT_H
#define HC_PARSERS_IO_LOG_TEXT_H

#include "parsers/io/line_reader.h"

/* Zeroed before the first line. */
struct hc_log_text {
    struct hc_line line;
    size_t at; /* behind the piece that was given last */
    bool is_over;
    char *clean;
    size_t capacity;
};

void hc_log_text_fini(struct hc_log_text *text);

/* Begin with a line, which stays until the last piece of it was given. */
void hc_log_text_begin(struct hc_log_text *text, const struct hc_line *line);

/* The next piece of the line, as the program printed it; the line itself where there is nothing to
 * clean. *is_there: false when it is over. *has_stamp: the engine's time stands before it, and a
 * blank. Valid until the next call. */
enum hc_status hc_log_text_next(struct hc_log_text *text, struct hc_line *piece, bool *is_there,
                                bool *has_stamp, struct hc_error *err);

#endif
