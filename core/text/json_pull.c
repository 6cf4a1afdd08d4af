#include "core/text/json_pull.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/json_escape.h"
#include "core/text/json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK    HC_BUFFER_SIZE((size_t)1 << 18) /* loaded at a time: stays in L2 */
#define CAPACITY (HC_PULL_MAX_TOKEN + 2 * CHUNK) /* a token of the longest kind and a chunk */

/* What may come next. Up to WANT_KEY_OR_END, a token may follow at once. */
enum state {
    WANT_VALUE,
    WANT_VALUE_OR_END, /* after [ */
    WANT_KEY,
    WANT_KEY_OR_END, /* after { */
    WANT_COLON,
    WANT_COMMA_OR_END,
    WANT_NOTHING /* the document is over */
};

struct hc_json_pull {
    struct hc_pull_input input;
    unsigned liberties;
    unsigned char last_blank;  /* a byte up to it may be blank, or begin a comment */
    enum state after_comma[2]; /* in an array, in an object */
    char *buffer;
    const char *token, *at, *end; /* of the loaded text: what is kept, what is next, its end */
    int64_t base;                 /* byte of the document at buffer[0] */
    int64_t lines;                /* line ends before buffer[0] */
    bool at_eof, skipping, is_cut;
    enum state state;
    enum { IN_NONE, IN_STRING, IN_NUMBER } inside; /* of what the token at hand is */
    struct hc_pull_mistake mistake;
    size_t depth;
    uint8_t is_object[HC_PULL_MAX_DEPTH];
    char *decoded; /* a string without its escapes */
    size_t decoded_capacity;
};

/* ---- loading ---- */

/* Blocks of less than 256 sum up in bytes, which vectorises. */
static int64_t count_lines(const char *at, const char *end)
{
    int64_t n = 0;
    while (at < end) {
        size_t length = end - at > 255 ? 255 : (size_t)(end - at);
        uint8_t found = 0;
        for (size_t i = 0; i < length; i++)
            found = (uint8_t)(found + (at[i] == '\n'));
        n += found;
        at += length;
    }
    return n;
}

/* Load more behind the text from p->token on. At the end of the input, at_eof is set and nothing
 * changes. */
static enum hc_status load(struct hc_json_pull *p, struct hc_error *err)
{
    if (p->at_eof)
        return HC_OK;
    size_t kept = (size_t)(p->end - p->token), used = (size_t)(p->at - p->token), length = 0;
    p->lines += count_lines(p->buffer, p->token);
    p->base += p->token - p->buffer;
    memmove(p->buffer, p->token, kept);
    if (p->input.read(p->input.context, p->buffer + kept, CHUNK, &length, err))
        return err->status;
    p->token = p->buffer;
    p->at = p->buffer + used;
    p->end = p->buffer + kept + length;
    p->at_eof = length == 0;
    memset(p->buffer + kept + length, 0, HC_SCAN_PADDING);
    return HC_OK;
}

/* Load the first text; a byte order mark is passed over. */
static enum hc_status start(struct hc_json_pull *p, struct hc_error *err)
{
    p->buffer = hc_new_aligned(CAPACITY + HC_SCAN_PADDING, 1, err);
    p->token = p->at = p->end = p->buffer;
    if (!p->buffer || load(p, err))
        return err->status;
    if (p->end - p->at >= 3 && memcmp(p->at, "\xEF\xBB\xBF", 3) == 0)
        p->token = p->at += 3;
    return HC_OK;
}

enum hc_status hc_pull_open(struct hc_json_pull **pull, const struct hc_pull_input *input,
                            unsigned liberties, struct hc_error *err)
{
    bool commas = liberties & HC_PULL_TRAILING_COMMAS;
    struct hc_json_pull *p = *pull = hc_new_array(1, sizeof **pull, err);
    if (!p) {
        if (input->close)
            input->close(input->context);
        return err->status;
    }
    p->input = *input;
    p->liberties = liberties;
    p->last_blank = liberties & HC_PULL_COMMENTS ? '/' : ' ';
    p->after_comma[0] = commas ? WANT_VALUE_OR_END : WANT_VALUE;
    p->after_comma[1] = commas ? WANT_KEY_OR_END : WANT_KEY;
    if (start(p, err) == HC_OK)
        return HC_OK;
    hc_pull_close(p);
    *pull = NULL;
    return err->status;
}

void hc_pull_close(struct hc_json_pull *pull)
{
    if (!pull)
        return;
    if (pull->input.close)
        pull->input.close(pull->input.context);
    free(pull->buffer);
    free(pull->decoded);
    free(pull);
}

bool hc_pull_is_cut(const struct hc_json_pull *pull)
{
    return pull->is_cut;
}

int64_t hc_pull_position(const struct hc_json_pull *pull)
{
    return pull->input.position ? pull->input.position(pull->input.context) : pull->base;
}

/* ---- what is wrong ---- */

struct hc_pull_mistake hc_pull_mistake(const struct hc_json_pull *pull)
{
    return pull->mistake;
}

static enum hc_pull_wanted wanted_now(const struct hc_json_pull *p)
{
    static const enum hc_pull_wanted wanted[] = {
        [WANT_VALUE] = HC_WANTED_VALUE, [WANT_VALUE_OR_END] = HC_WANTED_VALUE,
        [WANT_KEY] = HC_WANTED_KEY,     [WANT_KEY_OR_END] = HC_WANTED_KEY,
        [WANT_COLON] = HC_WANTED_COLON, [WANT_COMMA_OR_END] = HC_WANTED_IN_ARRAY,
        [WANT_NOTHING] = HC_WANTED_END,
    };
    if (p->inside != IN_NONE)
        return p->inside == IN_STRING ? HC_WANTED_STRING : HC_WANTED_NUMBER;
    if (p->state == WANT_COMMA_OR_END && p->is_object[p->depth - 1])
        return HC_WANTED_IN_OBJECT;
    return wanted[p->state];
}

static enum hc_status fail_as(struct hc_json_pull *p, enum hc_pull_wanted wanted, const char *what,
                              struct hc_error *err)
{
    p->mistake = (struct hc_pull_mistake){wanted, p->base + (p->at - p->buffer),
                                          p->base + (p->token - p->buffer)};
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld, byte %lld: %s", p->input.name,
                   (long long)(p->lines + count_lines(p->buffer, p->at) + 1),
                   (long long)p->mistake.byte, what);
}

/* Fail at p->at. */
static enum hc_status fail(struct hc_json_pull *p, const char *what, struct hc_error *err)
{
    return fail_as(p, wanted_now(p), what, err);
}

/* A token is longer than any that is given. */
static enum hc_status fail_long(struct hc_json_pull *p, const char *what, struct hc_error *err)
{
    return fail_as(p, HC_WANTED_LESS, what, err);
}

static enum hc_status fail_found(struct hc_json_pull *p, const char *wanted, struct hc_error *err)
{
    char what[192];
    size_t n = 1; /* a word is shown whole: NaN, undefined */
    while (n < 16 && p->at + n < p->end && ((p->at[n] | 32) >= 'a' && (p->at[n] | 32) <= 'z'))
        n++;
    snprintf(what, sizeof what, "'%s' where %s is expected: this is not JSON",
             hc_printable(p->at, n).text, wanted);
    return fail(p, what, err);
}

static enum hc_status fail_cut(struct hc_json_pull *p, const char *inside, struct hc_error *err)
{
    char what[128];
    snprintf(what, sizeof what,
             "the text ends here, in the middle of %s; fetch or write the file again", inside);
    return fail(p, what, err);
}

/* ---- strings ---- */

/* Have n bytes at p->at where the input has them. In a string that is skipped, what was looked at
 * is let go. */
static enum hc_status want(struct hc_json_pull *p, ptrdiff_t n, struct hc_error *err)
{
    while (p->end - p->at < n && !p->at_eof) {
        if (p->skipping)
            p->token = p->at;
        if ((size_t)(p->at - p->token) > HC_PULL_MAX_TOKEN)
            return fail_long(p, "a string or number of more than 1 MiB", err);
        if (load(p, err))
            return err->status;
    }
    return HC_OK;
}

/* The string between its quotes without escapes, which were checked; it never gets longer. */
static enum hc_status decode(struct hc_json_pull *p, struct hc_pull_token *token,
                             struct hc_error *err)
{
    if (hc_reserve(&p->decoded, &p->decoded_capacity, token->length, 1, err))
        return err->status;
    size_t n = 0;
    for (const char *at = token->text, *end = at + token->length; at < end;) {
        uint32_t code = 0;
        if (*at != '\\') {
            p->decoded[n++] = *at++;
            continue;
        }
        at += hc_json_escape(at, &code);
        n += hc_json_put_utf8(p->decoded + n, code);
    }
    token->text = p->decoded;
    token->length = n;
    return HC_OK;
}

/* Step over what stopped the scan of a string; *over is set at its end. */
static __attribute__((noinline)) enum hc_status pass_special(struct hc_json_pull *p,
                                                             bool *has_escape, struct hc_error *err)
{
    if (want(p, 12, err))
        return err->status;
    if (p->at == p->end)
        return fail_cut(p, "a string", err);
    unsigned char c = (unsigned char)*p->at;
    uint32_t code = 0;
    if (c == '\\') {
        size_t n = hc_json_escape(p->at, &code);
        if (n == 0 && p->end - p->at < 12 && !memchr(p->at, '"', (size_t)(p->end - p->at)))
            return fail_cut(p, "a string", err);
        if (n == 0)
            return fail(p, "no valid escape in a string (half of a surrogate pair, perhaps)", err);
        if (code == 0 && p->liberties & HC_PULL_NO_NUL)
            return fail(p, "a string cannot hold U+0000 here", err);
        *has_escape = true;
        p->at += n;
    } else if (c >= 0x80) {
        size_t n = hc_scan_utf8(p->at);
        if (n == 0)
            return fail(p, "a string is not valid UTF-8 here", err);
        p->at += n;
    } else if (c < 0x20) {
        char what[96];
        snprintf(what, sizeof what, "the control character 0x%02x inside a string; escape it", c);
        return fail(p, what, err);
    }
    return HC_OK;
}

/* At the opening quote; behind the closing one afterwards. */
static enum hc_status read_string(struct hc_json_pull *p, struct hc_pull_token *token,
                                  struct hc_error *err)
{
    bool has_escape = false;
    p->inside = IN_STRING;
    p->at++;
    for (;;) {
        p->at = hc_scan_string(p->at);
        if (*p->at == '"')
            break;
        if (pass_special(p, &has_escape, err))
            return err->status;
    }
    token->text = p->token + 1;
    token->length = (size_t)(p->at - p->token) - (p->at > p->token);
    p->at++;
    p->inside = IN_NONE;
    if (p->skipping) {
        token->length = 0;
        return HC_OK;
    }
    if (token->length > HC_PULL_MAX_TOKEN)
        return fail_long(p, "a string of more than 1 MiB", err);
    return has_escape ? decode(p, token, err) : HC_OK;
}

/* ---- numbers and words ---- */

/* Behind the number at `at`, or NULL with *bad where it stops being one. */
static const char *pass_number(const char *at, const char **bad)
{
    if (*at == '-')
        at++;
    const char *digits = at;
    at = hc_scan_digits(at);
    *bad = at;
    if (at == digits)
        return NULL;
    if (*digits == '0' && at - digits > 1) {
        *bad = digits + 1;
        return NULL;
    }
    if (*at == '.') {
        digits = at + 1;
        *bad = at = hc_scan_digits(digits);
        if (at == digits)
            return NULL;
    }
    if ((*at | 32) == 'e') {
        digits = at + 1 + (at[1] == '+' || at[1] == '-');
        *bad = at = hc_scan_digits(digits);
        if (at == digits)
            return NULL;
    }
    return at;
}

static enum hc_status read_number(struct hc_json_pull *p, struct hc_pull_token *token,
                                  struct hc_error *err)
{
    const char *bad = NULL, *end = pass_number(p->at, &bad);
    while (bad >= p->end && !p->at_eof) { /* it may go on behind what is loaded */
        if ((size_t)(p->end - p->token) > HC_PULL_MAX_TOKEN)
            return fail_long(p, "a string or number of more than 1 MiB", err);
        if (load(p, err))
            return err->status;
        end = pass_number(p->at, &bad);
    }
    if (!end) {
        p->at = bad;
        p->inside = IN_NUMBER;
        return bad >= p->end ? fail_cut(p, "a number", err) : fail_found(p, "a digit", err);
    }
    token->text = p->token;
    token->length = (size_t)(end - p->token);
    p->at = end;
    return token->length > HC_PULL_MAX_TOKEN
               ? fail_long(p, "a string or number of more than 1 MiB", err)
               : HC_OK;
}

static enum hc_status read_word(struct hc_json_pull *p, struct hc_pull_token *token,
                                struct hc_error *err)
{
    static const struct {
        const char *text;
        enum hc_pull_kind kind;
    } words[] = {{"true", HC_PULL_TRUE}, {"false", HC_PULL_FALSE}, {"null", HC_PULL_NULL}};
    if (want(p, 5, err))
        return err->status;
    size_t left = (size_t)(p->end - p->at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].text);
        if (left >= length && memcmp(p->at, words[i].text, length) == 0) {
            token->kind = words[i].kind;
            p->at += length;
            return HC_OK;
        }
        if (left < length && memcmp(p->at, words[i].text, left) == 0)
            return fail_cut(p, "a word", err);
    }
    return fail_found(p, "a value", err);
}

/* ---- structure ---- */

static enum hc_status open_container(struct hc_json_pull *p, bool is_object,
                                     struct hc_pull_token *token, struct hc_error *err)
{
    if (p->depth == HC_PULL_MAX_DEPTH)
        return fail_long(p, "objects and arrays are nested more than 512 deep", err);
    p->is_object[p->depth++] = is_object;
    p->at++;
    p->state = is_object ? WANT_KEY_OR_END : WANT_VALUE_OR_END;
    token->kind = is_object ? HC_PULL_OBJECT : HC_PULL_ARRAY;
    return HC_OK;
}

/* After a value. The comma is taken at once where it follows at once, as it does in nearly all
 * traces: a state less to tell apart. */
static inline void after_value(struct hc_json_pull *p)
{
    if (p->depth == 0) {
        p->state = WANT_NOTHING;
    } else if (*p->at == ',') {
        p->at++;
        p->state = p->after_comma[p->is_object[p->depth - 1]];
    } else {
        p->state = WANT_COMMA_OR_END;
    }
}

static enum hc_status close_container(struct hc_json_pull *p, struct hc_pull_token *token)
{
    p->at++;
    token->kind = p->is_object[--p->depth] ? HC_PULL_OBJECT_END : HC_PULL_ARRAY_END;
    after_value(p);
    return HC_OK;
}

static inline enum hc_status read_value(struct hc_json_pull *p, char c, struct hc_pull_token *token,
                                        struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (c == '"') {
        token->kind = HC_PULL_STRING;
        status = read_string(p, token, err);
    } else if ((c >= '0' && c <= '9') || c == '-') {
        token->kind = HC_PULL_NUMBER;
        status = read_number(p, token, err);
    } else if (c == '{' || c == '[') {
        return open_container(p, c == '{', token, err);
    } else {
        status = read_word(p, token, err);
    }
    after_value(p);
    return status;
}

static inline enum hc_status read_key(struct hc_json_pull *p, struct hc_pull_token *token,
                                      struct hc_error *err)
{
    token->kind = HC_PULL_KEY;
    if (read_string(p, token, err))
        return err->status;
    p->state = WANT_COLON;
    if (*p->at == ':') {
        p->at++;
        p->state = WANT_VALUE;
    }
    return HC_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* At a slash: pass a comment to the end of its line. False when it is none, or on failure. */
static bool pass_comment(struct hc_json_pull *p, enum hc_status *status, struct hc_error *err)
{
    if (p->end - p->at < 2)
        *status = load(p, err);
    if (*status || p->at[1] != '/')
        return false;
    for (;;) {
        const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
        p->token = p->at = newline ? newline : p->end;
        if (newline || p->at_eof)
            return true;
        *status = load(p, err);
        if (*status)
            return false;
    }
}

/* To the next byte that is neither blank nor in a comment; false at the end of the input. */
static inline bool pass_blanks(struct hc_json_pull *p, enum hc_status *status, struct hc_error *err)
{
    for (;;) {
        while (is_blank(*p->at))
            p->at++;
        p->token = p->at;
        if (p->at < p->end) {
            if (*p->at == '/' && p->liberties & HC_PULL_COMMENTS && pass_comment(p, status, err))
                continue;
            return !*status;
        }
        if (p->at_eof)
            return false;
        *status = load(p, err);
        if (*status)
            return false;
    }
}

static enum hc_status at_end(struct hc_json_pull *p, struct hc_pull_token *token,
                             struct hc_error *err)
{
    token->kind = HC_PULL_END;
    if (p->state == WANT_NOTHING)
        return HC_OK;
    p->is_cut = true;
    if (p->depth == 0)
        return fail(p, "there is no JSON value", err);
    return fail_cut(p, p->is_object[p->depth - 1] ? "an object" : "an array", err);
}

/* Pass blanks, and the separator that was not taken at once. */
static __attribute__((noinline)) enum hc_status settle(struct hc_json_pull *p, bool *ended,
                                                       struct hc_error *err)
{
    enum hc_status status = HC_OK;
    *ended = !pass_blanks(p, &status, err);
    if (status || *ended)
        return status;
    if (p->state == WANT_COLON && *p->at == ':')
        p->state = WANT_VALUE;
    else if (p->state == WANT_COMMA_OR_END && *p->at == ',')
        p->state = p->after_comma[p->is_object[p->depth - 1]];
    else
        return HC_OK;
    p->at++;
    *ended = !pass_blanks(p, &status, err);
    return status;
}

static enum hc_status unexpected(struct hc_json_pull *p, struct hc_error *err)
{
    static const char *const wanted[] = {
        [WANT_VALUE] = "a value",       [WANT_VALUE_OR_END] = "a value or ']'",
        [WANT_KEY] = "a key in quotes", [WANT_KEY_OR_END] = "a key in quotes or '}'",
        [WANT_COLON] = "':'",           [WANT_NOTHING] = "the end of the document",
    };
    if (p->state != WANT_COMMA_OR_END)
        return fail_found(p, wanted[p->state], err);
    return fail_found(p, p->is_object[p->depth - 1] ? "',' or '}'" : "',' or ']'", err);
}

enum hc_status hc_pull_next(struct hc_json_pull *p, struct hc_pull_token *token,
                            struct hc_error *err)
{
    p->token = p->at;
    if ((unsigned char)*p->at <= p->last_blank || p->state >= WANT_COLON) {
        bool ended = false;
        if (settle(p, &ended, err))
            return err->status;
        if (ended)
            return at_end(p, token, err);
    }
    char c = *p->at;
    token->byte = p->base + (p->at - p->buffer);
    if (p->state == WANT_KEY || p->state == WANT_KEY_OR_END) {
        if (c == '"')
            return read_key(p, token, err);
        if (c == '}' && p->state == WANT_KEY_OR_END)
            return close_container(p, token);
    } else if (p->state == WANT_VALUE_OR_END && c == ']') {
        return close_container(p, token);
    } else if (p->state == WANT_VALUE || p->state == WANT_VALUE_OR_END) {
        return read_value(p, c, token, err);
    } else if (p->state == WANT_COMMA_OR_END && c == (p->is_object[p->depth - 1] ? '}' : ']')) {
        return close_container(p, token);
    }
    return unexpected(p, err);
}

/* ---- skipping ---- */

static enum hc_status skip_to_depth(struct hc_json_pull *p, size_t depth, struct hc_error *err)
{
    struct hc_pull_token token;
    enum hc_status status = HC_OK;
    p->skipping = true;
    while (p->depth > depth && status == HC_OK)
        status = hc_pull_next(p, &token, err);
    p->skipping = false;
    return status;
}

enum hc_status hc_pull_skip_value(struct hc_json_pull *p, struct hc_error *err)
{
    struct hc_pull_token token;
    size_t depth = p->depth;
    p->skipping = true;
    enum hc_status status = hc_pull_next(p, &token, err);
    p->skipping = false;
    return status ? status : skip_to_depth(p, depth, err);
}

enum hc_status hc_pull_skip_rest(struct hc_json_pull *p, struct hc_error *err)
{
    return skip_to_depth(p, p->depth - 1, err);
}
