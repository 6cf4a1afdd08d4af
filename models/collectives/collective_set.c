#include "models/collectives/collective_set.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/collectives/collective_tables.h"
#include "models/collectives/collective_arrivals.h"
#include "models/collectives/collective_names.h"
#include "models/collectives/dump_loading.h"

#include <stdlib.h>
#include <string.h>

static void free_group(struct hc_collective_group *group)
{
    free(group->members);
    free(group->places);
    free(group->enqueued);
    free(group->completed);
    free(group->is_known);
    group->members = group->places = NULL;
    group->enqueued = group->completed = NULL;
    group->is_known = NULL;
    group->n = 0;
}

void hc_collective_set_fini(struct hc_collective_set *set)
{
    hc_collective_set_drop(set);
    for (size_t g = 0; g < set->n_groups; g++)
        free_group(&set->groups[g]);
    hc_text_set_fini(&set->names);
    hc_text_set_fini(&set->descriptions);
    hc_text_set_fini(&set->ops);
    hc_text_set_fini(&set->dtypes);
    hc_int_map_fini(&set->index);
    free(set->dumps);
    free(set->groups);
    free(set->by_name);
    free(set->collectives);
    free(set->arrivals);
    free(set->mismatches);
    free(set->sides);
    free(set->ordered_groups);
    free(set->ordered);
    memset(set, 0, sizeof *set);
}

void hc_collective_set_drop(struct hc_collective_set *set)
{
    hc_loading_free(set->loading);
    set->loading = NULL;
}

enum hc_status hc_collective_set_begin(struct hc_collective_set *set, int32_t rank,
                                       const struct hc_table_names *names, struct hc_error *err)
{
    hc_collective_set_drop(set);
    if (rank < 0 || rank >= HC_MOST_RANKS)
        return hc_fail(err, HC_BAD_INPUT, "rank %d is not below %d", rank, HC_MOST_RANKS);
    if (hc_loading_new(&set->loading, set, names, err))
        return err->status;
    set->loading->dump.rank = rank;
    return HC_OK;
}

enum hc_status hc_collective_set_add(struct hc_collective_set *set, const struct hc_table *rows,
                                     struct hc_error *err)
{
    return hc_loading_add(set->loading, rows, err);
}

/* ---- groups ---- */

static int compare_ranks(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* members: n ranks in the order of the group. */
static enum hc_status fill_group(struct hc_collective_group *group, const int32_t *members,
                                 size_t n, struct hc_error *err)
{
    group->members = hc_new_array(n + 1, sizeof *group->members, err);
    group->places = hc_new_array(n + 1, sizeof *group->places, err);
    group->enqueued = hc_new_array(n + 1, sizeof *group->enqueued, err);
    group->completed = hc_new_array(n + 1, sizeof *group->completed, err);
    group->is_known = hc_new_array(n + 1, sizeof *group->is_known, err);
    if (!group->members || !group->places || !group->enqueued || !group->completed ||
        !group->is_known)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        group->places[i] = group->members[i] = members[i];
        group->enqueued[i] = group->completed[i] = HC_MISSING_I64;
    }
    qsort(group->members, n, sizeof *group->members, compare_ranks);
    group->n = n;
    return HC_OK;
}

enum hc_status hc_collective_list_members(struct hc_collective_group *group, const int32_t *members,
                                          size_t n, struct hc_error *err)
{
    free_group(group);
    return fill_group(group, members, n, err);
}

static bool has_members(const struct hc_collective_group *group, const int32_t *members, size_t n)
{
    return group->is_listed == (n > 0) && group->n == n &&
           (n == 0 || memcmp(group->places, members, n * sizeof *members) == 0);
}

/* The group of that name with these members (none: one that no dump lists), added when it is new.
 */
static enum hc_status find_group(struct hc_collective_set *set, int32_t name,
                                 const int32_t *members, size_t n, int32_t *group,
                                 struct hc_error *err)
{
    if (hc_reserve(&set->by_name, &set->by_name_capacity, (size_t)name + 1, sizeof *set->by_name,
                   err))
        return err->status;
    for (; set->n_by_name <= (size_t)name; set->n_by_name++)
        set->by_name[set->n_by_name] = -1;
    for (*group = set->by_name[name]; *group >= 0; *group = set->groups[*group].next)
        if (has_members(&set->groups[*group], members, n))
            return HC_OK;
    if (set->n_groups >= HC_COLLECTIVE_MOST_GROUPS)
        return hc_fail(err, HC_BAD_INPUT, "there are more than %d groups",
                       HC_COLLECTIVE_MOST_GROUPS);
    if (hc_reserve(&set->groups, &set->groups_capacity, set->n_groups + 1, sizeof *set->groups,
                   err))
        return err->status;
    struct hc_collective_group *new = &set->groups[set->n_groups];
    *new = (struct hc_collective_group){.name = name,
                                        .description = -1,
                                        .is_listed = n > 0,
                                        .next = set->by_name[name],
                                        .joined = (int32_t)set->n_groups};
    *group = (int32_t)set->n_groups++;
    set->by_name[name] = *group;
    return fill_group(new, members, n, err);
}

/* The groups that the dump lists, with what it says of its own progress in them. */
static enum hc_status commit_groups(struct hc_collective_set *set, struct hc_error *err)
{
    struct hc_dump_loading *loading = set->loading;
    for (size_t i = 0; i < loading->n_groups; i++) {
        struct hc_loaded_group *loaded = &loading->groups[i];
        if (find_group(set, loaded->name, loading->members + loaded->first, loaded->n,
                       &loaded->group, err))
            return err->status;
        struct hc_collective_group *group = &set->groups[loaded->group];
        int64_t place = hc_collective_place(group, loading->dump.rank);
        if (group->description < 0)
            group->description = loaded->description;
        if (place < 0)
            continue;
        group->is_known[place] = true;
        group->enqueued[place] = loaded->enqueued;
        group->completed[place] = loaded->completed;
    }
    return HC_OK;
}

/* ---- entries ---- */

static enum hc_status group_of_entry(struct hc_collective_set *set,
                                     const struct hc_loaded_entry *entry, int32_t *group,
                                     struct hc_error *err)
{
    const struct hc_dump_loading *loading = set->loading;
    for (size_t i = 0; i < loading->n_groups; i++)
        if (loading->groups[i].name == entry->name) {
            *group = loading->groups[i].group;
            return HC_OK;
        }
    if (find_group(set, entry->name, NULL, 0, group, err))
        return err->status;
    if (set->groups[*group].description < 0)
        set->groups[*group].description = entry->description;
    return HC_OK;
}

static int32_t rank_at(const struct hc_collective_group *group, int32_t place)
{
    return place >= 0 && (size_t)place < group->n ? group->places[place] : -1;
}

static enum hc_status commit_side(struct hc_collective_set *set,
                                  const struct hc_loaded_entry *entry, int32_t group,
                                  struct hc_error *err)
{
    set->groups[group].has_p2p = true;
    if (hc_reserve(&set->sides, &set->sides_capacity, set->n_sides + 1, sizeof *set->sides, err))
        return err->status;
    const struct hc_collective_group *of = &set->groups[group];
    struct hc_collective_side *side = &set->sides[set->n_sides++];
    *side = (struct hc_collective_side){.seq = entry->p2p_seq,
                                        .elements = entry->in_elements,
                                        .group = group,
                                        .source = rank_at(of, entry->source),
                                        .destination = rank_at(of, entry->destination),
                                        .rank = set->loading->dump.rank,
                                        .is_completed = entry->state == HC_COLLECTIVE_COMPLETED};
    side->is_send = side->source == side->rank;
    return HC_OK;
}

static enum hc_status commit_entries(struct hc_collective_set *set, struct hc_error *err)
{
    const struct hc_dump_loading *loading = set->loading;
    for (size_t i = 0; i < loading->n_entries; i++) {
        const struct hc_loaded_entry *entry = &loading->entries[i];
        int32_t group = 0;
        if (entry->name < 0)
            continue;
        if (group_of_entry(set, entry, &group, err) ||
            (entry->is_p2p ? commit_side(set, entry, group, err)
                           : hc_collective_arrive(set, entry, group, err)))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_collective_set_end(struct hc_collective_set *set, struct hc_error *err)
{
    struct hc_dump_loading *loading = set->loading;
    if (hc_reserve(&set->dumps, &set->dumps_capacity, set->n_dumps + 1, sizeof *set->dumps, err) ||
        hc_loading_assign(loading, set, err) || commit_groups(set, err) || commit_entries(set, err))
        return err->status;
    set->dumps[set->n_dumps++] = loading->dump;
    hc_collective_set_drop(set);
    return HC_OK;
}
