#include "parsers/profiles/trace_text.h"

#include "core/text/number_text.h"
#include "parsers/profiles/trace_scan.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 512

static enum hc_status allocate(struct hc_trace_text *text, size_t capacity, struct hc_error *err)
{
    char *bytes = hc_new_array(capacity + HC_TRACE_PADDING, 1, err);
    if (!bytes)
        return err->status;
    if (text->end)
        memcpy(bytes, text->bytes, text->end);
    free(text->bytes);
    text->bytes = bytes;
    text->capacity = capacity;
    return HC_OK;
}

enum hc_status hc_trace_text_open(struct hc_trace_text *text, const struct hc_source *source,
                                  struct hc_error *err)
{
    memset(text, 0, sizeof *text);
    if (allocate(text, HC_TRACE_WINDOW, err) || hc_byte_reader_open(&text->reader, source, err)) {
        hc_trace_text_close(text);
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_trace_text_open_bytes(struct hc_trace_text *text, const void *bytes,
                                        size_t length, struct hc_error *err)
{
    memset(text, 0, sizeof *text);
    if (allocate(text, length + 1, err))
        return err->status;
    if (length)
        memcpy(text->bytes, bytes, length);
    text->end = length;
    text->is_ended = true;
    return HC_OK;
}

void hc_trace_text_close(struct hc_trace_text *text)
{
    hc_byte_reader_close(text->reader);
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

/* What was left of a packed stream that ends too early is taken like any other cut tail. */
static enum hc_status fill(struct hc_trace_text *text, size_t *length, struct hc_error *err)
{
    enum hc_status status = hc_byte_reader_read(text->reader, text->bytes + text->end,
                                                text->capacity - text->end, length, err);
    if (status != HC_BAD_INPUT || !hc_byte_reader_is_cut(text->reader))
        return status;
    memset(err, 0, sizeof *err);
    text->is_cut = text->is_ended = true;
    return HC_OK;
}

enum hc_status hc_trace_text_more(struct hc_trace_text *text, bool *more, struct hc_error *err)
{
    size_t left = text->end - text->at, length = 0;
    *more = !text->is_ended && left < HC_TRACE_MOST;
    if (!*more)
        return HC_OK;
    memmove(text->bytes, text->bytes + text->at, left);
    text->offset += (int64_t)text->at;
    text->at = 0;
    text->end = left;
    if (left == text->capacity && allocate(text, 2 * text->capacity, err))
        return err->status;
    if (fill(text, &length, err))
        return err->status;
    text->end += length;
    text->is_ended |= length == 0;
    memset(text->bytes + text->end, 0, HC_TRACE_PADDING);
    *more = length > 0;
    return HC_OK;
}

/* ---- tokens ---- */

/* The token at the first byte that is not blank; false where it goes on behind the window. */
static bool take_token(struct hc_trace_text *text, struct hc_trace_value *token)
{
    const char *at = text->bytes + text->at, *end = text->bytes + text->end, *behind = NULL;
    *token = (struct hc_trace_value){.kind = HC_TRACE_BAD, .text = at, .length = 1};
    if (*at == '"') {
        behind = hc_scan_string_end(at + 1, end, &token->is_escaped);
        if (!behind)
            return false;
        token->kind = HC_TRACE_STRING;
        token->text = at + 1;
        token->length = (uint32_t)(behind++ - token->text);
    } else if (strchr("{}[]:,", *at) && *at) {
        token->kind = HC_TRACE_MARK;
        behind = at + 1;
    } else {
        behind = hc_scan_literal(at);
        if (behind == end && !text->is_ended)
            return false;
        token->length = (uint32_t)(behind - at);
        token->kind = token->length ? HC_TRACE_LITERAL : HC_TRACE_BAD;
        if (!token->length)
            behind = at + 1;
    }
    text->at = (size_t)(behind - text->bytes);
    return true;
}

enum hc_status hc_trace_text_token(struct hc_trace_text *text, struct hc_trace_value *token,
                                   struct hc_error *err)
{
    for (bool more = true; more;) {
        text->at = (size_t)(hc_scan_blanks(text->bytes + text->at) - text->bytes);
        if (text->at < text->end && take_token(text, token))
            return HC_OK;
        if (hc_trace_text_more(text, &more, err))
            return err->status;
    }
    text->is_over = text->is_ended;
    *token = (struct hc_trace_value){.kind = text->is_over ? HC_TRACE_END : HC_TRACE_BAD};
    return HC_OK;
}

enum hc_status hc_trace_text_skip(struct hc_trace_text *text, const struct hc_trace_value *first,
                                  bool *is_good, struct hc_error *err)
{
    struct hc_trace_value token = *first;
    int64_t depth = 0;
    for (;;) {
        depth += hc_trace_is_mark(&token, '{') || hc_trace_is_mark(&token, '[');
        depth -= hc_trace_is_mark(&token, '}') || hc_trace_is_mark(&token, ']');
        *is_good = depth >= 0 && depth <= MOST_DEPTH && token.kind != HC_TRACE_END &&
                   token.kind != HC_TRACE_BAD;
        if (depth == 0 || !*is_good)
            return HC_OK;
        if (hc_trace_text_token(text, &token, err))
            return err->status;
    }
}

bool hc_trace_is(const struct hc_trace_value *value, const char *text)
{
    return value->kind == HC_TRACE_STRING && strlen(text) == value->length &&
           memcmp(value->text, text, value->length) == 0;
}

bool hc_trace_is_mark(const struct hc_trace_value *value, char mark)
{
    return value->kind == HC_TRACE_MARK && *value->text == mark;
}

bool hc_trace_i64(const struct hc_trace_value *value, int64_t *number)
{
    if (value->kind != HC_TRACE_LITERAL && value->kind != HC_TRACE_STRING)
        return false;
    return hc_padded_to_i64(value->text, value->length, number) ||
           hc_text_to_i64(value->text, value->length, number) == HC_TEXT_OK;
}
