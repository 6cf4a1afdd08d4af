#include "parsers/jobs/sacct_block.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- the marks of 32 bytes ---- */

struct marks {
    uint32_t ends; /* bit i: byte i is a delimiter or a line feed */
    uint32_t feeds;
};

#ifdef __SSE2__

static inline struct marks find_marks(const char *text, char delimiter)
{
    const __m128i wanted = _mm_set1_epi8(delimiter), feed = _mm_set1_epi8('\n');
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(text + 16));
    __m128i low_feeds = _mm_cmpeq_epi8(low, feed), high_feeds = _mm_cmpeq_epi8(high, feed);
    uint32_t feeds =
        (uint32_t)_mm_movemask_epi8(low_feeds) | (uint32_t)_mm_movemask_epi8(high_feeds) << 16;
    uint32_t others = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted)) |
                      (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted)) << 16;
    return (struct marks){others | feeds, feeds};
}

#else

static inline struct marks find_marks(const char *text, char delimiter)
{
    struct marks marks = {0};
    for (unsigned i = 0; i < 32; i++) {
        marks.feeds |= (uint32_t)(text[i] == '\n') << i;
        marks.ends |= (uint32_t)(text[i] == delimiter) << i;
    }
    marks.ends |= marks.feeds;
    return marks;
}

#endif

static inline uint32_t *put_ends(uint32_t *to, uint32_t marks, size_t at)
{
    for (; marks; marks &= marks - 1)
        *to++ = (uint32_t)at + (uint32_t)__builtin_ctz(marks);
    return to;
}

/* ---- records ---- */

/* Whether the line whose ends are from `ends` on to `to` is a record: its last field then ends
 * before a carriage return, or before the delimiter with which --parsable ends lines. */
static inline bool end_record(const struct hc_sacct_block *block, uint32_t *ends,
                              const uint32_t *to)
{
    size_t n = block->n_fields, found = (size_t)(to - ends) - 1;
    uint32_t end = to[-1], start = ends[0] + 1;
    end -= end > start && block->text[end - 1] == '\r';
    bool is_ended = found == n + 1 && end == ends[n] + 1;
    if ((found != n && !is_ended) || block->text[start] < '0' || block->text[start] > '9')
        return false;
    if (!is_ended)
        ends[n] = end;
    return true;
}

size_t hc_sacct_block_split(struct hc_sacct_block *block, struct hc_span text, char delimiter,
                            size_t most, int64_t line)
{
    const size_t stride = block->n_fields + 1;
    uint32_t *ends = block->ends, *to = ends + 1;
    size_t room = HC_SACCT_BLOCK_ENDS / stride;
    most = most < HC_SACCT_BLOCK_RECORDS ? most : HC_SACCT_BLOCK_RECORDS;
    most = most < room ? most : room;
    block->text = text.text;
    block->n = 0;
    *ends = UINT32_MAX;
    for (size_t at = 0; at < text.length && block->n < most; at += 32) {
        struct marks marks = find_marks(text.text + at, delimiter);
        for (; marks.feeds && block->n < most; marks.feeds &= marks.feeds - 1) {
            uint32_t of_line = marks.feeds ^ (marks.feeds - 1); /* up to the first feed */
            to = put_ends(to, marks.ends & of_line, at);
            uint32_t feed = to[-1];
            if (!end_record(block, ends, to))
                return (uint32_t)(*ends + 1);
            block->line[block->n] = line + (int64_t)block->n;
            block->n++;
            ends[stride] = feed;
            ends += stride;
            to = ends + 1;
            marks.ends &= ~of_line;
        }
        to = put_ends(to, marks.ends, at);
        if ((size_t)(to - ends) > stride + 1)
            break;
    }
    return (uint32_t)(*ends + 1);
}

void hc_sacct_block_drop(struct hc_sacct_block *block, const bool *is_dropped)
{
    const size_t stride = block->n_fields + 1;
    size_t n = 0;
    for (size_t r = 0; r < block->n; r++) {
        if (is_dropped[r])
            continue;
        memmove(block->ends + n * stride, block->ends + r * stride, stride * sizeof *block->ends);
        block->line[n++] = block->line[r];
    }
    block->n = n;
}
