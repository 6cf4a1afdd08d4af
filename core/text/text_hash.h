/* text_hash.h - a hash of short texts for tables in memory, and whether two of them are the same,
 * both without a call: sixteen bytes at a time, the last of which overlap with those before.
 * Nothing that is written may depend on the hash. */
#ifndef HC_CORE_TEXT_TEXT_HASH_H
#define HC_CORE_TEXT_TEXT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hc_text_word(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* The last sixteen bytes of a text as two words; a shorter one is, with its length, all in them. A
 * copy of a length that is not known would cost a call. */
struct hc_text_words {
    uint64_t word[2];
};

static inline struct hc_text_words hc_text_words(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t first, last;
    if (length > 16)
        return (struct hc_text_words){
            {hc_text_word(text + length - 16), hc_text_word(text + length - 8)}};
    if (length >= 8)
        return (struct hc_text_words){{hc_text_word(text), hc_text_word(text + length - 8)}};
    if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        return (struct hc_text_words){{first, last}};
    }
    if (length == 0)
        return (struct hc_text_words){{0, 0}};
    return (struct hc_text_words){{bytes[0] | (unsigned)bytes[length / 2] << 8, bytes[length - 1]}};
}

/* Whether two texts of that length are the same. */
static inline bool hc_is_same_text(const char *a, const char *b, size_t length)
{
    for (size_t at = 0; at + 16 < length; at += 16)
        if ((hc_text_word(a + at) ^ hc_text_word(b + at)) |
            (hc_text_word(a + at + 8) ^ hc_text_word(b + at + 8)))
            return false;
    struct hc_text_words of_a = hc_text_words(a, length), of_b = hc_text_words(b, length);
    return ((of_a.word[0] ^ of_b.word[0]) | (of_a.word[1] ^ of_b.word[1])) == 0;
}

/* Both halves of a product, of which each bit of the factors changes some. */
static inline uint64_t hc_text_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint32_t hc_text_hash(const char *text, size_t length)
{
    const uint64_t odd = 0x9E3779B97F4A7C15ULL;
    uint64_t value = 0xCBF29CE484222325ULL ^ length;
    for (size_t at = 0; at + 16 < length; at += 16)
        value = hc_text_mix(hc_text_word(text + at) ^ odd, hc_text_word(text + at + 8) ^ value);
    struct hc_text_words last = hc_text_words(text, length);
    return (uint32_t)hc_text_mix(last.word[0] ^ odd, last.word[1] ^ value);
}

#endif
