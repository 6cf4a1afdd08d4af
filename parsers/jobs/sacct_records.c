#include "parsers/jobs/sacct_records.h"

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

/* What is too much belongs to the last column, or is the nothing behind a last delimiter. Of joined
 * lines it does not: there it is the record that follows a short line. */
static size_t fold(struct hc_sacct_records *records, size_t n, bool takes_more)
{
    struct hc_span *fields = records->fields;
    size_t wanted = records->n_columns;
    if (n == wanted + 1 && fields[wanted].length == 0)
        return wanted;
    if (n <= wanted || !records->last_is_text || !takes_more)
        return n;
    const char *end = fields[n - 1].text + fields[n - 1].length;
    fields[wanted - 1].length = (size_t)(end - fields[wanted - 1].text);
    return wanted;
}

static size_t split(struct hc_sacct_records *records, const struct hc_line *line, bool takes_more)
{
    struct hc_span text = {line->text, line->length};
    size_t n = hc_sacct_split(text, records->delimiter, records->delimiter_length, records->fields);
    return fold(records, n, takes_more);
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
        *n = split(records, line, false);
    }
    if (*n == records->n_columns)
        return HC_OK;
    hc_lines_unjoin(records->lines, line);
    *n_lines = 1;
    *n = split(records, line, false);
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
    size_t n = split(records, &line, true);
    int64_t n_lines = 1;
    if (n < records->n_columns && complete(records, &line, &n, &n_lines, err))
        return err->status;
    records->n_multiline += n_lines > 1;
    *record = (struct hc_sacct_record){n, records->fields, line.number, n_lines, !line.is_open};
    return HC_OK;
}
