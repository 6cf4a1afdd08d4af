#include "models/profiles/profile.h"

#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

const struct hc_text_set *hc_profile_dictionary(const struct hc_profile *profile,
                                                const char *dictionary)
{
    for (size_t d = 0; d < profile->names.n; d++)
        if (!strcmp(profile->names.dictionary[d], dictionary))
            return &profile->names.set[d];
    return NULL;
}

const char *hc_profile_text(const struct hc_profile *profile, const char *dictionary, int32_t code)
{
    const struct hc_text_set *set = hc_profile_dictionary(profile, dictionary);
    return set && code >= 0 && (size_t)code < set->n ? set->text[code] : "";
}

static void fini_rank(struct hc_profile_rank *rank)
{
    free(rank->name);
    for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++)
        hc_table_fini(&rank->table[t]);
    free(rank->launch);
    free(rank->step);
    free(rank->steps);
}

void hc_profile_fini(struct hc_profile *profile)
{
    for (size_t r = 0; r < profile->n_ranks; r++)
        fini_rank(&profile->ranks[r]);
    free(profile->ranks);
    free(profile->gaps);
    free(profile->common_steps);
    hc_table_names_fini(&profile->names);
    memset(profile, 0, sizeof *profile);
}

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

enum hc_status hc_profile_find_launches(struct hc_profile_rank *rank, struct hc_error *err)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const int64_t *correlation = hc_table_i64(gpu, HC_GPU_CORRELATION);
    struct hc_sort_key *calls = NULL;
    size_t n_calls;
    enum hc_status status = list_launches(&rank->table[HC_PROFILE_CALLS], &calls, &n_calls, err);
    rank->n_unlinked = 0;
    rank->launch = NULL;
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

static enum hc_status link_rank(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                enum hc_steps_by by, struct hc_error *err)
{
    if (hc_profile_settle_rows(profile, rank, err) || hc_profile_find_launches(rank, err))
        return err->status;
    return hc_profile_find_steps(profile, rank, by, err);
}

/* Ranks have nothing to do with each other here; the error is that of the lowest that failed. */
static enum hc_status link_ranks(struct hc_profile *profile, enum hc_steps_by by,
                                 struct hc_error *err)
{
    struct hc_error *errors = hc_new_array(profile->n_ranks, sizeof *errors, err);
    if (!errors)
        return err->status;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t r = 0; r < profile->n_ranks; r++)
        if (link_rank(profile, &profile->ranks[r], by, &errors[r]))
            hc_context(&errors[r], "'%s'", profile->ranks[r].name);
    enum hc_status status = HC_OK;
    for (size_t r = 0; status == HC_OK && r < profile->n_ranks; r++)
        if (errors[r].status) {
            *err = errors[r];
            status = err->status;
        }
    free(errors);
    return status;
}

enum hc_status hc_profile_link(struct hc_profile *profile, enum hc_steps_by by,
                               struct hc_error *err)
{
    if (hc_profile_check_ranks(profile, err) || link_ranks(profile, by, err))
        return err->status;
    return hc_profile_find_common_steps(profile, err);
}
