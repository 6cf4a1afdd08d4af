#include "models/profiles/clock_set.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Times further from the origin are damage; cut, sums of them along any path still fit 64 bits. */
#define FARTHEST_NS ((int64_t)1 << 50)

static int64_t from_origin(int64_t ns, int64_t origin_ns)
{
    int64_t distance = ns - origin_ns;
    return distance < -FARTHEST_NS ? -FARTHEST_NS : distance > FARTHEST_NS ? FARTHEST_NS : distance;
}

static bool tells_clocks(const struct hc_collectives *collectives, size_t c, int64_t step,
                         const struct hc_profile *profile)
{
    const struct hc_collective *collective = &collectives->collectives[c];
    if (!collective->is_joint || collectives->groups[collective->group].is_refused)
        return false;
    if (step == HC_ANY_STEP)
        return true;
    const struct hc_comm_kernel *lowest =
        &collectives->kernels[collectives->member_kernels[collective->first]];
    const struct hc_profile_rank *rank = &profile->ranks[lowest->rank_index];
    int32_t own = rank->step[lowest->row];
    return own != HC_NO_STEP && rank->steps[own].number == step;
}

static void add_member(struct hc_clock_set *set, const struct hc_profile *profile,
                       const struct hc_comm_kernel *kernel)
{
    const struct hc_table *gpu = &profile->ranks[kernel->rank_index].table[HC_PROFILE_GPU];
    int64_t start_ns = hc_table_i64(gpu, HC_GPU_START_NS)[kernel->row];
    int64_t end_ns = start_ns + hc_table_i64(gpu, HC_GPU_DURATION_NS)[kernel->row];
    int64_t origin_ns = set->origin_ns[kernel->rank_index];
    set->rank[set->n_members] = kernel->rank_index;
    set->of[set->n_members] = (uint32_t)set->n;
    set->start_ns[set->n_members] = from_origin(start_ns, origin_ns);
    set->end_ns[set->n_members] = from_origin(end_ns, origin_ns);
    set->n_members++;
}

static void fill_members(struct hc_clock_set *set, const struct hc_collectives *collectives,
                         const struct hc_profile *profile, int64_t step)
{
    for (size_t c = 0; c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        if (!tells_clocks(collectives, c, step, profile))
            continue;
        for (size_t m = 0; m < collective->n; m++)
            add_member(set, profile,
                       &collectives->kernels[collectives->member_kernels[collective->first + m]]);
        set->collective[set->n++] = (uint32_t)c;
        set->first[set->n] = set->n_members;
    }
}

static void fill_ranks(struct hc_clock_set *set)
{
    for (size_t m = 0; m < set->n_members; m++)
        set->rank_first[set->rank[m] + 1]++;
    for (size_t r = 0; r < set->n_ranks; r++)
        set->rank_first[r + 1] += set->rank_first[r];
    for (size_t m = 0; m < set->n_members; m++)
        set->members[set->rank_first[set->rank[m]]++] = (uint32_t)m;
    for (size_t r = set->n_ranks; r-- > 0;)
        set->rank_first[r + 1] = set->rank_first[r];
    set->rank_first[0] = 0;
}

static enum hc_status make_arrays(struct hc_clock_set *set, size_t n, size_t n_members,
                                  struct hc_error *err)
{
    const struct {
        void *array;
        size_t n, size;
    } arrays[] = {
        {&set->first, n + 1, sizeof *set->first},
        {&set->collective, n, sizeof *set->collective},
        {&set->rank, n_members, sizeof *set->rank},
        {&set->of, n_members, sizeof *set->of},
        {&set->start_ns, n_members, sizeof *set->start_ns},
        {&set->end_ns, n_members, sizeof *set->end_ns},
        {&set->rank_first, set->n_ranks + 1, sizeof *set->rank_first},
        {&set->members, n_members, sizeof *set->members},
        {&set->component, set->n_ranks, sizeof *set->component},
        {&set->reference, set->n_ranks, sizeof *set->reference},
        {&set->offset_ns, set->n_ranks, sizeof *set->offset_ns},
        {&set->true_end_ns, n, sizeof *set->true_end_ns},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        void *made = hc_new_array(arrays[i].n, arrays[i].size, err);
        if (!made)
            return err->status;
        memcpy(arrays[i].array, &made, sizeof made);
    }
    return HC_OK;
}

enum hc_status hc_clock_set_init(struct hc_clock_set *set, const struct hc_collectives *collectives,
                                 const struct hc_profile *profile, const int64_t *origin_ns,
                                 int64_t step, struct hc_error *err)
{
    size_t n = 0, n_members = 0;
    *set = (struct hc_clock_set){.n_ranks = profile->n_ranks, .origin_ns = origin_ns};
    for (size_t c = 0; c < collectives->n; c++)
        if (tells_clocks(collectives, c, step, profile)) {
            n++;
            n_members += collectives->collectives[c].n;
        }
    if (make_arrays(set, n, n_members, err))
        return err->status;
    fill_members(set, collectives, profile, step);
    fill_ranks(set);
    return HC_OK;
}

void hc_clock_set_fini(struct hc_clock_set *set)
{
    free(set->first);
    free(set->collective);
    free(set->rank);
    free(set->of);
    free(set->start_ns);
    free(set->end_ns);
    free(set->rank_first);
    free(set->members);
    free(set->component);
    free(set->reference);
    free(set->offset_ns);
    free(set->true_end_ns);
    memset(set, 0, sizeof *set);
}
