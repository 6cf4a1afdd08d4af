#include "core/base/sort_keys.h"

#include "core/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define N_DIGITS   ((size_t)1 << DIGIT_BITS)

/* Where a key lies above the least one: the same order, and few digits where keys are near each
 * other, as the times of one trace are. */
static uint64_t above(int64_t key, int64_t least)
{
    return (uint64_t)key - (uint64_t)least;
}

static size_t digit_of(int64_t key, int64_t least, int shift)
{
    return (size_t)(above(key, least) >> shift) & (N_DIGITS - 1);
}

static void sort_by_digit(struct hc_sort_key *to, const struct hc_sort_key *from, size_t n,
                          int64_t least, int shift)
{
    size_t place[N_DIGITS] = {0}, before = 0;
    for (size_t i = 0; i < n; i++)
        place[digit_of(from[i].key, least, shift)]++;
    for (size_t d = 0; d < N_DIGITS; d++) {
        size_t count = place[d];
        place[d] = before;
        before += count;
    }
    for (size_t i = 0; i < n; i++)
        to[place[digit_of(from[i].key, least, shift)]++] = from[i];
}

enum hc_status hc_sort_keys(struct hc_sort_key *keys, size_t n, struct hc_error *err)
{
    int64_t least = n > 0 ? keys[0].key : 0, most = least;
    bool is_sorted = true;
    for (size_t i = 1; i < n; i++) {
        is_sorted = is_sorted && keys[i - 1].key <= keys[i].key;
        least = keys[i].key < least ? keys[i].key : least;
        most = keys[i].key > most ? keys[i].key : most;
    }
    if (is_sorted)
        return HC_OK;
    struct hc_sort_key *scratch = hc_new_aligned(n, sizeof *scratch, err);
    if (!scratch)
        return err->status;
    struct hc_sort_key *from = keys, *to = scratch;
    for (int shift = 0; shift < 64 && above(most, least) >> shift; shift += DIGIT_BITS) {
        sort_by_digit(to, from, n, least, shift);
        struct hc_sort_key *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != keys)
        memcpy(keys, from, n * sizeof *keys);
    free(scratch);
    return HC_OK;
}
