#include "parsers/kernel/json_line.h"

#include <string.h>

#define MOST_DEPTH 64

typedef struct hc_event_text text;

struct scan {
    const char *at, *end;
    hc_json_field_taker *take;
    void *context;
};

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
        s->at++;
}

static bool take_char(struct scan *s, char c)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

/* Behind the opening quote: up to the closing one, which is passed. */
static bool take_string(struct scan *s, text *value)
{
    const char *start = s->at;
    while (s->at < s->end && *s->at != '"')
        s->at += *s->at == '\\' ? 2 : 1;
    if (s->at >= s->end)
        return false;
    *value = (text){start, (size_t)(s->at - start)};
    s->at++;
    return true;
}

/* Past an object or array whose bracket is next. */
static bool skip_nested(struct scan *s)
{
    int depth = 0;
    text ignored;
    do {
        if (s->at == s->end)
            return false;
        char c = *s->at++;
        if (c == '"' && !take_string(s, &ignored))
            return false;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
    } while (depth > 0 && depth < MOST_DEPTH);
    return depth == 0;
}

static bool take_value(struct scan *s, struct hc_json_field *field)
{
    skip_blanks(s);
    const char *start = s->at;
    field->is_string = s->at < s->end && *s->at == '"';
    field->is_array = s->at < s->end && *s->at == '[';
    if (field->is_string) {
        s->at++;
        return take_string(s, &field->value);
    }
    if (s->at < s->end && (*s->at == '[' || *s->at == '{')) {
        if (!skip_nested(s))
            return false;
    } else {
        while (s->at < s->end && *s->at && !strchr(",}] \t\r\n", *s->at))
            s->at++;
    }
    field->value = (text){start, (size_t)(s->at - start)};
    return field->value.length > 0;
}

static bool read_object(struct scan *s, text outer)
{
    if (!take_char(s, '{'))
        return false;
    if (take_char(s, '}'))
        return true;
    do {
        struct hc_json_field field = {.outer = outer};
        if (!take_char(s, '"') || !take_string(s, &field.key) || !take_char(s, ':'))
            return false;
        skip_blanks(s);
        bool is_object = s->at < s->end && *s->at == '{';
        if (is_object && !outer.length && field.key.length) {
            if (!read_object(s, field.key))
                return false;
            continue;
        }
        if (!take_value(s, &field))
            return false;
        s->take(&field, s->context);
    } while (take_char(s, ','));
    return take_char(s, '}');
}

bool hc_json_line_read(struct hc_event_text line, hc_json_field_taker *take, void *context)
{
    struct scan s = {line.text, line.text + line.length, take, context};
    if (!read_object(&s, (text){line.text, 0}))
        return false;
    skip_blanks(&s);
    return s.at == s.end;
}

/* ---- texts ---- */

static size_t bytes_of_array(text array, char *buffer, size_t size)
{
    size_t n = 0;
    int value = -1;
    const char *quote = memchr(array.text, '"', array.length);
    if (quote) { /* texts, of which the first counts: a field that the record has several times */
        size_t left = (size_t)(array.text + array.length - quote - 1);
        const char *end = memchr(quote + 1, '"', left);
        n = end ? (size_t)(end - quote - 1) : left;
        n = n < size ? n : size;
        memcpy(buffer, quote + 1, n);
        return n;
    }
    for (size_t i = 0; i < array.length && n < size; i++) {
        char c = array.text[i];
        if (c >= '0' && c <= '9') {
            value = (value < 0 ? 0 : value * 10 % 1000) + (c - '0');
        } else if (value >= 0) {
            buffer[n++] = (char)(value & 0xFF);
            value = -1;
        }
    }
    return n;
}

static unsigned hex4(const char *at)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        char c = (char)(at[i] | 0x20);
        unsigned digit = c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : (unsigned)(at[i] - '0');
        code = code << 4 | (digit & 15);
    }
    return code;
}

/* What an escape stands for; beyond Latin characters '?'. *n: bytes of it behind the backslash. */
static char escaped(const char *at, size_t left, size_t *n)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    *n = 1;
    if (letter)
        return meant[letter - letters];
    if (*at != 'u' || left < 5)
        return '?';
    *n = 5;
    unsigned code = hex4(at + 1);
    return code && code < 0x80 ? (char)code : '?';
}

size_t hc_json_field_text(const struct hc_json_field *field, char *buffer, size_t size)
{
    text from = field->value;
    size_t n = 0, used;
    if (field->is_array)
        return bytes_of_array(from, buffer, size);
    for (size_t i = 0; i < from.length && n < size; i++) {
        if (!field->is_string || from.text[i] != '\\' || i + 1 == from.length) {
            buffer[n++] = from.text[i];
            continue;
        }
        buffer[n++] = escaped(from.text + i + 1, from.length - i - 1, &used);
        i += used;
    }
    return n;
}
