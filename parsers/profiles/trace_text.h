/* trace_text.h - the text of a profiler trace as a window that moves over it: whole events stand in
 * it, so that they are scanned without copies.
 *
 * text->bytes[text->at .. text->end) is what was read and not yet used. HC_TRACE_PADDING zeros
 * stand behind it: scanners that look ahead stop there. Who needs more text than there is asks
 * hc_trace_text_more, which moves the rest to the front, so that pointers into the window do not
 * survive it, and begins again at text->at.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_TRACE_TEXT_H
#define HC_PARSERS_PROFILES_TRACE_TEXT_H

#include "core/base/memory.h"
#include "core/base/status.h"
#include "parsers/io/byte_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_TRACE_PADDING 128
#define HC_TRACE_WINDOW  HC_BUFFER_SIZE((size_t)1 << 18) /* at first; it stays in the cache */
#define HC_TRACE_MOST    HC_BUFFER_SIZE((size_t)1 << 22) /* longest event or other value */

struct hc_trace_text {
    struct hc_byte_reader *reader; /* NULL: no more than what is there */
    char *bytes;
    size_t capacity, at, end;
    int64_t offset; /* of bytes[0] in the unpacked text */
    bool is_ended;  /* nothing follows what is in the window */
    bool is_over;   /* a token was asked for that the text ends before, or within */
    bool is_cut;    /* the packed data ended too early */
};

enum hc_status hc_trace_text_open(struct hc_trace_text *text, const struct hc_source *source,
                                  struct hc_error *err);
/* Of the first bytes of a file. */
enum hc_status hc_trace_text_open_bytes(struct hc_trace_text *text, const void *bytes,
                                        size_t length, struct hc_error *err);
void hc_trace_text_close(struct hc_trace_text *text);

/* Read more behind what is left. *more is false where the text has ended, or HC_TRACE_MOST bytes
 * are left already: what needs more than that is taken for damage. */
enum hc_status hc_trace_text_more(struct hc_trace_text *text, bool *more, struct hc_error *err);

static inline int64_t hc_trace_text_byte(const struct hc_trace_text *text)
{
    return text->offset + (int64_t)text->at;
}

/* ---- tokens, for all that is no event ---- */

enum hc_trace_kind {
    HC_TRACE_ABSENT,
    HC_TRACE_STRING,  /* without its quotes, escapes as written */
    HC_TRACE_LITERAL, /* a number, true, false, a bare word */
    HC_TRACE_OTHER,   /* an object or array, with its brackets */
    HC_TRACE_MARK,    /* a token of one of {}[]:, */
    HC_TRACE_END,     /* of the text */
    HC_TRACE_BAD
};

struct hc_trace_value {
    uint8_t kind;    /* enum hc_trace_kind; small, since an event has many values */
    bool is_escaped; /* a string with backslashes */
    uint32_t length;
    const char *text;
};

/* The next token; its text stays until the next call. */
enum hc_status hc_trace_text_token(struct hc_trace_text *text, struct hc_trace_value *token,
                                   struct hc_error *err);

/* Read over a value of which the first token was just given. *is_good is false where the text ends
 * in it, or is no JSON. */
enum hc_status hc_trace_text_skip(struct hc_trace_text *text, const struct hc_trace_value *first,
                                  bool *is_good, struct hc_error *err);

bool hc_trace_is(const struct hc_trace_value *value, const char *text);
bool hc_trace_is_mark(const struct hc_trace_value *value, char mark);

/* A number, or a string of one, as a whole number; false where it is none. */
bool hc_trace_i64(const struct hc_trace_value *value, int64_t *number);

#endif
