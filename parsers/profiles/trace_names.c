#include "parsers/profiles/trace_names.h"

#include "core/base/missing.h"
#include "core/base/utf8.h"

#include <string.h>

#define REPLACEMENT 0xFFFD

/* ---- escapes ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* The four digits behind \u, or -1. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t code = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        if (hex_digit(at[i]) < 0)
            return -1;
        code = code << 4 | hex_digit(at[i]);
    }
    return code;
}

static bool is_surrogate(int32_t code, int32_t first)
{
    return code >= first && code < first + 0x400;
}

/* The code point that the escape at `*at` (behind its backslash) stands for; moves *at behind it.
 */
static int32_t unescape(const char **at, const char *end)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char letter = *(*at)++;
    const char *found = letter ? strchr(letters, letter) : NULL;
    if (letter != 'u')
        return found ? meanings[found - letters] : (unsigned char)letter;
    int32_t code = hex4(*at, end);
    if (code < 0)
        return REPLACEMENT;
    *at += 4;
    if (is_surrogate(code, 0xDC00))
        return REPLACEMENT;
    if (!is_surrogate(code, 0xD800))
        return code ? code : REPLACEMENT;
    int32_t low = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' ? hex4(*at + 2, end) : -1;
    if (!is_surrogate(low, 0xDC00))
        return REPLACEMENT;
    *at += 6;
    return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

/* A code point as UTF-8; returns its bytes. */
static size_t encode(char to[4], int32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(heads[n] | code);
    return n;
}

/* The character at *at as UTF-8; moves *at behind it. */
static size_t resolve_one(char to[4], const char **at, const char *end)
{
    unsigned char first = (unsigned char)**at;
    if (first == '\\' && end - *at > 1) {
        ++*at;
        /* An escaped byte beyond ASCII is no escape, but a character behind a stray backslash. */
        return (unsigned char)**at < 0x80 ? encode(to, unescape(at, end)) : 0;
    }
    char next[5] = "";
    memcpy(next, *at, end - *at < 4 ? (size_t)(end - *at) : 4);
    size_t n = first ? hc_utf8_length(next) : 0;
    if (n == 0) {
        ++*at;
        return encode(to, REPLACEMENT);
    }
    memcpy(to, *at, n);
    *at += n;
    return n;
}

/* The text that a string stands for; returns its length. */
static size_t resolve(char to[HC_TRACE_NAME + 1], const struct hc_trace_value *value)
{
    size_t length = 0;
    const char *at = value->text, *end = at + value->length;
    while (at < end) {
        char one[4];
        size_t n = resolve_one(one, &at, end);
        if (length + n > HC_TRACE_NAME)
            break;
        memcpy(to + length, one, n);
        length += n;
    }
    to[length] = '\0';
    return length;
}

/* ---- codes ---- */

/* Of the bytes by eights; the last eight overlap the ones before. */
static size_t slot_of(const char *text, size_t length)
{
    uint64_t hash = length, bytes = 0;
    for (size_t i = 0; i + 8 <= length; i += 8) {
        memcpy(&bytes, text + i, 8);
        hash = (hash ^ bytes) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    bytes = 0;
    if (length >= 8)
        memcpy(&bytes, text + length - 8, 8);
    else
        memcpy(&bytes, text, length);
    hash = (hash ^ bytes) * 0x9E3779B97F4A7C15ULL;
    return hash >> 32 & (HC_TRACE_NAME_SLOTS - 1);
}

enum hc_status hc_trace_name_code(struct hc_trace_names *names, const struct hc_trace_value *value,
                                  int32_t *code, struct hc_error *err)
{
    struct hc_trace_name_slot *slot = &names->slot[slot_of(value->text, value->length)];
    if (slot->text && slot->length == value->length &&
        memcmp(slot->text, value->text, value->length) == 0) {
        *code = slot->code;
        return HC_OK;
    }
    char text[HC_TRACE_NAME + 1];
    size_t length = resolve(text, value);
    size_t n_before = names->set->n;
    *code = HC_MISSING_I32;
    if (names->n_bytes + length > HC_TRACE_NAMES_MOST) {
        int32_t found = hc_text_set_find(names->set, text, length);
        *code = found < 0 ? HC_MISSING_I32 : found;
        return HC_OK;
    }
    if (hc_text_set_add(names->set, text, length, code, err))
        return err->status;
    names->n_bytes += names->set->n > n_before ? length + 32 : 0;
    if (length == value->length && memcmp(text, value->text, length) == 0)
        *slot = (struct hc_trace_name_slot){names->set->text[*code], length, *code};
    return HC_OK;
}
