#include "core/text/json_escape.h"

#include <string.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 32);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The four hex digits at `at`, or -1. */
static int32_t hex4(const char *at)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

size_t hc_json_escape(const char *at, uint32_t *code)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (at[1] != 'u') {
        const char *found = at[1] ? strchr(names, at[1]) : NULL;
        *code = found ? (uint32_t)values[found - names] : 0;
        return found ? 2 : 0;
    }
    int32_t first = hex4(at + 2);
    *code = (uint32_t)first;
    if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF))
        return 0;
    if (first < 0xD800 || first > 0xDBFF)
        return 6;
    int32_t second = at[6] == '\\' && at[7] == 'u' ? hex4(at + 8) : -1;
    if (second < 0xDC00 || second > 0xDFFF)
        return 0;
    *code = 0x10000 + (((uint32_t)first - 0xD800) << 10) + ((uint32_t)second - 0xDC00);
    return 12;
}

size_t hc_json_put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | code);
    return n;
}
