#include "parsers/io/line_reader.h"

#include "core/text/number_text.h"
#include "parsers/io/byte_reader.h"

#include <stdlib.h>
#include <string.h>

#define READ_SIZE   HC_BUFFER_SIZE((size_t)1 << 18)
#define BUFFER_SIZE (HC_LINE_MAX + READ_SIZE)

struct hc_line_reader {
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    char *data;              /* BUFFER_SIZE + HC_TEXT_PADDING */
    size_t start, next, end; /* data[start, next): the line given last, with its end;
                                data[next, end): loaded behind it */
    size_t second;           /* behind the first line of joined ones */
    bool at_eof;
    int64_t base;           /* offset of data[0] in the decompressed stream */
    int64_t number;         /* of the line given last */
    int64_t n_joined_lines; /* to it */
};

enum hc_status hc_lines_open(struct hc_line_reader **reader, const struct hc_source *source,
                             struct hc_error *err)
{
    struct hc_line_reader *r = *reader = hc_new_array(1, sizeof **reader, err);
    if (!r)
        return err->status;
    r->source = source;
    r->data = hc_new_aligned(BUFFER_SIZE + HC_TEXT_PADDING, 1, err);
    if (r->data && !hc_byte_reader_open(&r->reader, source, err))
        return HC_OK;
    hc_lines_close(r);
    *reader = NULL;
    return err->status;
}

void hc_lines_close(struct hc_line_reader *reader)
{
    if (!reader)
        return;
    hc_byte_reader_close(reader->reader);
    free(reader->data);
    free(reader);
}

int64_t hc_lines_position(const struct hc_line_reader *reader)
{
    return hc_byte_reader_position(reader->reader);
}

static enum hc_status too_long(const struct hc_line_reader *r, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: what begins at byte %lld is longer than %zu bytes; this is "
                   "no such text",
                   r->source->name, (long long)r->number, (long long)(r->base + (int64_t)r->start),
                   HC_LINE_MAX);
}

/* Move what is at hand to the front of the buffer and read more behind it. */
static enum hc_status refill(struct hc_line_reader *r, struct hc_error *err)
{
    size_t length = 0, kept = r->end - r->start;
    if (kept > HC_LINE_MAX)
        return too_long(r, err);
    memmove(r->data, r->data + r->start, kept);
    r->base += (int64_t)r->start;
    r->next -= r->start;
    r->second -= r->start;
    r->start = 0;
    r->end = kept;
    if (hc_byte_reader_read(r->reader, r->data + kept, BUFFER_SIZE - kept, &length, err))
        return err->status;
    r->at_eof = length == 0;
    r->end += length;
    memset(r->data + r->end, 0, HC_TEXT_PADDING);
    if (r->base == 0 && kept == 0 && length >= 3 && memcmp(r->data, "\xEF\xBB\xBF", 3) == 0)
        r->start = r->next = r->second = 3;
    return HC_OK;
}

/* Move `next` behind the line that begins there. *length: of the line, 0 at the end of the file. */
static enum hc_status find_end(struct hc_line_reader *r, bool *is_ended, struct hc_error *err)
{
    size_t searched = 0;
    for (;;) {
        const char *from = r->data + r->next + searched;
        const char *end = memchr(from, '\n', r->end - r->next - searched);
        if (end || r->at_eof) {
            *is_ended = end != NULL;
            r->next = end ? (size_t)(end - r->data) + 1 : r->end;
            return r->next - r->start > HC_LINE_MAX ? too_long(r, err) : HC_OK;
        }
        searched = r->end - r->next;
        if (refill(r, err))
            return err->status;
    }
}

static void show(const struct hc_line_reader *r, bool is_ended, struct hc_line *line)
{
    size_t length = r->next - r->start - is_ended;
    if (length && is_ended && r->data[r->start + length - 1] == '\r')
        length--;
    *line = (struct hc_line){.text = r->data + r->start,
                             .length = length,
                             .number = r->number,
                             .byte = r->base + (int64_t)r->start,
                             .is_ended = is_ended};
}

enum hc_status hc_lines_next(struct hc_line_reader *reader, struct hc_line *line,
                             struct hc_error *err)
{
    struct hc_line_reader *r = reader;
    bool is_ended;
    *line = (struct hc_line){0};
    r->number += 1 + r->n_joined_lines;
    r->n_joined_lines = 0;
    r->start = r->second = r->next;
    if (find_end(r, &is_ended, err))
        return err->status;
    r->second = r->next;
    if (r->next > r->start)
        show(r, is_ended, line);
    return HC_OK;
}

enum hc_status hc_lines_join(struct hc_line_reader *reader, struct hc_line *line, bool *is_joined,
                             struct hc_error *err)
{
    struct hc_line_reader *r = reader;
    bool is_ended = line->is_ended;
    size_t length = r->next - r->start;
    *is_joined = false;
    if (find_end(r, &is_ended, err))
        return err->status;
    *is_joined = r->next - r->start > length;
    r->n_joined_lines += *is_joined;
    show(r, *is_joined ? is_ended : line->is_ended, line);
    return HC_OK;
}

void hc_lines_unjoin(struct hc_line_reader *reader)
{
    reader->next = reader->second;
    reader->n_joined_lines = 0;
}
