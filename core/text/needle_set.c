#include "core/text/needle_set.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define N_PAIRS 65536

/* All needles are looked for by their first `window` bytes. */
struct hc_needle_set {
    size_t window; /* length of the shortest */
    /* By the last pair of bytes under the window: how far the window may move; 0: a needle may
     * begin where the window does. */
    uint8_t shift[N_PAIRS];
    uint16_t first[N_PAIRS]; /* of a pair with shift 0: the first of its needles, plus 1 */
    uint16_t *next;          /* of a needle: the next of the same pair, plus 1 */
    struct hc_needle own[];
};

static size_t pair_at(const char *text)
{
    return (size_t)(unsigned char)text[0] << 8 | (unsigned char)text[1];
}

static void enter(struct hc_needle_set *set, size_t i)
{
    const char *text = set->own[i].text;
    for (size_t at = 0; at + 2 <= set->window; at++) {
        size_t left = set->window - 2 - at;
        uint8_t *shift = &set->shift[pair_at(text + at)];
        *shift = left < *shift ? (uint8_t)left : *shift;
    }
    size_t pair = pair_at(text + set->window - 2);
    set->next[i] = set->first[pair];
    set->first[pair] = (uint16_t)(i + 1);
}

enum hc_status hc_needle_set_make(struct hc_needle_set **set, const struct hc_needle *needles,
                                  size_t n, struct hc_error *err)
{
    *set = NULL;
    size_t window = 255;
    for (size_t i = 0; i < n; i++)
        window = needles[i].length < window ? needles[i].length : window;
    if (window < 2 || n > UINT16_MAX)
        return hc_fail(err, HC_INTERNAL, "%zu needles, the shortest of %zu bytes", n, window);
    struct hc_needle_set *made =
        hc_new_array(1, sizeof *made + n * (sizeof *needles + sizeof(uint16_t)), err);
    if (!made)
        return err->status;
    made->window = window;
    made->next = (uint16_t *)(made->own + n);
    memcpy(made->own, needles, n * sizeof *needles);
    memset(made->shift, (int)(window - 1), sizeof made->shift);
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
    const size_t behind = set->window - 2;
    size_t start = *at;
    while (start + set->window <= length) {
        size_t pair = pair_at(text + start + behind);
        size_t shift = set->shift[pair];
        if (shift) {
            start += shift;
            continue;
        }
        for (uint16_t i = set->first[pair]; i; i = set->next[i - 1]) {
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
