/* text_hash.h - a hash of short texts for tables in memory: as FNV-1a, but eight bytes at a time.
 * Nothing that is written may depend on it. */
#ifndef HC_CORE_TEXT_TEXT_HASH_H
#define HC_CORE_TEXT_TEXT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is left of a text of that length behind its whole words, in a word: of a long one its last
 * eight bytes. A copy of a length that is not known would cost a call. */
static inline uint64_t hc_text_tail(const char *text, size_t length)
{
    uint64_t word = 0;
    uint32_t first, last;
    if (length >= 8) {
        memcpy(&word, text + length - 8, 8);
        return word;
    }
    if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        return first | (uint64_t)last << 32;
    }
    return (unsigned char)text[0] | (uint64_t)(unsigned char)text[length / 2] << 8 |
           (uint64_t)(unsigned char)text[length - 1] << 16;
}

/* Whether two texts of that length are the same, without the call that memcmp is: for short ones.
 */
static inline bool hc_is_same_text(const char *a, const char *b, size_t length)
{
    uint64_t of_a, of_b;
    for (size_t at = 0; at + 8 <= length; at += 8) {
        memcpy(&of_a, a + at, 8);
        memcpy(&of_b, b + at, 8);
        if (of_a != of_b)
            return false;
    }
    return length % 8 == 0 || hc_text_tail(a, length) == hc_text_tail(b, length);
}

static inline uint32_t hc_text_hash(const char *text, size_t length)
{
    const uint64_t prime = 0x9E3779B97F4A7C15ULL;
    uint64_t value = 14695981039346656037ULL ^ length, word;
    for (size_t at = 0; at + 8 <= length; at += 8) {
        memcpy(&word, text + at, 8);
        value = (value ^ word) * prime;
        value ^= value >> 32;
    }
    if (length % 8)
        value = (value ^ hc_text_tail(text, length)) * prime;
    /* Once more, so that the low bits depend on the last letters, too. */
    return (uint32_t)((value ^ value >> 32) * prime >> 32);
}

#endif
