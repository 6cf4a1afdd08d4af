#include "parsers/csv_scanner.h"

#include "core/memory.h"
#include "parsers/byte_reader.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define READ_SIZE   ((size_t)1 << 18)
#define BUFFER_SIZE (HC_CSV_MAX_RECORD + READ_SIZE)
#define PADDING     128 /* a block, and what fast number readers look at behind a field */
#define BLOCK       64

struct hc_csv_scanner {
    const struct hc_source *source;
    struct hc_byte_reader *reader;
    char *data;        /* BUFFER_SIZE + PADDING */
    size_t start, end; /* data[start, end): loaded, from the current record on */
    bool at_eof;
    int64_t base; /* offset of data[0] in the decompressed stream */
    int64_t line; /* of the current record */

    /* Positions of special bytes at and behind the scan: bit i of mask is data[block + i]. */
    size_t block;
    uint64_t mask;

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

/* Continue the scan at position at. */
static inline void scan_from(struct hc_csv_scanner *s, size_t at)
{
    s->block = at;
    s->mask = special_bytes(s->data + at);
}

/* The next special byte, or something at or behind end. */
static inline size_t next_special(struct hc_csv_scanner *s)
{
    while (s->mask == 0) {
        s->block += BLOCK;
        if (s->block >= s->end)
            return s->end;
        s->mask = special_bytes(s->data + s->block);
    }
    size_t at = s->block + (size_t)__builtin_ctzll(s->mask);
    s->mask &= s->mask - 1;
    return at;
}

static bool add_field(struct hc_csv_scanner *s, const struct hc_csv_field *field)
{
    if (s->n_fields == s->fields_capacity) {
        struct hc_error ignored;
        if (hc_reserve(&s->fields, &s->fields_capacity, s->n_fields + 1, sizeof *s->fields,
                       &ignored))
            return false;
    }
    s->fields[s->n_fields++] = *field;
    return true;
}

/* Find the end of the field that opens with a quote at open; the scan goes on behind it. */
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
        if (close + 1 < s->end && s->data[close + 1] == '"') {
            field->escaped = s->any_escaped = true;
            at = close + 2;
            continue;
        }
        field->length = (uint32_t)(close - open - 1);
        *behind = close + 1;
        scan_from(s, close + 1);
        return memchr(field->text, '\0', field->length) ? NUL_BYTE : RECORD;
    }
}

/* Close the field that ends at `at`, a comma or a line end. behind is 0, or for a quoted field the
 * position behind its closing quote. */
static inline bool close_field(struct hc_csv_scanner *s, struct hc_csv_field *field, size_t begin,
                               size_t behind, size_t at)
{
    if (!behind)
        *field = (struct hc_csv_field){.text = s->data + begin, .length = (uint32_t)(at - begin)};
    else if (at != behind && !(s->data[at] == '\n' && at == behind + 1 && s->data[behind] == '\r'))
        s->stray = true;
    return add_field(s, field);
}

/* Scan one record from s->start; *next is where the one behind it starts. */
static enum outcome scan_record(struct hc_csv_scanner *s, size_t *next)
{
    struct hc_csv_field field;
    size_t begin = s->start, behind = 0;
    s->n_fields = 0;
    s->any_quoted = s->any_escaped = s->stray = false;
    for (;;) {
        size_t at = next_special(s);
        if (at >= s->end) {
            if (!s->at_eof)
                return NEED_MORE;
            *next = s->end;
            if (s->start == s->end)
                return END;
            return close_field(s, &field, begin, behind, s->end) ? LAST_RECORD : NO_MEMORY;
        }
        char c = s->data[at];
        if (c == ',') {
            if (s->n_fields == HC_CSV_MAX_FIELDS)
                return TOO_MANY_FIELDS;
            if (!close_field(s, &field, begin, behind, at))
                return NO_MEMORY;
            begin = at + 1;
            behind = 0;
        } else if (c == '\n') {
            *next = at + 1;
            if (!close_field(s, &field, begin, behind, at))
                return NO_MEMORY;
            struct hc_csv_field *last = &s->fields[s->n_fields - 1];
            if (!last->quoted && last->length && last->text[last->length - 1] == '\r')
                last->length--;
            return RECORD;
        } else if (c == '"' && at == begin && !behind) {
            enum outcome outcome = scan_quoted(s, at, &field, &behind);
            if (outcome != RECORD)
                return outcome;
        } else if (c == '\0') {
            return NUL_BYTE;
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
    scan_from(s, 0);
    return HC_OK;
}

static enum hc_status open_scanner(struct hc_csv_scanner *s, struct hc_error *err)
{
    s->line = 1;
    s->data = hc_new_aligned(BUFFER_SIZE + PADDING, 1, err);
    if (!s->data || hc_byte_reader_open(&s->reader, s->source, err) || refill(s, err))
        return err->status;
    if (s->end >= 3 && memcmp(s->data, "\xEF\xBB\xBF", 3) == 0) {
        s->start = 3;
        scan_from(s, 3);
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
        enum outcome outcome = scan_record(s, &next);
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
