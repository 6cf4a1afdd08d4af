/* number_text.h - numbers written as text: to whole numbers and nanoseconds exactly, by integer
 * arithmetic, and to the nearest float32.
 *
 * Grammar: [+-] digits [. digits] [e [+-] digits], with at least one digit before the e and blanks
 * around it; nan, inf and infinity in any case. Nothing depends on the locale.
 */
#ifndef HC_CORE_TEXT_NUMBER_TEXT_H
#define HC_CORE_TEXT_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum hc_text_number {
    HC_TEXT_OK = 0,
    HC_TEXT_EMPTY, /* nothing but blanks */
    HC_TEXT_NOT_NUMBER,
    HC_TEXT_NAN,
    HC_TEXT_INFINITE,
    HC_TEXT_NOT_WHOLE,   /* a fraction where a whole number is wanted */
    HC_TEXT_OUT_OF_RANGE /* the type cannot hold it */
};

/* "3", "-1", and also "3.0" and "3e2": what is a whole number, however it is written. On failure
 * *value is 0. */
enum hc_text_number hc_text_to_i64(const char *text, size_t length, int64_t *value);

/* Decimal seconds to nanoseconds, halves away from zero. On failure *ns is 0. */
enum hc_text_number hc_text_to_ns(const char *text, size_t length, int64_t *ns);

/* The same of decimal milliseconds and microseconds. */
enum hc_text_number hc_text_ms_to_ns(const char *text, size_t length, int64_t *ns);
enum hc_text_number hc_text_us_to_ns(const char *text, size_t length, int64_t *ns);

/* The float32 nearest to the decimal, halves to even, as strtof. On failure *value is 0. */
enum hc_text_number hc_text_to_float32(const char *text, size_t length, float *value);

/* The double nearest to digits * 10^power where that is quick, else false. Clinger's fast path
 * ("How to read floating point numbers accurately", PLDI 1990): digits and power of ten are exact
 * doubles, so their product or quotient is the nearest double. */
bool hc_nearest_double(uint64_t digits, int power, double *value);

/* The same of float32: the nearest double gives the nearest float, unless it lies on the middle of
 * two floats, where the first rounding may have hidden the side. */
bool hc_nearest_float32(uint64_t digits, int power, float *value);

/* ---- the common spellings, fast ----
 *
 * These take plain digits only and return false for everything else, which may still be a number:
 * ask the functions above then. They read up to HC_TEXT_PADDING bytes behind the text. */

#define HC_TEXT_PADDING 32

/* Any fraction may follow it without an overflow of int64 nanoseconds. */
#define HC_TEXT_MOST_SECONDS 9223372035

#define HC_ALL_ZERO_DIGITS 0x3030303030303030ULL

/* Eight bytes of text as one number, the first in the lowest byte. */
static inline uint64_t hc_load8(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* Whether all eight bytes are digits. */
static inline bool hc_are_digits8(uint64_t bytes)
{
    return ((bytes & 0xF0F0F0F0F0F0F0F0ULL) |
            (((bytes + 0x0606060606060606ULL) & 0xF0F0F0F0F0F0F0F0ULL) >> 4)) ==
           0x3333333333333333ULL;
}

/* The number that eight digits make: pairs, then fours, then all. */
static inline uint64_t hc_digits8(uint64_t bytes)
{
    bytes -= HC_ALL_ZERO_DIGITS;
    bytes = bytes * 10 + (bytes >> 8);
    return (((bytes & 0x000000FF000000FFULL) * (100 + (1000000ULL << 32))) +
            (((bytes >> 16) & 0x000000FF000000FFULL) * (1 + (10000ULL << 32)))) >>
           32;
}

/* One to eight digits: behind zeros they keep their value. */
static inline uint64_t hc_behind_zeros(uint64_t bytes, size_t n)
{
    return bytes << (64 - 8 * n) | HC_ALL_ZERO_DIGITS >> 8 >> (8 * n - 8);
}

/* Nought to seven digits: before zeros they are a fraction of eight digits. */
static inline uint64_t hc_before_zeros(uint64_t bytes, size_t n)
{
    uint64_t kept = ((uint64_t)1 << 8 * n) - 1;
    return (bytes & kept) | (HC_ALL_ZERO_DIGITS & ~kept);
}

/* One to eight digits, or -1. */
static inline bool hc_padded_to_i64(const char *text, size_t length, int64_t *value)
{
    if (length - 1 > 7)
        return false;
    if (length == 2 && text[0] == '-' && text[1] == '1') {
        *value = -1;
        return true;
    }
    uint64_t digits = hc_behind_zeros(hc_load8(text), length);
    *value = (int64_t)hc_digits8(digits);
    return hc_are_digits8(digits);
}

/* Index of the first '.' in eight bytes, 8 when there is none. */
static inline size_t hc_find_dot8(uint64_t bytes)
{
    uint64_t x = bytes ^ 0x2E2E2E2E2E2E2E2EULL;
    uint64_t found = (x - 0x0101010101010101ULL) & ~x & 0x8080808080808080ULL;
    return found ? (size_t)__builtin_ctzll(found) / 8 : 8;
}

/* Seconds as one to ten digits (Unix time has ten), a point, one to sixteen digits. */
static inline bool hc_padded_to_ns(const char *text, size_t length, int64_t *ns)
{
    uint64_t head = hc_load8(text);
    size_t dot = hc_find_dot8(head);
    while (dot >= 8 && dot < 11 && text[dot] != '.')
        dot++;
    size_t n = length - dot - 1; /* wraps when the point lies behind the text */
    if (dot == 0 || dot > 10 || n - 1 > 15)
        return false;
    uint64_t whole = hc_behind_zeros(head, dot < 8 ? dot : 8);
    uint64_t first = hc_load8(text + dot + 1);
    bool good = hc_are_digits8(whole);
    int64_t seconds = (int64_t)hc_digits8(whole);
    for (size_t i = 8; i < dot; i++) {
        good &= text[i] >= '0' && text[i] <= '9';
        seconds = seconds * 10 + (text[i] - '0');
    }
    good &= seconds <= HC_TEXT_MOST_SECONDS;
    uint64_t seconds_ns = (uint64_t)seconds * 1000000000;
    if (n <= 7) {
        first = hc_before_zeros(first, n);
        *ns = (int64_t)(seconds_ns + hc_digits8(first) * 10);
        return good && hc_are_digits8(first);
    }
    uint64_t second =
        n == 16 ? hc_load8(text + dot + 9) : hc_before_zeros(hc_load8(text + dot + 9), n - 8);
    uint64_t fraction = hc_digits8(first) * 100000000 + hc_digits8(second);
    *ns = (int64_t)(seconds_ns + (fraction + 5000000) / 10000000);
    return good && hc_are_digits8(first) && hc_are_digits8(second);
}

/* The same with at most nine digits behind the point, which nanoseconds hold exactly. */
static inline bool hc_padded_to_float32(const char *text, size_t length, float *value)
{
    int64_t ns = 0;
    return length <= 11 && hc_padded_to_ns(text, length, &ns) &&
           hc_nearest_float32((uint64_t)ns, -9, value);
}

#endif
