#include "core/base/memory.h"
#include "models/profiles/profile_fill.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>

static enum hc_status link_rank(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                enum hc_steps_by by, struct hc_error *err)
{
    hc_profile_unlink(rank);
    if (hc_profile_settle_rows(profile, rank, err) || hc_profile_find_launches(rank, err))
        return err->status;
    return hc_profile_find_steps(profile, rank, by, err);
}

/* Give back what is not read any more. */
static enum hc_status shed(struct hc_profile_rank *rank, struct hc_error *err)
{
    for (int t = 0; t < HC_PROFILE_N_TABLES; t++) {
        struct hc_table *table = &rank->table[t];
        uint32_t unread = t == HC_PROFILE_GPU ? 1U << HC_GPU_BYTES : 0;
        if (table->n_rows && hc_table_shrink(table, unread, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_profile_rank_settle(struct hc_profile_rank *rank,
                                      const struct hc_table_names *names, enum hc_steps_by by,
                                      struct hc_error *err)
{
    /* Nothing here looks beyond the rank: it is linked as if it were the only one. */
    const struct hc_profile alone = {.names = *names};
    if (hc_profile_check_codes(&alone, rank, err) || link_rank(&alone, rank, by, err) ||
        hc_profile_sift_marks(&alone, rank, err))
        return err->status;
    rank->is_settled = true;
    return shed(rank, err);
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
        if (!profile->ranks[r].is_settled && link_rank(profile, &profile->ranks[r], by, &errors[r]))
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
