#include "parsers/io/line_reader.h"

#include "core/text/number_text.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW HC_BUFFER_SIZE((size_t)1 << 18) /* at first */
#define SHOWN  256                             /* bytes of a line that is too long */

struct hc_line_reader {
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    char *bytes; /* capacity of them, HC_TEXT_PADDING behind what was read */
    size_t capacity;
    size_t start, next, end; /* bytes[start, next): the line given last, with its end;
                                bytes[next, end): read and not yet given */
    size_t second;           /* behind the first line of joined ones */
    int64_t base;            /* offset of bytes[0] in the decompressed data */
    int64_t number;          /* of the line given last */
    int64_t n_joined;        /* lines, to it */
    bool is_ended, is_cut;
    bool breaks_at_return, is_broken;    /* a long line may end there; the last one did */
    char shown[SHOWN + HC_TEXT_PADDING]; /* of a line that is too long */
};

enum hc_status hc_lines_end_source(struct hc_source *source, int64_t *left, struct hc_error *err)
{
    char bytes[4096];
    int64_t end = source->size, start = end;
    *left = 0;
    size_t length = end < (int64_t)sizeof bytes ? (size_t)end : sizeof bytes;
    if (hc_source_read_at(source, 0, bytes, length, err))
        return err->status;
    if (hc_is_packed((const unsigned char *)bytes, length))
        return HC_OK;
    for (const char *feed = NULL; end > 0; end = start) {
        start = end > (int64_t)sizeof bytes ? end - (int64_t)sizeof bytes : 0;
        length = (size_t)(end - start);
        if (hc_source_read_at(source, start, bytes, length, err))
            return err->status;
        if ((feed = memrchr(bytes, '\n', length))) {
            end = start + (feed - bytes) + 1;
            break;
        }
    }
    *left = source->size - end;
    source->size = end;
    return HC_OK;
}

enum hc_status hc_lines_open(struct hc_line_reader **lines, const struct hc_source *source,
                             struct hc_error *err)
{
    *lines = NULL;
    struct hc_line_reader *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->capacity = WINDOW + HC_TEXT_PADDING;
    p->bytes = hc_new_array(p->capacity, 1, err);
    if (!p->bytes || hc_byte_reader_open(&p->reader, source, err)) {
        hc_lines_close(p);
        return err->status;
    }
    hc_byte_reader_unbound(p->reader);
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

enum hc_status hc_lines_go_to(struct hc_line_reader *p, int64_t offset, int64_t n_lines,
                              struct hc_error *err)
{
    hc_byte_reader_close(p->reader);
    p->reader = NULL;
    p->start = p->next = p->second = p->end = 0;
    p->base = offset;
    p->number = n_lines;
    p->n_joined = 0;
    p->is_ended = p->is_cut = false;
    if (hc_byte_reader_open(&p->reader, p->source, err))
        return err->status;
    hc_byte_reader_unbound(p->reader);
    return hc_byte_reader_skip(p->reader, offset, err);
}

int64_t hc_lines_offset(const struct hc_line_reader *lines)
{
    return lines->base + (int64_t)lines->next;
}

int64_t hc_lines_number(const struct hc_line_reader *lines)
{
    return lines->number + lines->n_joined;
}

bool hc_lines_are_broken(const struct hc_line_reader *lines)
{
    return lines->is_broken;
}

/* Move what is left to the front. */
static void move_up(struct hc_line_reader *p)
{
    memmove(p->bytes, p->bytes + p->start, p->end - p->start);
    p->base += (int64_t)p->start;
    p->next -= p->start;
    p->second -= p->start;
    p->end -= p->start;
    p->start = 0;
}

static void skip_byte_order_mark(struct hc_line_reader *p)
{
    if (p->base == 0 && p->end >= 3 && memcmp(p->bytes, "\xEF\xBB\xBF", 3) == 0)
        p->start = p->next = p->second = 3;
}

/* Read more behind what is left, in a longer window where it is full. */
static enum hc_status read_more(struct hc_line_reader *p, struct hc_error *err)
{
    size_t length = 0;
    bool is_first = p->base == 0 && p->end == 0;
    move_up(p);
    if (p->capacity - p->end < p->capacity / 4 + HC_TEXT_PADDING &&
        hc_reserve(&p->bytes, &p->capacity, p->capacity * 2, 1, err))
        return err->status;
    enum hc_status status = hc_byte_reader_read(
        p->reader, p->bytes + p->end, p->capacity - HC_TEXT_PADDING - p->end, &length, err);
    if (status == HC_BAD_INPUT && hc_byte_reader_is_cut(p->reader)) {
        *err = (struct hc_error){0};
        p->is_cut = p->is_ended = true;
        status = HC_OK;
    }
    p->is_ended |= length == 0;
    p->end += length;
    memset(p->bytes + p->end, 0, HC_TEXT_PADDING);
    if (is_first)
        skip_byte_order_mark(p);
    return status;
}

/* Move `next` behind the line that begins there, of which, with what was given before it, at most
 * HC_LINE_MOST bytes are looked through. *is_found: its end, or that of the source, was reached. */
static enum hc_status find_end(struct hc_line_reader *p, bool *is_found, bool *is_open,
                               struct hc_error *err)
{
    for (size_t looked = 0;;) { /* bytes of the line that have no line feed */
        const char *from = p->bytes + p->next + looked;
        const char *feed = memchr(from, '\n', p->end - p->next - looked);
        *is_found = feed || p->is_ended;
        *is_open = !feed;
        if (*is_found) {
            p->next = feed ? (size_t)(feed - p->bytes) + 1 : p->end;
            return HC_OK;
        }
        looked = p->end - p->next;
        if (p->end - p->start >= HC_LINE_MOST)
            return HC_OK;
        if (read_more(p, err))
            return err->status;
    }
}

static void show(const struct hc_line_reader *p, bool is_open, struct hc_line *line)
{
    size_t length = p->next - p->start - !is_open;
    length -= length && p->bytes[p->start + length - 1] == '\r';
    *line = (struct hc_line){.text = p->bytes + p->start,
                             .length = length,
                             .number = p->number,
                             .byte = p->base + (int64_t)p->start,
                             .is_open = is_open};
}

void hc_lines_break_at_returns(struct hc_line_reader *p)
{
    p->breaks_at_return = true;
}

/* Let a line that is too long end behind its last carriage return, if it has one. */
static bool break_line(struct hc_line_reader *p)
{
    const char *from = p->bytes + p->start;
    const char *back = p->breaks_at_return ? memrchr(from, '\r', p->end - p->start) : NULL;
    if (back)
        p->next = (size_t)(back - p->bytes) + 1;
    return back;
}

/* Read over what is left of a line that is too long. */
static enum hc_status skip_rest(struct hc_line_reader *p, struct hc_error *err)
{
    for (;;) {
        const char *feed = memchr(p->bytes + p->next, '\n', p->end - p->next);
        p->start = p->next = feed ? (size_t)(feed - p->bytes) + 1 : p->end;
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
    memcpy(p->shown, p->bytes + p->start, SHOWN);
    *line = (struct hc_line){.text = p->shown,
                             .length = SHOWN,
                             .number = p->number,
                             .byte = p->base + (int64_t)p->start,
                             .is_long = true};
    return skip_rest(p, err);
}

enum hc_status hc_lines_next(struct hc_line_reader *p, struct hc_line *line, bool *is_over,
                             struct hc_error *err)
{
    bool is_found, is_open;
    p->start = p->second = p->next;
    if (find_end(p, &is_found, &is_open, err))
        return err->status;
    *is_over = is_found && p->next == p->start;
    if (*is_over)
        return HC_OK;
    p->number += !p->is_broken + p->n_joined;
    p->n_joined = 0;
    p->is_broken = !is_found && break_line(p);
    if (!is_found && !p->is_broken)
        return give_long(p, line, err);
    p->second = p->next;
    show(p, is_open, line);
    return HC_OK;
}

const char *hc_lines_view(const struct hc_line_reader *p, size_t *length)
{
    const char *from = p->bytes + p->next;
    /* Behind a line that was broken at a return, the rest of it has the same number. */
    const char *feed = p->is_broken ? NULL : memrchr(from, '\n', p->end - p->next);
    *length = feed ? (size_t)(feed - from) + 1 : 0;
    return from;
}

void hc_lines_pass(struct hc_line_reader *p, size_t length, int64_t n_lines)
{
    p->start = p->second = p->next += length;
    p->number += p->n_joined + n_lines;
    p->n_joined = 0;
}

enum hc_status hc_lines_join(struct hc_line_reader *p, struct hc_line *line, bool *is_joined,
                             struct hc_error *err)
{
    bool is_found, is_open;
    size_t length = p->next - p->start;
    if (find_end(p, &is_found, &is_open, err))
        return err->status;
    *is_joined = is_found && p->next - p->start > length;
    p->n_joined += *is_joined;
    if (*is_joined)
        show(p, is_open, line);
    else
        line->text = p->bytes + p->start; /* which may have moved */
    return HC_OK;
}

void hc_lines_unjoin(struct hc_line_reader *p, struct hc_line *line)
{
    p->next = p->second;
    p->n_joined = 0;
    show(p, p->bytes[p->next - 1] != '\n', line);
}

bool hc_lines_are_cut(const struct hc_line_reader *lines)
{
    return lines->is_cut;
}

int64_t hc_lines_position(const struct hc_line_reader *lines)
{
    return hc_byte_reader_position(lines->reader);
}
