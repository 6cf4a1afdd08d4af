#include "models/profiles/collective_waits.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/base/sort_keys.h"
#include "core/text/collective_op.h"
#include "models/profiles/profile_clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As hc_capped_sum: at most INT64_MAX. */
static int64_t distance(int64_t a, int64_t b)
{
    int64_t difference;
    return __builtin_sub_overflow(a > b ? a : b, a > b ? b : a, &difference) ? INT64_MAX
                                                                             : difference;
}

/* The aligned times of the members of one collective. */
struct times {
    int64_t latest_start, second_latest_start, latest_end, earliest_end, shortest;
    size_t last; /* member that starts latest; of equal ones the lowest rank */
};

static struct times times_of(const struct hc_collectives *collectives,
                             const struct hc_profile *profile, size_t c)
{
    const struct hc_collective *collective = &collectives->collectives[c];
    struct times t = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX, 0};
    for (size_t m = 0; m < collective->n; m++) {
        int64_t start, end;
        hc_aligned_kernel(collectives, profile, collectives->member_kernels[collective->first + m],
                          &start, &end);
        if (start > t.latest_start) {
            t.second_latest_start = t.latest_start;
            t.latest_start = start;
            t.last = m;
        } else if (start > t.second_latest_start) {
            t.second_latest_start = start;
        }
        t.latest_end = end > t.latest_end ? end : t.latest_end;
        t.earliest_end = end < t.earliest_end ? end : t.earliest_end;
        t.shortest = distance(end, start) < t.shortest ? distance(end, start) : t.shortest;
    }
    return t;
}

void hc_collectives_judge(struct hc_collectives *collectives, const struct hc_profile *profile)
{
    for (size_t g = 0; g < collectives->n_groups; g++) {
        struct hc_comm_group *group = &collectives->groups[g];
        if (!group->is_refused)
            group->n_by_order = group->n_mismatches = group->n_violations = 0;
    }
    for (size_t c = 0; c < collectives->n; c++) {
        struct hc_collective *collective = &collectives->collectives[c];
        struct hc_comm_group *group = &collectives->groups[collective->group];
        if (group->is_refused)
            continue;
        struct times t = times_of(collectives, profile, c);
        collective->violates_causality = collective->is_joint && t.earliest_end < t.latest_start;
        group->n_by_order += collective->is_by_order;
        group->n_mismatches += collective->is_mismatched;
        group->n_violations += collective->violates_causality;
    }
}

/* ---- residuals ---- */

static enum hc_status find_residuals(struct hc_collectives *collectives,
                                     const struct hc_profile *profile, struct hc_error *err)
{
    int64_t *residual = hc_new_array(collectives->n_kernels, sizeof *residual, err);
    int64_t *end = residual ? hc_new_array(profile->n_ranks, sizeof *end, err) : NULL;
    if (!end) {
        free(residual);
        return err->status;
    }
    size_t n = 0;
    collectives->median_residual_ns = collectives->max_residual_ns = 0;
    for (size_t c = 0; c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        if (!collective->is_joint)
            continue;
        for (size_t m = 0; m < collective->n; m++) {
            int64_t start;
            hc_aligned_kernel(collectives, profile,
                              collectives->member_kernels[collective->first + m], &start, &end[m]);
            residual[n + m] = end[m];
        }
        int64_t true_end = hc_lower_median_i64(end, collective->n);
        for (size_t m = 0; m < collective->n; m++, n++) {
            residual[n] = distance(residual[n], true_end);
            if (residual[n] > collectives->max_residual_ns)
                collectives->max_residual_ns = residual[n];
        }
    }
    if (n > 0)
        collectives->median_residual_ns = hc_lower_median_i64(residual, n);
    free(residual);
    free(end);
    return HC_OK;
}

/* ---- waits ---- */

static bool are_comparable(const struct hc_collectives *collectives,
                           const struct hc_collective *collective)
{
    const uint32_t *members = collectives->member_kernels + collective->first;
    int32_t component = collectives->clocks[collectives->kernels[members[0]].rank_index].component;
    for (size_t m = 1; m < collective->n; m++)
        if (collectives->clocks[collectives->kernels[members[m]].rank_index].component != component)
            return false;
    return true;
}

/* All of two ranks are two; of a group, those that it is known to have. Ranks without a trace may
 * belong to a group whose members nobody lists. */
static bool is_complete(const struct hc_collectives *collectives, const struct hc_profile *profile,
                        const struct hc_collective *collective)
{
    const struct hc_comm_group *group = &collectives->groups[collective->group];
    if (collectives->kernels[collectives->member_kernels[collective->first]].is_p2p)
        return collective->n == 2;
    return collective->n == group->size && (group->is_known || profile->n_missing == 0);
}

static void fill_times(struct hc_collectives *collectives, const struct hc_profile *profile,
                       size_t c)
{
    struct hc_collective *collective = &collectives->collectives[c];
    const struct hc_comm_kernel *lowest =
        &collectives->kernels[collectives->member_kernels[collective->first]];
    struct times t = times_of(collectives, profile, c);
    collective->step = profile->ranks[lowest->rank_index].step[lowest->row];
    collective->is_complete = is_complete(collectives, profile, collective);
    collective->arrival_ns = t.latest_start;
    collective->transfer_ns = t.shortest;
    collective->last_rank = HC_MISSING_I32;
    collective->last_is_unsure = true;
    collective->busbw_gb_s = NAN;
    size_t size = collectives->groups[collective->group].size;
    if (collective->bytes != HC_MISSING_I64 && t.shortest > 0)
        collective->busbw_gb_s = (double)collective->bytes *
                                 hc_collective_bus_factor(collective->op, (int64_t)size) /
                                 (double)t.shortest;
    if (collective->is_mismatched || !are_comparable(collectives, collective))
        return;
    const uint32_t *members = collectives->member_kernels + collective->first;
    collective->last_rank = profile->ranks[collectives->kernels[members[t.last]].rank_index].rank;
    collective->lead_ns = distance(t.latest_start, t.second_latest_start);
    collective->last_is_unsure =
        collective->lead_ns - collectives->max_residual_ns <= collectives->max_residual_ns;
    collective->end_skew_ns = distance(t.latest_end, t.earliest_end);
}

static void add_waits(struct hc_collectives *collectives, const struct hc_profile *profile,
                      const struct hc_collective *collective)
{
    struct hc_rank_clock *last = NULL;
    for (size_t m = 0; m < collective->n; m++) {
        uint32_t kernel = collectives->member_kernels[collective->first + m];
        uint32_t rank_index = collectives->kernels[kernel].rank_index;
        int64_t start, end;
        hc_aligned_kernel(collectives, profile, kernel, &start, &end);
        int64_t wait_ns = distance(collective->arrival_ns, start);
        collectives->wait_ns[collective->first + m] = wait_ns;
        collectives->clocks[rank_index].wait_ns =
            hc_capped_sum(collectives->clocks[rank_index].wait_ns, wait_ns);
        if (profile->ranks[rank_index].rank == collective->last_rank)
            last = &collectives->clocks[rank_index];
    }
    for (size_t m = 0; last && m < collective->n; m++)
        last->caused_wait_ns =
            hc_capped_sum(last->caused_wait_ns, collectives->wait_ns[collective->first + m]);
    if (last)
        last->n_last++;
}

/* ---- order ---- */

/* Take out what is refused; kernels are told their new places afterwards. */
static void drop_refused(struct hc_collectives *collectives)
{
    size_t n = 0;
    for (size_t c = 0; c < collectives->n; c++)
        if (!collectives->groups[collectives->collectives[c].group].is_refused)
            collectives->collectives[n++] = collectives->collectives[c];
    collectives->n = n;
}

/* Take out joins by place, of steps with lost kernels, whose members end further apart than twice
 * the most that others of their kind do (between two ranks, or of all): they are shifted. */
static void drop_shifted(struct hc_collectives *collectives, const struct hc_profile *profile)
{
    int64_t most_ns[2] = {-1, -1};
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < collectives->n; c++) {
            struct hc_collective one = collectives->collectives[c];
            bool is_p2p = collectives->kernels[collectives->member_kernels[one.first]].is_p2p;
            if (pass == 1 && (!one.is_uneven || most_ns[is_p2p] < 0)) {
                collectives->collectives[n++] = one;
                continue;
            }
            struct times t = times_of(collectives, profile, c);
            int64_t apart_ns = distance(t.latest_end, t.earliest_end);
            if (pass == 1 && apart_ns - most_ns[is_p2p] <= most_ns[is_p2p])
                collectives->collectives[n++] = one;
            if (pass == 0 && !one.is_uneven && apart_ns > most_ns[is_p2p])
                most_ns[is_p2p] = apart_ns;
        }
    collectives->n = n;
}

/* By arrival; of equal ones, as they were listed: by rank and row of the lowest member. */
static enum hc_status put_in_order(struct hc_collectives *collectives, struct hc_error *err)
{
    struct hc_sort_key *keys = hc_new_aligned(collectives->n, sizeof *keys, err);
    struct hc_collective *sorted = keys ? hc_new_array(collectives->n, sizeof *sorted, err) : NULL;
    if (!sorted) {
        free(keys);
        return err->status;
    }
    for (size_t c = 0; c < collectives->n; c++)
        keys[c] = (struct hc_sort_key){collectives->collectives[c].arrival_ns, (uint32_t)c};
    enum hc_status status = hc_sort_keys(keys, collectives->n, err);
    for (size_t c = 0; status == HC_OK && c < collectives->n; c++)
        sorted[c] = collectives->collectives[keys[c].row];
    free(keys);
    if (status != HC_OK) {
        free(sorted);
        return status;
    }
    free(collectives->collectives);
    collectives->collectives = sorted;
    return HC_OK;
}

static void tell_kernels(struct hc_collectives *collectives)
{
    for (size_t k = 0; k < collectives->n_kernels; k++)
        collectives->kernels[k].collective = -1;
    collectives->n_local = collectives->n_kernels;
    for (size_t c = 0; c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        for (size_t m = 0; m < collective->n; m++)
            collectives->kernels[collectives->member_kernels[collective->first + m]].collective =
                (int32_t)c;
        collectives->n_local -= collective->n;
    }
}

enum hc_status hc_collectives_finish(struct hc_collectives *collectives,
                                     const struct hc_profile *profile, struct hc_error *err)
{
    drop_refused(collectives);
    drop_shifted(collectives, profile);
    if (find_residuals(collectives, profile, err))
        return err->status;
    size_t n_members = 0;
    for (size_t c = 0; c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        size_t end = collective->first + collective->n;
        n_members = end > n_members ? end : n_members;
        fill_times(collectives, profile, c);
        collectives->n_mismatched += collective->is_mismatched;
        collectives->n_violations += collective->violates_causality;
    }
    collectives->wait_ns = hc_new_array(n_members, sizeof *collectives->wait_ns, err);
    if (!collectives->wait_ns)
        return err->status;
    for (size_t c = 0; c < collectives->n; c++)
        if (collectives->collectives[c].last_rank != HC_MISSING_I32)
            add_waits(collectives, profile, &collectives->collectives[c]);
    if (put_in_order(collectives, err))
        return err->status;
    tell_kernels(collectives);
    return HC_OK;
}
