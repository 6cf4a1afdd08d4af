/* comm_members.c - which ranks a group of one rank has: as its pg_config lists them, else by the
 * first rank and the stride that its kernels carry. */
#include "models/profiles/comm_members.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Worlds beyond this are not written out where a trace says no more of a group than its size. */
#define LARGEST_WORLD (1 << 20)

static int compare_ranks(const void *a, const void *b)
{
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

/* Sort the members, each once; a group without its own rank is none that can be trusted. */
static void settle(struct hc_local_group *group, int32_t own_rank)
{
    size_t n = 0;
    bool has_own = false;
    if (group->n_members == 0)
        return;
    qsort(group->members, group->n_members, sizeof *group->members, compare_ranks);
    for (size_t i = 0; i < group->n_members; i++)
        if (n == 0 || group->members[n - 1] != group->members[i])
            group->members[n++] = group->members[i];
    for (size_t i = 0; i < n; i++)
        has_own |= group->members[i] == own_rank;
    group->n_members = has_own ? n : 0;
}

static enum hc_status list_stride(struct hc_local_group *group, int64_t n, int64_t first,
                                  int64_t stride, struct hc_error *err)
{
    group->members = hc_new_array((size_t)n, sizeof *group->members, err);
    if (!group->members)
        return err->status;
    for (int64_t i = 0; i < n; i++)
        group->members[i] = (int32_t)(first + i * stride);
    group->n_members = (size_t)n;
    return HC_OK;
}

/* The listed members of the group, or, where none is listed, everybody if it is as large as the
 * job. */
static enum hc_status take_listed(struct hc_local_group *group, const struct hc_profile *profile,
                                  const struct hc_table *groups, struct hc_error *err)
{
    const int32_t *name = hc_table_i32(groups, HC_GROUPS_GROUP);
    const int32_t *member = hc_table_i32(groups, HC_GROUPS_MEMBER);
    size_t n = 0, n_rows = 0;
    for (size_t i = 0; i < groups->n_rows; i++) {
        if (name[i] != group->name)
            continue;
        n += member[i] >= 0;
        n_rows++;
        group->description = hc_table_i32(groups, HC_GROUPS_DESCRIPTION)[i];
        group->size = hc_table_i32(groups, HC_GROUPS_SIZE)[i];
    }
    if (n == 0 && n_rows > 0 && group->size == profile->world_size && group->size <= LARGEST_WORLD)
        return list_stride(group, group->size, 0, 1, err);
    if (n == 0)
        return HC_OK;
    group->members = hc_new_array(n, sizeof *group->members, err);
    if (!group->members)
        return err->status;
    for (size_t i = 0; i < groups->n_rows; i++)
        if (name[i] == group->name && member[i] >= 0)
            group->members[group->n_members++] = member[i];
    return HC_OK;
}

enum hc_status hc_comm_members_list(struct hc_local_group *group, const struct hc_profile *profile,
                                    size_t rank_index, struct hc_error *err)
{
    const struct hc_profile_rank *rank = &profile->ranks[rank_index];
    if (group->name != HC_MISSING_I32 &&
        take_listed(group, profile, &rank->table[HC_PROFILE_GROUPS], err))
        return err->status;
    settle(group, rank->rank);
    return HC_OK;
}

enum hc_status hc_comm_members_stride(struct hc_local_group *group,
                                      const struct hc_profile *profile, size_t rank_index,
                                      const struct hc_comm_facts *facts, struct hc_error *err)
{
    int64_t first = facts->rank_start, stride = facts->rank_stride, n = facts->group_size;
    if (group->size == HC_MISSING_I32 && n > 0)
        group->size = facts->group_size;
    if (group->description == HC_MISSING_I32)
        group->description = facts->description;
    if (group->n_members > 0 || first < 0 || n <= 0 || n > profile->world_size ||
        (stride < 1 && n > 1) || first + (n - 1) * stride >= profile->world_size)
        return HC_OK;
    free(group->members);
    if (list_stride(group, n, first, stride, err))
        return err->status;
    settle(group, profile->ranks[rank_index].rank);
    return HC_OK;
}
