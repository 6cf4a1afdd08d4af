#include "parsers/profiles/trace_scan.h"

#include <string.h>

#define MOST_DEPTH 512
#define BLOCK      64

bool hc_scan_begins_event(const char *brace)
{
    const char *at = hc_scan_blanks(brace + 1);
    return strncmp(at, "\"ph\"", 4) == 0 || strncmp(at, "\"cat\"", 5) == 0;
}

const char *hc_scan_value_end(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        bool ignored = false;
        if (*at == '"') {
            at = hc_scan_string_end(at + 1, end, &ignored);
            if (!at)
                return NULL;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        if (depth == 0 || depth > MOST_DEPTH)
            return depth ? NULL : at + 1;
    }
    return NULL;
}

/* Where a scan over an object is. */
struct place {
    unsigned depth;
    bool in_string, is_escaped; /* is_escaped: by a backslash that ended the last block */
};

/* A bit for each byte of a block. */
struct marks {
    uint64_t quotes, backslashes, opens, closes;
};

static inline struct marks find_marks(const char *at)
{
    struct marks marks = {0};
#if defined(__SSE2__)
    for (int i = 0; i < BLOCK; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        marks.quotes |=
            (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << i;
        marks.backslashes |=
            (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))) << i;
        marks.opens |=
            (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('{'))) << i;
        marks.closes |=
            (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('}'))) << i;
    }
#else
    for (int i = 0; i < BLOCK; i++) {
        marks.quotes |= (uint64_t)(at[i] == '"') << i;
        marks.backslashes |= (uint64_t)(at[i] == '\\') << i;
        marks.opens |= (uint64_t)(at[i] == '{') << i;
        marks.closes |= (uint64_t)(at[i] == '}') << i;
    }
#endif
    return marks;
}

/* The quotes of a block without those that a backslash escapes. */
static uint64_t drop_escaped(const char *at, uint64_t quotes, struct place *place)
{
    bool is_escaped = place->is_escaped;
    for (int i = 0; i < BLOCK; i++) {
        if (is_escaped)
            quotes &= ~((uint64_t)1 << i);
        is_escaped = !is_escaped && at[i] == '\\';
    }
    place->is_escaped = is_escaped;
    return quotes;
}

/* Each bit becomes the parity of those up to it: set from an opening quote to before its closing
 * one. */
static inline uint64_t parities(uint64_t bits)
{
    for (int shift = 1; shift < BLOCK; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The braces of a block in turn: where the object ends, or damage shows. */
static const char *follow(const char *at, struct marks marks, uint64_t strings, struct place *place,
                          const char **damage)
{
    for (uint64_t bits = marks.opens | (marks.closes & ~strings); bits; bits &= bits - 1) {
        int i = __builtin_ctzll(bits);
        uint64_t bit = (uint64_t)1 << i;
        if (strings & bit) {
            if (!hc_scan_begins_event(at + i))
                continue;
            *damage = at + i;
        } else if (marks.opens & bit) {
            if (++place->depth > MOST_DEPTH)
                *damage = at + i;
        } else if (--place->depth == 0) {
            return at + i + 1;
        }
        if (*damage)
            return NULL;
    }
    return NULL;
}

/* Brackets are not looked at: in an object they are closed before it is. */
const char *hc_scan_object_end(const char *at, const char *end, const char **damage)
{
    struct place place = {.depth = 1};
    *damage = NULL;
    for (; at < end; at += BLOCK) {
        struct marks marks = find_marks(at);
        if (marks.backslashes || place.is_escaped)
            marks.quotes = drop_escaped(at, marks.quotes, &place);
        uint64_t strings = parities(marks.quotes) ^ -(uint64_t)place.in_string;
        place.in_string = strings >> (BLOCK - 1);
        if (!(marks.opens | (marks.closes & ~strings)))
            continue;
        const char *behind = follow(at, marks, strings, &place, damage);
        if (behind || *damage)
            return behind;
    }
    return NULL;
}
