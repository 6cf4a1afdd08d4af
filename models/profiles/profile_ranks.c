#include "core/base/memory.h"
#include "models/profiles/profile_fill.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_ranks(const void *a, const void *b)
{
    const struct hc_profile_rank *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    return strcmp(one->name, other->name);
}

static bool are_equal_tables(const struct hc_table *a, const struct hc_table *b)
{
    bool are_equal = a->n_rows == b->n_rows;
    for (size_t c = 0; are_equal && a->n_rows > 0 && c < a->def->n_columns; c++)
        are_equal = !a->column[c] || !memcmp(a->column[c], b->column[c],
                                             a->n_rows * hc_type_size(a->def->columns[c].type));
    return are_equal;
}

static bool are_equal_ranks(const struct hc_profile_rank *a, const struct hc_profile_rank *b)
{
    bool are_equal = true;
    for (size_t t = 0; are_equal && t < HC_PROFILE_N_TABLES; t++)
        are_equal = are_equal_tables(&a->table[t], &b->table[t]);
    return are_equal;
}

static void drop_rank(struct hc_profile *profile, size_t at)
{
    hc_profile_rank_fini(&profile->ranks[at]);
    profile->n_ranks--;
    memmove(profile->ranks + at, profile->ranks + at + 1,
            (profile->n_ranks - at) * sizeof *profile->ranks);
}

static enum hc_status take_once(struct hc_profile *profile, struct hc_error *err)
{
    for (size_t r = 1; r < profile->n_ranks;) {
        const struct hc_profile_rank *one = &profile->ranks[r - 1], *other = &profile->ranks[r];
        if (one->rank != other->rank) {
            r++;
            continue;
        }
        if (!are_equal_ranks(one, other))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' and '%s' are both of rank %d and differ; leave one of them out",
                           one->name, other->name, one->rank);
        drop_rank(profile, r);
    }
    return HC_OK;
}

/* Neither trace nor name of the file says it: rank 0 if it stands alone, as the parser took it. */
static bool stood_alone(const struct hc_profile_rank *rank)
{
    const struct hc_table *ranks = &rank->table[HC_PROFILE_RANKS];
    return ranks->n_rows > 0 &&
           hc_table_i32(ranks, HC_RANKS_RANK_ORIGIN)[0] == (int32_t)HC_RANK_ALONE;
}

static enum hc_status check_known(struct hc_profile *profile, struct hc_error *err)
{
    for (size_t r = 0; r < profile->n_ranks; r++) {
        struct hc_profile_rank *rank = &profile->ranks[r];
        if (rank->rank == HC_MISSING_I32 && profile->n_ranks == 1)
            rank->rank = 0;
        if (rank->rank < 0 || (profile->n_ranks > 1 && stood_alone(rank)))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' does not say of which rank it is, nor does its name ('rank3')",
                           rank->name);
    }
    return HC_OK;
}

/* How many ranks say what rank at says; 0 where it says nothing. */
static size_t count_agreeing(const struct hc_profile *profile, size_t at)
{
    size_t n = 0;
    for (size_t r = 0; profile->ranks[at].world_size > 0 && r < profile->n_ranks; r++)
        n += profile->ranks[r].world_size == profile->ranks[at].world_size;
    return n;
}

static int32_t most_said_world(const struct hc_profile *profile)
{
    int32_t world = 0;
    size_t most = 0;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        int32_t said = profile->ranks[r].world_size;
        if (said == world)
            continue;
        size_t n = count_agreeing(profile, r);
        if (n > most || (n == most && n > 0 && said > world)) {
            world = said;
            most = n;
        }
    }
    return world;
}

static int32_t world_of_groups(const struct hc_profile *profile)
{
    int32_t largest = -1;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        const struct hc_table *groups = &profile->ranks[r].table[HC_PROFILE_GROUPS];
        for (size_t i = 0; i < groups->n_rows; i++) {
            int32_t member = hc_table_i32(groups, HC_GROUPS_MEMBER)[i];
            largest = member > largest ? member : largest;
        }
    }
    return largest < INT32_MAX ? largest + 1 : INT32_MAX;
}

static void find_world(struct hc_profile *profile)
{
    int32_t world = most_said_world(profile);
    profile->has_unequal_worlds = false;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        int32_t said = profile->ranks[r].world_size;
        profile->has_unequal_worlds |= said > 0 && said != world;
    }
    if (world == 0)
        world = world_of_groups(profile);
    int32_t largest = profile->n_ranks > 0 ? profile->ranks[profile->n_ranks - 1].rank : -1;
    if (largest >= world) {
        profile->has_unequal_worlds |= most_said_world(profile) > 0;
        world = largest < INT32_MAX ? largest + 1 : INT32_MAX;
    }
    profile->world_size = world;
}

static enum hc_status find_gaps(struct hc_profile *profile, struct hc_error *err)
{
    free(profile->gaps);
    profile->n_missing = profile->n_gaps = 0;
    profile->gaps = hc_new_array(profile->n_ranks + 1, sizeof *profile->gaps, err);
    if (!profile->gaps)
        return err->status;
    int32_t next = 0;
    for (size_t r = 0; r <= profile->n_ranks; r++) {
        int32_t present = r < profile->n_ranks ? profile->ranks[r].rank : profile->world_size;
        if (present > next) {
            profile->gaps[profile->n_gaps++] = (struct hc_rank_range){next, present - 1};
            profile->n_missing += (size_t)(present - next);
        }
        next = present < INT32_MAX ? present + 1 : present;
    }
    return HC_OK;
}

enum hc_status hc_profile_check_ranks(struct hc_profile *profile, struct hc_error *err)
{
    if (check_known(profile, err))
        return err->status;
    if (profile->n_ranks > 1)
        qsort(profile->ranks, profile->n_ranks, sizeof *profile->ranks, compare_ranks);
    if (take_once(profile, err))
        return err->status;
    find_world(profile);
    return find_gaps(profile, err);
}
