#include "models/profiles/comm_groups.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/text/text_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What makes groups one, as the upper bits of a key. */
enum key_kind { BY_MEMBERS, BY_MEMBERS_AND_NAME, BY_NAME, BY_STREAM };

/* Groups of the same members and description, over all ranks. */
struct likeness {
    size_t last_rank; /* that has one of them */
    bool is_double;   /* a rank has two */
};

struct joiner {
    const struct hc_profile *profile;
    struct hc_rank_comms *ranks;
    struct hc_text_set members;    /* lists of ranks as texts: equal lists have one code */
    struct hc_int_map likeness_of; /* from members and description */
    struct likeness *likenesses;
    size_t n_likenesses, capacity;
    struct hc_int_map joint_of; /* from a key, kind << 62 | ... */
    int32_t n_joint;
};

/* The code of the list of members of a group that has some. */
static enum hc_status intern_members(struct joiner *j, const struct hc_local_group *group,
                                     int32_t *code, struct hc_error *err)
{
    size_t length = 0, size = group->n_members * 12 + 1;
    char *text = hc_new_array(size, 1, err);
    if (!text)
        return err->status;
    for (size_t m = 0; m < group->n_members; m++)
        length += (size_t)snprintf(text + length, size - length, "%d,", group->members[m]);
    enum hc_status status = hc_text_set_add(&j->members, text, length, code, err);
    free(text);
    return status;
}

/* The likeness of a group of known members. */
static enum hc_status find_likeness(struct joiner *j, const struct hc_local_group *group,
                                    int32_t *likeness, struct hc_error *err)
{
    int32_t members;
    size_t entry;
    if (intern_members(j, group, &members, err))
        return err->status;
    uint64_t key = (uint64_t)(uint32_t)members << 32 | (uint32_t)group->description;
    if (hc_int_map_insert(&j->likeness_of, key, (int32_t)j->n_likenesses, &entry, err))
        return err->status;
    *likeness = j->likeness_of.values[entry];
    if ((size_t)*likeness < j->n_likenesses)
        return HC_OK;
    if (hc_reserve(&j->likenesses, &j->capacity, j->n_likenesses + 1, sizeof *j->likenesses, err))
        return err->status;
    j->likenesses[j->n_likenesses++] = (struct likeness){.last_rank = SIZE_MAX};
    return HC_OK;
}

/* Which likenesses some rank has twice. */
static enum hc_status find_doubles(struct joiner *j, struct hc_error *err)
{
    for (size_t r = 0; r < j->profile->n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++) {
            int32_t code;
            if (j->ranks[r].groups[g].n_members == 0)
                continue;
            if (find_likeness(j, &j->ranks[r].groups[g], &code, err))
                return err->status;
            struct likeness *likeness = &j->likenesses[code];
            likeness->is_double |= likeness->last_rank == r;
            likeness->last_rank = r;
        }
    return HC_OK;
}

static enum hc_status join_by(struct joiner *j, struct hc_local_group *group, enum key_kind kind,
                              uint32_t first, uint32_t second, struct hc_error *err)
{
    size_t entry;
    /* First parts are codes, of which there are fewer than 2^30. */
    uint64_t key = (uint64_t)kind << 62 | (uint64_t)first << 32 | second;
    if (hc_int_map_insert(&j->joint_of, key, j->n_joint, &entry, err))
        return err->status;
    group->joint = j->joint_of.values[entry];
    j->n_joint += group->joint == j->n_joint;
    return HC_OK;
}

static enum hc_status join_known(struct joiner *j, struct hc_error *err)
{
    for (size_t r = 0; r < j->profile->n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++) {
            struct hc_local_group *group = &j->ranks[r].groups[g];
            int32_t code;
            if (group->n_members == 0)
                continue;
            if (find_likeness(j, group, &code, err))
                return err->status;
            bool is_double = j->likenesses[code].is_double;
            if (join_by(j, group, is_double ? BY_MEMBERS_AND_NAME : BY_MEMBERS, (uint32_t)code,
                        is_double ? (uint32_t)group->name : 0, err))
                return err->status;
        }
    return HC_OK;
}

static bool has_member(const struct hc_local_group *group, int32_t rank)
{
    for (size_t m = 0; m < group->n_members; m++)
        if (group->members[m] == rank)
            return true;
    return false;
}

static bool has_joint(const struct hc_rank_comms *comms, int32_t joint)
{
    for (size_t g = 0; g < comms->n_groups; g++)
        if (comms->groups[g].joint == joint)
            return true;
    return false;
}

/* The one group of that name elsewhere that has rank r as a member, where r has none for it (its
 * trace lost the list of groups); -1 where there is none, or more than one. */
static int32_t find_lost(const struct joiner *j, size_t r, int32_t name)
{
    int32_t found = -1;
    for (size_t s = 0; s < j->profile->n_ranks; s++)
        for (size_t g = 0; g < j->ranks[s].n_groups; g++) {
            const struct hc_local_group *other = &j->ranks[s].groups[g];
            if (other->name != name || other->joint == found ||
                !has_member(other, j->profile->ranks[r].rank) ||
                has_joint(&j->ranks[r], other->joint))
                continue;
            if (found >= 0)
                return -1;
            found = other->joint;
        }
    return found;
}

static enum hc_status join_unknown(struct joiner *j, struct hc_error *err)
{
    for (size_t r = 0; r < j->profile->n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++) {
            struct hc_local_group *group = &j->ranks[r].groups[g];
            if (group->n_members > 0)
                continue;
            bool has_name = group->name != HC_MISSING_I32;
            group->joint = has_name ? find_lost(j, r, group->name) : -1;
            if (group->joint < 0 &&
                join_by(j, group, has_name ? BY_NAME : BY_STREAM, 0,
                        (uint32_t)(has_name ? group->name : group->ordinal), err))
                return err->status;
        }
    return HC_OK;
}

/* Number those with kernels from 0; the others are -1. */
static enum hc_status number_used(struct joiner *j, size_t *n_used, struct hc_error *err)
{
    int32_t *number = hc_new_array((size_t)j->n_joint, sizeof *number, err);
    if (!number)
        return err->status;
    for (size_t r = 0; r < j->profile->n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++)
            if (j->ranks[r].groups[g].n_kernels > 0)
                number[j->ranks[r].groups[g].joint] = 1;
    *n_used = 0;
    for (int32_t i = 0; i < j->n_joint; i++)
        number[i] = number[i] ? (int32_t)(*n_used)++ : -1;
    for (size_t r = 0; r < j->profile->n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++)
            j->ranks[r].groups[g].joint = number[j->ranks[r].groups[g].joint];
    free(number);
    return HC_OK;
}

/* The first rank with a group describes it. */
static enum hc_status describe(struct hc_comm_group *group, const struct joiner *j,
                               const struct hc_local_group *local, struct hc_error *err)
{
    if (group->name)
        return HC_OK;
    group->description = hc_profile_text(j->profile, "group_description", local->description);
    group->name = local->name == HC_MISSING_I32
                      ? hc_new_text(err, "stream %d", local->stream)
                      : hc_copy_text(hc_profile_text(j->profile, "group", local->name), err);
    return group->name ? HC_OK : err->status;
}

/* The members as the first rank that lists them does. */
static enum hc_status take_listed(struct hc_comm_group *group, const struct hc_local_group *local,
                                  struct hc_error *err)
{
    size_t n = local->n_members;
    free(group->members);
    group->members = hc_new_array(n, sizeof *group->members, err);
    if (!group->members)
        return err->status;
    memcpy(group->members, local->members, n * sizeof *local->members);
    group->n_members = group->size = n;
    group->is_known = true;
    return HC_OK;
}

/* As long as no rank lists them: the ranks that were seen, one by one in ascending order. */
static enum hc_status take_members(struct hc_comm_group *group, const struct hc_local_group *local,
                                   int32_t rank, size_t n_ranks, struct hc_error *err)
{
    size_t size = local->size > 0 ? (size_t)local->size : 0;
    if (group->is_known)
        return HC_OK;
    if (local->n_members > 0)
        return take_listed(group, local, err);
    if (!group->members)
        group->members = hc_new_array(n_ranks, sizeof *group->members, err);
    if (!group->members)
        return err->status;
    group->members[group->n_members++] = rank;
    group->size = size > group->size ? size : group->size;
    return HC_OK;
}

static enum hc_status fill_groups(struct hc_collectives *collectives, const struct joiner *j,
                                  struct hc_error *err)
{
    size_t n_ranks = j->profile->n_ranks;
    for (size_t r = 0; r < n_ranks; r++)
        for (size_t g = 0; g < j->ranks[r].n_groups; g++) {
            const struct hc_local_group *local = &j->ranks[r].groups[g];
            if (local->joint < 0)
                continue;
            struct hc_comm_group *group = &collectives->groups[local->joint];
            group->n_kernels += local->n_kernels;
            if (describe(group, j, local, err) ||
                take_members(group, local, j->profile->ranks[r].rank, n_ranks, err))
                return err->status;
        }
    for (size_t g = 0; g < collectives->n_groups; g++) {
        struct hc_comm_group *group = &collectives->groups[g];
        if (group->is_known)
            continue;
        group->is_known = group->size == group->n_members;
        if (group->size < group->n_members)
            group->size = group->n_members;
    }
    return HC_OK;
}

enum hc_status hc_comm_groups_join(struct hc_collectives *collectives, struct hc_rank_comms *ranks,
                                   const struct hc_profile *profile, struct hc_error *err)
{
    struct joiner j = {.profile = profile, .ranks = ranks};
    enum hc_status status = find_doubles(&j, err);
    if (status == HC_OK)
        status = join_known(&j, err);
    if (status == HC_OK)
        status = join_unknown(&j, err);
    if (status == HC_OK)
        status = number_used(&j, &collectives->n_groups, err);
    if (status == HC_OK) {
        collectives->groups = hc_new_array(collectives->n_groups, sizeof *collectives->groups, err);
        status = collectives->groups ? fill_groups(collectives, &j, err) : err->status;
    }
    hc_text_set_fini(&j.members);
    hc_int_map_fini(&j.likeness_of);
    hc_int_map_fini(&j.joint_of);
    free(j.likenesses);
    return status;
}
