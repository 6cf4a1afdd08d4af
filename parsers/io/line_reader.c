#include "parsers/io/line_reader.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW HC_BUFFER_SIZE((size_t)1 << 18) /* at first */
#define SHOWN  256                             /* bytes of a line that is too long */

struct hc_line_reader {
    struct hc_byte_reader *reader;
    char *bytes;
    size_t capacity, at, end; /* bytes[at, end) was read and not yet used */
    int64_t number;
    bool is_ended, is_cut;
    char shown[SHOWN]; /* of a line that is too long */
};

enum hc_status hc_lines_open(struct hc_line_reader **lines, const struct hc_source *source,
                             struct hc_error *err)
{
    *lines = NULL;
    struct hc_line_reader *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->capacity = WINDOW;
    p->bytes = hc_new_array(p->capacity, 1, err);
    if (!p->bytes || hc_byte_reader_open(&p->reader, source, err)) {
        hc_lines_close(p);
        return err->status;
    }
    *lines = p;
    return HC_OK;
}

void hc_lines_close(struct hc_line_reader *lines)
{
    if (!lines)
        return;
    hc_byte_reader_close(lines->reader);
    free(lines->bytes);
    free(lines);
}

/* Read more behind what is left, in a longer window where it is full. */
static enum hc_status read_more(struct hc_line_reader *p, struct hc_error *err)
{
    size_t left = p->end - p->at, length = 0;
    memmove(p->bytes, p->bytes + p->at, left);
    p->at = 0;
    p->end = left;
    if (p->capacity - left < p->capacity / 4 &&
        hc_reserve(&p->bytes, &p->capacity, p->capacity * 2, 1, err))
        return err->status;
    enum hc_status status =
        hc_byte_reader_read(p->reader, p->bytes + left, p->capacity - left, &length, err);
    if (status == HC_BAD_INPUT && hc_byte_reader_is_cut(p->reader)) {
        *err = (struct hc_error){0};
        p->is_cut = p->is_ended = true;
        status = HC_OK;
    }
    p->is_ended |= length == 0;
    p->end += length;
    return status;
}

/* Read over what is left of a line that is too long. */
static enum hc_status skip_rest(struct hc_line_reader *p, struct hc_error *err)
{
    for (;;) {
        const char *feed = memchr(p->bytes + p->at, '\n', p->end - p->at);
        p->at = feed ? (size_t)(feed - p->bytes) + 1 : p->end;
        if (feed || p->is_ended)
            return HC_OK;
        if (read_more(p, err))
            return err->status;
    }
}

/* Of a line that is too long, the first bytes. */
static enum hc_status give_long(struct hc_line_reader *p, struct hc_line *line,
                                struct hc_error *err)
{
    memcpy(p->shown, p->bytes + p->at, SHOWN);
    *line = (struct hc_line){p->shown, SHOWN, ++p->number, false, true};
    return skip_rest(p, err);
}

enum hc_status hc_lines_next(struct hc_line_reader *p, struct hc_line *line, bool *is_over,
                             struct hc_error *err)
{
    size_t looked = 0; /* bytes of the line that have no line feed */
    *is_over = false;
    for (;;) {
        const char *start = p->bytes + p->at;
        const char *feed = memchr(start + looked, '\n', p->end - p->at - looked);
        if (feed || (p->is_ended && p->at < p->end)) {
            const char *end = feed ? feed : p->bytes + p->end;
            p->at = (size_t)(end - p->bytes) + (feed != NULL);
            end -= end > start && end[-1] == '\r';
            *line = (struct hc_line){start, (size_t)(end - start), ++p->number, !feed, false};
            return HC_OK;
        }
        *is_over = p->is_ended;
        if (*is_over)
            return HC_OK;
        looked = p->end - p->at;
        if (looked >= HC_LINE_MOST)
            return give_long(p, line, err);
        if (read_more(p, err))
            return err->status;
    }
}

bool hc_lines_are_cut(const struct hc_line_reader *lines)
{
    return lines->is_cut;
}

int64_t hc_lines_position(const struct hc_line_reader *lines)
{
    return hc_byte_reader_position(lines->reader);
}
