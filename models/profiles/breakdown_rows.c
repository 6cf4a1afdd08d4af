/* The breakdown of every step of every rank. */
#include "core/base/memory.h"
#include "models/profiles/breakdown.h"

#include <stdlib.h>
#include <string.h>

static void add_rank(struct hc_breakdown_rows *rows, const struct hc_profile *profile, size_t r)
{
    const struct hc_breakdown_choice choice = {
        .start_ns = HC_MISSING_I64, .end_ns = HC_MISSING_I64, .like = rows->like};
    struct hc_breakdown_row *row = &rows->rows[rows->n++];
    *row = (struct hc_breakdown_row){.rank = profile->ranks[r].rank,
                                     .step = HC_MISSING_I64,
                                     .cpu_step_ns = HC_MISSING_I64,
                                     .lag_ns = HC_MISSING_I64};
    hc_profile_breakdown(&row->breakdown, profile, r, &choice);
}

static void add_steps(struct hc_breakdown_rows *rows, const struct hc_profile *profile, size_t r)
{
    const struct hc_profile_rank *rank = &profile->ranks[r];
    for (size_t s = 0; s < rank->n_steps; s++) {
        const struct hc_profile_step *step = &rank->steps[s];
        if (step->gpu_start_ns == HC_MISSING_I64) {
            rows->n_without_gpu++;
            continue;
        }
        const struct hc_breakdown_choice choice = {.start_ns = step->gpu_start_ns,
                                                   .end_ns = step->gpu_end_ns};
        int64_t lag_ns = step->last_gpu_end_ns - step->cpu_end_ns;
        struct hc_breakdown_row *row = &rows->rows[rows->n++];
        *row = (struct hc_breakdown_row){.rank = rank->rank,
                                         .step = step->number,
                                         .cpu_step_ns = step->end_ns - step->start_ns,
                                         .lag_ns = lag_ns > 0 ? lag_ns : 0};
        hc_profile_breakdown(&row->breakdown, profile, r, &choice);
    }
}

enum hc_status hc_breakdown_rows_make(struct hc_breakdown_rows *rows,
                                      const struct hc_profile *profile, enum hc_breakdown_like like,
                                      struct hc_error *err)
{
    size_t n = 0;
    *rows = (struct hc_breakdown_rows){.like = like};
    for (size_t r = 0; r < profile->n_ranks; r++)
        n += like == HC_BREAKDOWN_OURS ? profile->ranks[r].n_steps : 1;
    rows->rows = hc_new_array(n, sizeof *rows->rows, err);
    if (!rows->rows)
        return err->status;
    for (size_t r = 0; r < profile->n_ranks; r++)
        if (like == HC_BREAKDOWN_OURS)
            add_steps(rows, profile, r);
        else
            add_rank(rows, profile, r);
    return HC_OK;
}

void hc_breakdown_rows_fini(struct hc_breakdown_rows *rows)
{
    free(rows->rows);
    memset(rows, 0, sizeof *rows);
}
