#include "core/text/needle_set.h"

#include "core/base/memory.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     3 /* bytes; of pairs, too many stand in any text */
#define SHORTEST  4 /* bytes of a needle, so that a block can be read with the byte before it */
#define N_BUCKETS 32768

/* All needles are looked for by their first `window` bytes. */
struct hc_needle_set {
    size_t window; /* length of the shortest */
    /* By the last block of bytes under the window: how far the window may move; 0: a needle may
     * begin where the window does. Blocks that share a bucket get the least of their shifts. */
    uint8_t shift[N_BUCKETS];
    uint16_t first[N_BUCKETS]; /* of a bucket with shift 0: the first of its needles, plus 1 */
    uint16_t *next;            /* of a needle: the next of the same bucket, plus 1 */
    struct hc_needle own[];
};

/* The bucket of the block that ends before `end`. */
static size_t bucket_before(const char *end)
{
    uint32_t word;
    memcpy(&word, end - 4, 4);
    return ((le32toh(word) >> 8) * 0x9E3779B1U) >> 17;
}

static void enter(struct hc_needle_set *set, size_t i)
{
    const char *text = set->own[i].text;
    char block[BLOCK + 1] = {0};
    for (size_t at = 0; at + BLOCK <= set->window; at++) {
        size_t left = set->window - BLOCK - at;
        memcpy(block + 1, text + at, BLOCK);
        uint8_t *shift = &set->shift[bucket_before(block + BLOCK + 1)];
        *shift = left < *shift ? (uint8_t)left : *shift;
    }
    size_t bucket = bucket_before(text + set->window);
    set->next[i] = set->first[bucket];
    set->first[bucket] = (uint16_t)(i + 1);
}

enum hc_status hc_needle_set_make(struct hc_needle_set **set, const struct hc_needle *needles,
                                  size_t n, struct hc_error *err)
{
    *set = NULL;
    size_t window = 255;
    for (size_t i = 0; i < n; i++)
        window = needles[i].length < window ? needles[i].length : window;
    if (window < SHORTEST || n > UINT16_MAX)
        return hc_fail(err, HC_INTERNAL, "%zu needles, the shortest of %zu bytes", n, window);
    struct hc_needle_set *made =
        hc_new_array(1, sizeof *made + n * (sizeof *needles + sizeof(uint16_t)), err);
    if (!made)
        return err->status;
    made->window = window;
    made->next = (uint16_t *)(made->own + n);
    memcpy(made->own, needles, n * sizeof *needles);
    memset(made->shift, (int)(window - BLOCK + 1), sizeof made->shift);
    for (size_t i = n; i-- > 0;) /* so that the first stands first in its list */
        enter(made, i);
    *set = made;
    return HC_OK;
}

void hc_needle_set_free(struct hc_needle_set *set)
{
    free(set);
}

int32_t hc_needle_set_find(const struct hc_needle_set *set, const char *text, size_t length,
                           size_t *at)
{
    size_t start = *at;
    while (start + set->window <= length) {
        size_t bucket = bucket_before(text + start + set->window);
        size_t shift = set->shift[bucket];
        if (shift) {
            start += shift;
            continue;
        }
        for (uint16_t i = set->first[bucket]; i; i = set->next[i - 1]) {
            const struct hc_needle *needle = &set->own[i - 1];
            if (needle->length <= length - start &&
                memcmp(text + start, needle->text, needle->length) == 0) {
                *at = start + 1;
                return i - 1;
            }
        }
        start++;
    }
    *at = length;
    return -1;
}
