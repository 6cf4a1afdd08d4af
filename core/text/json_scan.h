/* json_scan.h - the byte loops of the JSON reader: to the next byte that matters, sixteen at a time
 * where the machine has SSE2 (every x86-64 has it; wider registers gain nothing on short tokens).
 * Private to this wing.
 *
 * All of them read up to HC_SCAN_PADDING bytes behind the text, which must be zeros: a zero stops
 * each of them.
 */
#ifndef HC_CORE_TEXT_JSON_SCAN_H
#define HC_CORE_TEXT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define HC_SCAN_PADDING 64

/* The first byte from at on that is a quote, a backslash, a control character or not ASCII. */
static inline const char *hc_scan_string(const char *at)
{
#if defined(__SSE2__)
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i special = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        /* Signed: what is not ASCII is negative. */
        special = _mm_or_si128(special, _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
        unsigned mask = (unsigned)_mm_movemask_epi8(special);
        if (mask)
            return at + __builtin_ctz(mask);
    }
#else
    while (*at != '"' && *at != '\\' && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80)
        at++;
    return at;
#endif
}

/* The first byte from at on that is no digit. */
static inline const char *hc_scan_digits(const char *at)
{
#if defined(__SSE2__)
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
        __m128i good = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
        unsigned mask = ~(unsigned)_mm_movemask_epi8(good) & 0xFFFF;
        if (mask)
            return at + __builtin_ctz(mask);
    }
#else
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
#endif
}

/* Length of the UTF-8 sequence of more than one byte that starts at `at`, 0 when it is not valid:
 * cut, overlong, a surrogate, or beyond U+10FFFF. */
static inline size_t hc_scan_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned char low = 0x80, high = 0xBF; /* of the second byte */
    size_t n = at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if (n == 0)
        return 0;
    if (at[0] == 0xE0)
        low = 0xA0;
    else if (at[0] == 0xED)
        high = 0x9F;
    else if (at[0] == 0xF0)
        low = 0x90;
    else if (at[0] == 0xF4)
        high = 0x8F;
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if (at[i] < 0x80 || at[i] > 0xBF)
            return 0;
    return n;
}

#endif
