#include "core/base/memory.h"
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
