#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>

/* The first of the sorted keys that is not below key. */
static size_t first_not_below(const struct hc_sort_key *keys, size_t n, int64_t key)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The calls with a correlation, by correlation and, of one, by start. */
static enum hc_status list_launches(const struct hc_table *calls, struct hc_sort_key **listed,
                                    size_t *n, struct hc_error *err)
{
    const int64_t *correlation = hc_table_i64(calls, HC_CALLS_CORRELATION);
    *n = 0;
    *listed = hc_new_aligned(calls->n_rows, sizeof **listed, err);
    if (!*listed)
        return err->status;
    for (size_t i = 0; i < calls->n_rows; i++)
        if (correlation[i] > 0)
            (*listed)[(*n)++] = (struct hc_sort_key){correlation[i], (uint32_t)i};
    return hc_sort_keys(*listed, *n, err);
}

/* Rows are sorted by start, so what overlaps a window is a stretch of them that begins where this
 * first exceeds the start of the window. */
static enum hc_status find_latest_ends(struct hc_profile_rank *rank, struct hc_error *err)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const int64_t *start = hc_table_i64(gpu, HC_GPU_START_NS);
    const int64_t *duration = hc_table_i64(gpu, HC_GPU_DURATION_NS);
    rank->latest_end_ns = hc_new_array(gpu->n_rows, sizeof *rank->latest_end_ns, err);
    if (!rank->latest_end_ns)
        return err->status;
    int64_t latest = INT64_MIN;
    for (size_t i = 0; i < gpu->n_rows; i++) {
        int64_t end = start[i] + duration[i];
        latest = end > latest ? end : latest;
        rank->latest_end_ns[i] = latest;
    }
    return HC_OK;
}

void hc_profile_unlink(struct hc_profile_rank *rank)
{
    free(rank->launch);
    free(rank->latest_end_ns);
    free(rank->step);
    free(rank->steps);
    rank->launch = NULL;
    rank->latest_end_ns = NULL;
    rank->step = NULL;
    rank->steps = NULL;
    rank->n_steps = rank->n_unlinked = 0;
}

enum hc_status hc_profile_find_launches(struct hc_profile_rank *rank, struct hc_error *err)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const int64_t *correlation = hc_table_i64(gpu, HC_GPU_CORRELATION);
    struct hc_sort_key *calls = NULL;
    size_t n_calls;
    enum hc_status status = list_launches(&rank->table[HC_PROFILE_CALLS], &calls, &n_calls, err);
    if (status == HC_OK)
        status = find_latest_ends(rank, err);
    if (status == HC_OK) {
        rank->launch = hc_new_array(gpu->n_rows, sizeof *rank->launch, err);
        status = rank->launch ? HC_OK : err->status;
    }
    for (size_t i = 0; status == HC_OK && i < gpu->n_rows; i++) {
        size_t at = n_calls;
        if (correlation[i] > 0)
            at = first_not_below(calls, n_calls, correlation[i]);
        bool is_linked = at < n_calls && calls[at].key == correlation[i];
        rank->launch[i] = is_linked ? calls[at].row : HC_NO_ROW;
        rank->n_unlinked += !is_linked;
    }
    free(calls);
    return status;
}
