#include "parsers/io/log_text.h"

#include "core/text/number_text.h"

#include <stdlib.h>
#include <string.h>

#define ESCAPE '\x1b'

/* A text that is read, and the one that is made of it, which is never longer but for a stamp. */
struct copy {
    const char *at, *end;
    char *to;
};

void hc_log_text_fini(struct hc_log_text *text)
{
    free(text->clean);
}

void hc_log_text_begin(struct hc_log_text *text, const struct hc_line *line)
{
    text->line = *line;
    text->at = 0;
    text->is_over = false;
}

/* ---- colours ---- */

/* Pass over "ESC [ 31;1 m", and the like that move the cursor. */
static void skip_escape(struct copy *c)
{
    c->at++;
    if (c->at == c->end || *c->at != '[')
        return;
    for (c->at++; c->at < c->end && (*c->at < '@' || *c->at > '~'); c->at++)
        ;
    c->at += c->at < c->end;
}

static void take_plain(struct copy *c)
{
    while (c->at < c->end) {
        if (*c->at == ESCAPE)
            skip_escape(c);
        else
            *c->to++ = *c->at++;
    }
}

/* ---- container engines ---- */

/* "2026-03-01T10:00:00.123456789Z stdout F ": how long the stamp is, and all of it; 0: it is none.
 */
static size_t cri_length(const char *at, size_t length, size_t *stamp)
{
    static const char *const streams[] = {" stdout F ", " stderr F ", " stdout P ", " stderr P "};
    const char *end = length > 20 && at[4] == '-' && at[10] == 'T'
                          ? memchr(at, ' ', length < 40 ? length : 40)
                          : NULL;
    *stamp = end ? (size_t)(end - at) : 0;
    if (!end || length - *stamp < strlen(" std") || memcmp(end, " std", strlen(" std")) != 0)
        return 0;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        size_t n = strlen(streams[i]);
        if (length - *stamp >= n - 1 && memcmp(end, streams[i], n - 1) == 0)
            return length - *stamp == n - 1 ? length : *stamp + n;
    }
    return 0;
}

static unsigned hex4(const char *at)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                         : (c | 0x20) >= 'a' && (c | 0x20) <= 'f'
                             ? (unsigned)((c | 0x20) - 'a' + 10)
                             : 0;
        code = code << 4 | digit;
    }
    return code;
}

/* What "\u00e9" stands for, as UTF-8; halves of pairs, which no log of a run has, as '?'. */
static void put_code(struct copy *c, unsigned code)
{
    if (code < 0x80) {
        *c->to++ = (char)code;
    } else if (code < 0x800) {
        *c->to++ = (char)(0xC0 | code >> 6);
        *c->to++ = (char)(0x80 | (code & 0x3F));
    } else if (code >= 0xD800 && code < 0xE000) {
        *c->to++ = '?';
    } else {
        *c->to++ = (char)(0xE0 | code >> 12);
        *c->to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *c->to++ = (char)(0x80 | (code & 0x3F));
    }
}

/* Undo an escape of JSON, behind its backslash. */
static void take_json_escape(struct copy *c)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char letter = *c->at++;
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (letter == 'u' && c->end - c->at >= 4) {
        put_code(c, hex4(c->at));
        c->at += 4;
    } else {
        *c->to++ = known ? meant[known - letters] : letter;
    }
}

/* The text up to its quote, escapes undone. */
static void take_json_text(struct copy *c)
{
    while (c->at < c->end && *c->at != '"') {
        if (*c->at == '\\' && c->at + 1 < c->end) {
            c->at++;
            take_json_escape(c);
        } else {
            *c->to++ = *c->at++;
        }
    }
}

/* The value of "time" behind the text of a line of Docker. */
static bool docker_time(const char *line, size_t length, const char **stamp, size_t *n)
{
    static const char key[] = "\"time\":\"";
    const char *at = memmem(line, length, key, sizeof key - 1), *end = line + length;
    for (const char *next = at; next; next = memmem(at + 1, (size_t)(end - at - 1), key, 8))
        at = next;
    const char *quote = at ? memchr(at + 8, '"', (size_t)(end - at - 8)) : NULL;
    *stamp = at ? at + 8 : NULL;
    *n = quote ? (size_t)(quote - *stamp) : 0;
    return *n >= 19 && *n < 40;
}

/* ---- pieces ---- */

static bool is_docker(const struct hc_line *line)
{
    static const char begin[] = "{\"log\":\"";
    return line->length > sizeof begin && memcmp(line->text, begin, sizeof begin - 1) == 0;
}

/* Put the stamp of the engine before the text; behind it, colours are taken out. */
static void end_clean(struct copy *c, char *from)
{
    struct copy colours = {from, c->to, from};
    take_plain(&colours);
    while (colours.to > from && (colours.to[-1] == '\n' || colours.to[-1] == '\r'))
        colours.to--;
    c->to = colours.to;
}

static enum hc_status unwrap(struct hc_log_text *text, struct hc_line *piece, bool *has_stamp,
                             struct hc_error *err)
{
    const char *stamp = piece->text;
    size_t n_stamp = 0, n_cri = cri_length(piece->text, piece->length, &n_stamp);
    bool of_docker = is_docker(piece) && docker_time(piece->text, piece->length, &stamp, &n_stamp);
    if (hc_reserve(&text->clean, &text->capacity, piece->length + 64 + HC_TEXT_PADDING, 1, err))
        return err->status;
    *has_stamp = n_cri || of_docker;
    struct copy c = {piece->text + n_cri, piece->text + piece->length, text->clean};
    if (*has_stamp) {
        memcpy(c.to, stamp, n_stamp);
        c.to += n_stamp;
        *c.to++ = ' ';
    }
    char *from = c.to;
    if (of_docker) {
        c.at += strlen("{\"log\":\"");
        take_json_text(&c);
        end_clean(&c, from);
    } else {
        take_plain(&c);
    }
    memset(c.to, 0, HC_TEXT_PADDING);
    piece->text = text->clean;
    piece->length = (size_t)(c.to - text->clean);
    return HC_OK;
}

enum hc_status hc_log_text_next(struct hc_log_text *text, struct hc_line *piece, bool *is_there,
                                bool *has_stamp, struct hc_error *err)
{
    *is_there = !text->is_over;
    *has_stamp = false;
    if (text->is_over)
        return HC_OK;
    *piece = text->line;
    const char *from = piece->text + text->at, *end = piece->text + piece->length;
    const char *back = memchr(from, '\r', (size_t)(end - from));
    text->at = back ? (size_t)(back + 1 - piece->text) : piece->length;
    text->is_over = !back;
    piece->text = from;
    piece->length = (size_t)((back ? back : end) - from);
    size_t stamp;
    char first = piece->length ? *from : '\0'; /* nearly all lines begin otherwise */
    bool is_wrapped = first == '{'                   ? is_docker(piece)
                      : first >= '0' && first <= '9' ? cri_length(from, piece->length, &stamp) > 0
                                                     : false;
    bool is_plain = !is_wrapped && !memchr(from, ESCAPE, piece->length);
    return is_plain ? HC_OK : unwrap(text, piece, has_stamp, err);
}
