/* shown.h - what may be written for people to read, and what of it a checker has to know: written
 * anew here, so that the writers are not held against themselves. */
#ifndef HC_TESTS_FUZZ_SHOWN_H
#define HC_TESTS_FUZZ_SHOWN_H

#include "tests/fuzz/target.h"

#include <jansson.h>

/* Code point at text (valid UTF-8), whose length goes to *length. */
static inline uint32_t fuzz_code_point(const char *text, size_t *length)
{
    unsigned char first = (unsigned char)*text;
    *length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t code = *length == 1 ? first : first & (0x7Fu >> *length);
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3Fu);
    return code;
}

/* Whether a character acts instead of being seen: commands of terminals, ends of lines, direction,
 * no width. */
static inline bool fuzz_acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           (code >= 0x200B && code <= 0x200F) || code == 0x061C || code == 0xFEFF;
}

static inline bool fuzz_is_utf8(const char *text, size_t length)
{
    json_t *string = json_stringn(text, length);
    json_decref(string);
    return string;
}

/* A document for people: UTF-8 without a NUL, and nothing acts but the white space that it may
 * have.
 */
static inline void fuzz_check_shown(const char *text, size_t length, const char *white)
{
    require(strlen(text) == length && fuzz_is_utf8(text, length));
    for (size_t n = 0; *text; text += n)
        require(!fuzz_acts(fuzz_code_point(text, &n)) || strchr(white, *text));
}

#endif
