/* trace_scan.h - the byte loops over the text of a trace: to the end of a string, of a number, of
 * an object. Sixteen bytes at a time where the machine has SSE2 (every x86-64 has it).
 * Private to this wing.
 *
 * All of them read up to HC_TRACE_PADDING bytes behind the text, which must be zeros there.
 */
#ifndef HC_PARSERS_PROFILES_TRACE_SCAN_H
#define HC_PARSERS_PROFILES_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The first byte from at on that is no blank. */
static inline const char *hc_scan_blanks(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* The first byte from at on that cannot stand in a number or a bare word. */
static inline const char *hc_scan_literal(const char *at)
{
    while ((*at >= '0' && *at <= '9') || *at == '.' || *at == '-' || *at == '+' ||
           ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z'))
        at++;
    return at;
}

/* The first quote, backslash or zero from at on. */
static inline const char *hc_scan_quote(const char *at)
{
#if defined(__SSE2__)
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i special = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        special = _mm_or_si128(special, _mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
        unsigned mask = (unsigned)_mm_movemask_epi8(special);
        if (mask)
            return at + __builtin_ctz(mask);
    }
#else
    while (*at != '"' && *at != '\\' && *at)
        at++;
    return at;
#endif
}

/* The quote that closes the string of which at is the first byte, or NULL where none comes before
 * end. Any byte may stand in the string: profilers do not escape control characters. */
static inline const char *hc_scan_string_end(const char *at, const char *end, bool *is_escaped)
{
    for (;;) {
        at = hc_scan_quote(at);
        if (at >= end)
            return NULL;
        if (*at == '"')
            return at;
        *is_escaped |= *at == '\\';
        at += *at == '\\' ? 2 : 1;
        if (at > end)
            return NULL;
    }
}

/* Behind the bracket that closes the object or array at `at`, or NULL where none comes before
 * end. */
const char *hc_scan_value_end(const char *at, const char *end);

/* The same of an object of which at is the first byte behind the brace, quickly. NULL too where
 * what would be a string holds a brace and then "ph" or "cat": no JSON has that, but a trace with a
 * quote too many or too few, and *damage is there then. */
const char *hc_scan_object_end(const char *at, const char *end, const char **damage);

/* Whether an event begins at this brace: "ph" or "cat" is its first key. */
bool hc_scan_begins_event(const char *brace);

#endif
