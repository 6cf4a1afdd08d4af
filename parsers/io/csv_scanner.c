#include "parsers/io/csv_scanner.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define READ_SIZE   HC_BUFFER_SIZE((size_t)1 << 18)
#define BUFFER_SIZE (HC_CSV_MAX_RECORD + READ_SIZE)
#define PADDING     128 /* a block, and what fast number readers look at behind a field */
#define BLOCK       64

/* Special bytes that the scan has still to look at: bit i of mask is data[block + i]. */
struct cursor {
    size_t block;
    uint64_t mask;
};

struct hc_csv_scanner {
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    char *data;        /* BUFFER_SIZE + PADDING */
    size_t start, end; /* data[start, end): loaded, from the current record on */
    bool at_eof;
    int64_t base; /* offset of data[0] in the decompressed stream */
    int64_t line; /* of the current record */

    struct cursor cursor;
    size_t n_fields, fields_capacity;
    struct hc_csv_field *fields;
    bool any_quoted, any_escaped, stray;
};

/* What stopped the scan of a record. */
enum outcome {
    RECORD,
    LAST_RECORD,
    END,
    NEED_MORE,
    NUL_BYTE,
    OPEN_QUOTE,
    TOO_MANY_FIELDS,
    NO_MEMORY
};

/* A bit for each byte up to ',' (0x2C): comma, quote, LF and NUL, and a few that the scan passes
 * over. Digits, letters, '-' and '.' all lie above, so that one comparison finds all four. */
static uint64_t special_bytes(const char *block)
{
    uint64_t mask = 0;
#ifdef __SSE2__
    const __m128i comma = _mm_set1_epi8(',');
    for (int i = 0; i < BLOCK / 16; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        __m128i hits = _mm_cmpeq_epi8(_mm_min_epu8(bytes, comma), bytes);
        mask |= (uint64_t)(unsigned)_mm_movemask_epi8(hits) << (16 * i);
    }
#else
    for (int i = 0; i < BLOCK; i++)
        mask |= (uint64_t)((unsigned char)block[i] <= ',') << i;
#endif
    return mask;
}

static inline struct cursor cursor_at(const char *data, size_t at)
{
    return (struct cursor){at, special_bytes(data + at)};
}

/* The next special byte; the sentinel at data[end] is one, so that the search needs no bound. */
static inline size_t next_special(struct cursor *cursor, const char *data)
{
    while (cursor->mask == 0)
        *cursor = cursor_at(data, cursor->block + BLOCK);
    size_t at = cursor->block + (size_t)__builtin_ctzll(cursor->mask);
    cursor->mask &= cursor->mask - 1;
    return at;
}

static __attribute__((noinline)) bool grow_fields(struct hc_csv_scanner *s)
{
    struct hc_error ignored;
    return hc_reserve(&s->fields, &s->fields_capacity, s->n_fields + 1, sizeof *s->fields,
                      &ignored) == HC_OK;
}

/* Room for one more field. */
static inline enum outcome reserve_field(struct hc_csv_scanner *s)
{
    if (s->n_fields < s->fields_capacity)
        return RECORD;
    if (s->n_fields == HC_CSV_MAX_FIELDS)
        return TOO_MANY_FIELDS;
    return grow_fields(s) ? RECORD : NO_MEMORY;
}

/* Read the quoted field that opens at open into *field; *behind is the place behind its closing
 * quote. Doubled quotes are only marked: until the record is whole it may be scanned again. */
static enum outcome scan_quoted(struct hc_csv_scanner *s, size_t open, struct hc_csv_field *field,
                                size_t *behind)
{
    *field = (struct hc_csv_field){.text = s->data + open + 1, .quoted = true};
    s->any_quoted = true;
    for (size_t at = open + 1;;) {
        const char *quote = memchr(s->data + at, '"', s->end - at);
        if (!quote)
            return s->at_eof ? OPEN_QUOTE : NEED_MORE;
        size_t close = (size_t)(quote - s->data);
        if (close + 1 == s->end && !s->at_eof)
            return NEED_MORE;
        if (s->data[close + 1] == '"') {
            field->escaped = s->any_escaped = true;
            at = close + 2;
            continue;
        }
        field->length = (uint32_t)(close - open - 1);
        *behind = close + 1;
        return memchr(field->text, '\0', field->length) ? NUL_BYTE : RECORD;
    }
}

/* Whether anything but the CR of a line end stands between a closing quote and `at`. */
static bool is_stray(const char *data, size_t behind, size_t at)
{
    bool is_cr = at == behind + 1 && data[at] == '\n' && data[behind] == '\r';
    return at != behind && !is_cr;
}

static enum outcome end_record(struct hc_csv_scanner *s, size_t at, size_t *next)
{
    struct hc_csv_field *last = &s->fields[s->n_fields - 1];
    if (!last->quoted && last->length && last->text[last->length - 1] == '\r')
        last->length--;
    *next = at < s->end ? at + 1 : s->end;
    return at < s->end ? RECORD : LAST_RECORD;
}

/* Scan one record from s->start; *next is where the one behind it starts. */
static enum outcome scan_record(struct hc_csv_scanner *s, size_t *next)
{
    const char *data = s->data;
    struct cursor cursor = s->cursor;
    size_t begin = s->start, behind = 0; /* behind: 0, or the place behind a closing quote */
    s->n_fields = 0;
    s->any_quoted = s->any_escaped = s->stray = false;
    for (;;) {
        size_t at = next_special(&cursor, data);
        char c = data[at];
        if (c == '\0')
            return at < s->end ? NUL_BYTE : NEED_MORE;
        if (c != ',' && c != '\n' && (c != '"' || at != begin))
            continue;
        enum outcome outcome = reserve_field(s);
        struct hc_csv_field *field = &s->fields[s->n_fields];
        if (outcome == RECORD && c == '"') {
            outcome = scan_quoted(s, at, field, &behind);
            if (outcome == RECORD)
                cursor = cursor_at(data, behind);
        }
        if (outcome != RECORD)
            return outcome;
        if (c == '"')
            continue;
        if (behind) {
            s->stray |= is_stray(data, behind, at);
        } else {
            field->text = data + begin;
            field->length = (uint32_t)(at - begin);
            field->quoted = field->escaped = false;
        }
        s->n_fields++;
        begin = at + 1;
        behind = 0;
        if (c == '\n') {
            s->cursor = cursor;
            return end_record(s, at, next);
        }
    }
}

static enum hc_status too_long(const struct hc_csv_scanner *s, struct hc_error *err)
{
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s': line %lld: the record from byte %lld on is longer than %zu bytes; this is "
        "no CSV file, or a quote is not closed",
        s->source->name, (long long)s->line, (long long)(s->base + (int64_t)s->start),
        HC_CSV_MAX_RECORD);
}

/* Move the record at hand to the front of the buffer and read more behind it. */
static enum hc_status refill(struct hc_csv_scanner *s, struct hc_error *err)
{
    size_t kept = s->end - s->start;
    if (kept > HC_CSV_MAX_RECORD)
        return too_long(s, err);
    memmove(s->data, s->data + s->start, kept);
    s->base += (int64_t)s->start;
    s->start = 0;
    size_t length = 0, room = BUFFER_SIZE - kept < READ_SIZE ? BUFFER_SIZE - kept : READ_SIZE;
    if (hc_byte_reader_read(s->reader, s->data + kept, room, &length, err))
        return err->status;
    s->at_eof = length == 0;
    s->end = kept + length;
    memset(s->data + s->end, 0, PADDING);
    if (s->at_eof)
        s->data[s->end] = '\n'; /* ends a last line that has no line end */
    s->cursor = cursor_at(s->data, 0);
    return HC_OK;
}

static enum hc_status open_scanner(struct hc_csv_scanner *s, struct hc_error *err)
{
    s->line = 1;
    s->data = hc_new_aligned(BUFFER_SIZE + PADDING, 1, err);
    if (!s->data || hc_byte_reader_open(&s->reader, s->source, err))
        return err->status;
    hc_byte_reader_unbound(s->reader);
    if (refill(s, err))
        return err->status;
    if (s->end >= 3 && memcmp(s->data, "\xEF\xBB\xBF", 3) == 0) {
        s->start = 3;
        s->cursor = cursor_at(s->data, 3);
    }
    return HC_OK;
}

enum hc_status hc_csv_open(struct hc_csv_scanner **scanner, const struct hc_source *source,
                           struct hc_error *err)
{
    *scanner = hc_new_array(1, sizeof **scanner, err);
    if (!*scanner)
        return err->status;
    (*scanner)->source = source;
    if (open_scanner(*scanner, err)) {
        hc_csv_close(*scanner);
        *scanner = NULL;
        return err->status;
    }
    return HC_OK;
}

void hc_csv_close(struct hc_csv_scanner *scanner)
{
    if (!scanner)
        return;
    hc_byte_reader_close(scanner->reader);
    free(scanner->data);
    free(scanner->fields);
    free(scanner);
}

int64_t hc_csv_position(const struct hc_csv_scanner *scanner)
{
    return hc_byte_reader_position(scanner->reader);
}

static enum hc_status scan_failed(const struct hc_csv_scanner *s, enum outcome outcome,
                                  struct hc_error *err)
{
    long long line = s->line, byte = s->base + (int64_t)s->start;
    switch (outcome) {
    case NUL_BYTE:
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: NUL byte in the line from byte %lld on; this is no text "
                       "file, or one in UTF-16, which must be converted to UTF-8",
                       s->source->name, line, byte);
    case OPEN_QUOTE:
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: a quote in the record from byte %lld on is never closed; "
                       "the file is cut off or the quote is stray",
                       s->source->name, line, byte);
    case TOO_MANY_FIELDS:
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: more than %zu fields in a record",
                       s->source->name, line, HC_CSV_MAX_FIELDS);
    default:
        return hc_fail_memory(err, s->fields_capacity * sizeof *s->fields);
    }
}

enum hc_status hc_csv_fail_cut(const struct hc_csv_scanner *scanner,
                               const struct hc_csv_record *record, size_t n_columns,
                               struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: the file is cut off at byte %lld, in the middle of a row (%zu "
                   "of %zu fields); fetch or write it again, or end the line if it is whole",
                   scanner->source->name, (long long)record->line, (long long)record->next_byte,
                   record->n_fields, n_columns);
}

void hc_csv_warn_open_end(const struct hc_csv_scanner *scanner, const struct hc_csv_record *record)
{
    hc_warn("'%s': line %lld: the file ends here without a line end; were it cut off, the last "
            "field could lack digits",
            scanner->source->name, (long long)record->line);
}

/* A line with nothing in it but blanks. */
static bool is_blank(const struct hc_csv_scanner *s)
{
    const struct hc_csv_field *only = &s->fields[0];
    if (s->n_fields != 1 || only->quoted)
        return false;
    for (uint32_t i = 0; i < only->length; i++)
        if (only->text[i] != ' ' && only->text[i] != '\t' && only->text[i] != '\r')
            return false;
    return true;
}

/* Line ends within the quoted fields of the record. */
static int64_t count_inner_lines(const char *at, const char *end)
{
    int64_t n = 0;
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        n++;
        at++;
    }
    return n;
}

/* Doubled quotes become single ones, in place. Only done once the record is whole: until then a
 * refill may have it scanned again. */
static void undo_escapes(struct hc_csv_scanner *s)
{
    for (size_t i = 0; i < s->n_fields; i++) {
        struct hc_csv_field *field = &s->fields[i];
        if (!field->escaped)
            continue;
        char *to = s->data + (field->text - s->data);
        uint32_t used = 0;
        for (uint32_t from = 0; from < field->length; from++) {
            to[used++] = field->text[from];
            from += field->text[from] == '"';
        }
        field->length = used;
        field->escaped = false;
    }
}

static void finish_record(struct hc_csv_scanner *s, size_t next, bool ended,
                          struct hc_csv_record *record)
{
    *record = (struct hc_csv_record){.n_fields = s->n_fields,
                                     .fields = s->fields,
                                     .line = s->line,
                                     .byte = s->base + (int64_t)s->start,
                                     .next_byte = s->base + (int64_t)next,
                                     .ended = ended,
                                     .stray = s->stray};
    s->line++;
    if (s->any_quoted)
        s->line += count_inner_lines(s->data + s->start, s->data + next - ended);
    if (s->any_escaped)
        undo_escapes(s);
    s->start = next;
}

enum hc_status hc_csv_next(struct hc_csv_scanner *s, struct hc_csv_record *record,
                           struct hc_error *err)
{
    for (;;) {
        size_t next = 0;
        enum outcome outcome = s->at_eof && s->start == s->end ? END : scan_record(s, &next);
        if (outcome == NEED_MORE) {
            if (refill(s, err))
                return err->status;
        } else if (outcome == END) {
            *record = (struct hc_csv_record){.line = s->line, .byte = s->base + (int64_t)s->start};
            return HC_OK;
        } else if (outcome == RECORD || outcome == LAST_RECORD) {
            if (next - s->start > HC_CSV_MAX_RECORD)
                return too_long(s, err);
            finish_record(s, next, outcome == RECORD, record);
            if (!is_blank(s))
                return HC_OK;
        } else {
            return scan_failed(s, outcome, err);
        }
    }
}
