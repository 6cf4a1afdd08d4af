#include "parsers/jobs/sacct_records.h"

#include "parsers/jobs/sacct_columns.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static size_t split_by_text(struct hc_span line, const char *delimiter, size_t delimiter_length,
                            struct hc_span *fields)
{
    const char *at = line.text, *end = line.text + line.length;
    size_t n = 0;
    for (;;) {
        const char *next = n + 1 < HC_SACCT_MOST_FIELDS
                               ? memmem(at, (size_t)(end - at), delimiter, delimiter_length)
                               : NULL;
        fields[n++] = (struct hc_span){at, (size_t)((next ? next : end) - at)};
        if (!next)
            return n;
        at = next + delimiter_length;
    }
}

#ifdef __SSE2__

/* Fields are short: to look for each delimiter anew takes longer than to mark those of sixteen
 * bytes at a time. Reads up to fifteen bytes behind the line. */
static size_t split_by_byte(struct hc_span line, char delimiter, struct hc_span *fields)
{
    const __m128i wanted = _mm_set1_epi8(delimiter);
    const char *at = line.text;
    size_t n = 0;
    for (size_t i = 0; i < line.length && n + 1 < HC_SACCT_MOST_FIELDS; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(line.text + i));
        unsigned marks = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
        if (line.length - i < 16)
            marks &= (1u << (line.length - i)) - 1;
        for (; marks && n + 1 < HC_SACCT_MOST_FIELDS; marks &= marks - 1) {
            const char *next = line.text + i + (unsigned)__builtin_ctz(marks);
            fields[n++] = (struct hc_span){at, (size_t)(next - at)};
            at = next + 1;
        }
    }
    fields[n++] = (struct hc_span){at, (size_t)(line.text + line.length - at)};
    return n;
}

#else

static size_t split_by_byte(struct hc_span line, char delimiter, struct hc_span *fields)
{
    return split_by_text(line, &delimiter, 1, fields);
}

#endif

size_t hc_sacct_split(struct hc_span line, const char *delimiter, size_t delimiter_length,
                      struct hc_span *fields)
{
    return delimiter_length == 1 ? split_by_byte(line, *delimiter, fields)
                                 : split_by_text(line, delimiter, delimiter_length, fields);
}

size_t hc_sacct_split_quoted(struct hc_span line, struct hc_span *fields)
{
    const char *at = line.text, *end = line.text + line.length;
    for (size_t n = 0;; at++) {
        bool is_quoted = at < end && *at == '"';
        const char *from = at + is_quoted, *to = end;
        if (is_quoted) {
            for (to = from; to < end && (*to != '"' || (to + 1 < end && to[1] == '"')); to++)
                to += *to == '"';
            at = to < end ? to + 1 : end;
        }
        const char *comma = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
        bool is_last = !comma || n + 1 == HC_SACCT_MOST_FIELDS;
        at = is_last ? end : comma;
        to = is_quoted && to < at ? to : at;
        fields[n++] = (struct hc_span){from, from < to ? (size_t)(to - from) : 0};
        if (is_last)
            return n;
    }
}

/* Whether these are names of columns: of a header the first two are enough. */
static bool are_names(const struct hc_span *fields, size_t n)
{
    return n >= 2 && hc_sacct_column_is_known(fields[0]) && hc_sacct_column_is_known(fields[1]);
}

static size_t split(struct hc_sacct_records *records, const struct hc_line *line)
{
    struct hc_span text = {line->text, line->length};
    size_t n = records->is_quoted ? hc_sacct_split_quoted(text, records->fields)
                                  : hc_sacct_split(text, records->delimiter,
                                                   records->delimiter_length, records->fields);
    /* --parsable ends lines with a delimiter. */
    bool is_ended = n == records->n_columns + 1 && records->fields[n - 1].length == 0;
    return n - is_ended;
}

/* Take lines on until the record has all of its fields. Where that never happens without too many
 * of them, or at the end of the file, the first line alone is what is wrong. */
static enum hc_status complete(struct hc_sacct_records *records, struct hc_line *line, size_t *n,
                               int64_t *n_lines, struct hc_error *err)
{
    size_t of_first = *n;
    bool is_joined = true;
    while (*n < records->n_columns && is_joined && *n_lines < HC_SACCT_MOST_LINES) {
        if (hc_lines_join(records->lines, line, &is_joined, err))
            return err->status;
        *n_lines += is_joined;
        *n = split(records, line);
    }
    if (*n == records->n_columns)
        return HC_OK;
    hc_lines_unjoin(records->lines, line);
    *n_lines = 1;
    *n = split(records, line);
    return *n == of_first ? HC_OK : hc_fail(err, HC_INTERNAL, "a line was read in two ways");
}

enum hc_status hc_sacct_records_next(struct hc_sacct_records *records,
                                     struct hc_sacct_record *record, struct hc_error *err)
{
    struct hc_line line;
    bool is_over;
    *record = (struct hc_sacct_record){0};
    do {
        if (hc_lines_next(records->lines, &line, &is_over, err))
            return err->status;
        if (is_over)
            return HC_OK;
    } while (line.length == 0);
    size_t n = split(records, &line);
    int64_t n_lines = 1;
    bool is_header = !(line.text[0] >= '0' && line.text[0] <= '9') && are_names(records->fields, n);
    if (n < records->n_columns && !is_header && complete(records, &line, &n, &n_lines, err))
        return err->status;
    records->n_multiline += n_lines > 1;
    *record = (struct hc_sacct_record){.n_fields = n,
                                       .is_header = is_header,
                                       .fields = records->fields,
                                       .line = line.number,
                                       .n_lines = n_lines,
                                       .is_ended = !line.is_open};
    return HC_OK;
}
