/* collective_join.c - the end of a set: groups under several names become one, and collectives get
 * their order. */
#include "models/collectives/collective_set.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/collectives/collective_arrivals.h"
#include "models/collectives/collective_names.h"

#include <stdlib.h>
#include <string.h>

/* Where one dump shows that counters are not in the order of names, those of dumps that could not
 * be checked (they have no entries) are left. */
static void forget_unchecked(struct hc_collective_set *set)
{
    bool is_contradicted = false;
    for (size_t d = 0; d < set->n_dumps; d++)
        is_contradicted |= set->dumps[d].is_contradicted;
    for (size_t d = 0; d < set->n_dumps && is_contradicted; d++) {
        struct hc_collective_dump *dump = &set->dumps[d];
        if (!dump->is_by_order || dump->n_checked)
            continue;
        dump->is_by_order = false;
        for (size_t g = 0; g < set->n_groups; g++) {
            struct hc_collective_group *group = &set->groups[g];
            int64_t place = hc_collective_place(group, dump->rank);
            if (place >= 0)
                group->enqueued[place] = group->completed[place] = HC_MISSING_I64;
        }
    }
}

/* ---- groups that no dump lists ---- */

/* The only listed group of that name, or -1. */
static int32_t only_listed(const struct hc_collective_set *set, int32_t name)
{
    int32_t only = -1;
    for (int32_t g = set->by_name[name]; g >= 0; g = set->groups[g].next)
        if (set->groups[g].is_listed) {
            if (only >= 0)
                return -1;
            only = g;
        }
    return only;
}

static int compare_ranks(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Its members are the ranks that were seen in it. */
static enum hc_status list_seen(struct hc_collective_set *set, int32_t group, struct hc_error *err)
{
    size_t n = 0, capacity = 0, n_distinct = 0;
    int32_t *seen = NULL;
    enum hc_status status = HC_OK;
    for (size_t c = 0; c < set->n_collectives && !status; c++) {
        if (set->collectives[c].group != group)
            continue;
        for (uint32_t a = set->collectives[c].last; a && !status; a = set->arrivals[a - 1].next) {
            status = hc_reserve(&seen, &capacity, n + 1, sizeof *seen, err);
            if (!status)
                seen[n++] = set->arrivals[a - 1].rank_state / 4;
        }
    }
    if (n)
        qsort(seen, n, sizeof *seen, compare_ranks);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || seen[i] != seen[i - 1])
            seen[n_distinct++] = seen[i];
    if (!status)
        status = hc_collective_list_members(&set->groups[group], seen, n_distinct, err);
    free(seen);
    return status;
}

static enum hc_status join_unlisted(struct hc_collective_set *set, struct hc_error *err)
{
    for (size_t g = 0; g < set->n_groups; g++) {
        struct hc_collective_group *group = &set->groups[g];
        if (group->is_listed)
            continue;
        int32_t listed = only_listed(set, group->name);
        if (listed >= 0) {
            group->joined = listed;
            set->groups[listed].has_p2p |= group->has_p2p;
        } else if (list_seen(set, (int32_t)g, err)) {
            return err->status;
        }
    }
    return HC_OK;
}

/* ---- groups that have other names on other ranks ---- */

static int compare_members(const struct hc_collective_group *x, const struct hc_collective_group *y)
{
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++)
        if (x->places[i] != y->places[i])
            return x->places[i] < y->places[i] ? -1 : 1;
    return 0;
}

static int compare_likeness(const void *a, const void *b, void *context)
{
    const struct hc_collective_set *set = context;
    const int32_t *g = a, *h = b;
    const struct hc_collective_group *x = &set->groups[*g], *y = &set->groups[*h];
    int order = compare_members(x, y);
    if (!order)
        order = strcmp(hc_collective_group_description(set, *g),
                       hc_collective_group_description(set, *h));
    if (!order)
        order = (x->name > y->name) - (x->name < y->name);
    return order ? order : (*g > *h) - (*g < *h);
}

static bool are_alike(const struct hc_collective_set *set, int32_t g, int32_t h)
{
    return compare_members(&set->groups[g], &set->groups[h]) == 0 &&
           strcmp(hc_collective_group_description(set, g),
                  hc_collective_group_description(set, h)) == 0;
}

/* Groups of one membership and description are one where no rank has two of them. */
static void join_alike(struct hc_collective_set *set, const int32_t *groups, size_t n)
{
    struct hc_collective_group *to = &set->groups[groups[0]];
    for (size_t i = 0; i < to->n; i++) {
        int n_own = 0;
        for (size_t k = 0; k < n; k++)
            n_own += set->groups[groups[k]].is_known[i];
        if (n_own > 1)
            return;
    }
    for (size_t k = 1; k < n; k++) {
        struct hc_collective_group *from = &set->groups[groups[k]];
        from->joined = groups[0];
        to->has_p2p |= from->has_p2p;
        for (size_t i = 0; i < to->n; i++)
            if (from->is_known[i]) {
                to->is_known[i] = true;
                to->enqueued[i] = from->enqueued[i];
                to->completed[i] = from->completed[i];
            }
    }
}

static enum hc_status join_renamed(struct hc_collective_set *set, struct hc_error *err)
{
    size_t n = 0;
    int32_t *listed = hc_new_array(set->n_groups + 1, sizeof *listed, err);
    if (!listed)
        return err->status;
    for (size_t g = 0; g < set->n_groups; g++)
        if (set->groups[g].is_listed)
            listed[n++] = (int32_t)g;
    qsort_r(listed, n, sizeof *listed, compare_likeness, set);
    for (size_t i = 0, end = 0; i < n; i = end) {
        for (end = i + 1; end < n && are_alike(set, listed[i], listed[end]);)
            end++;
        if (end - i > 1)
            join_alike(set, listed + i, end - i);
    }
    free(listed);
    return HC_OK;
}

/* ---- order ---- */

static int compare_groups(const void *a, const void *b, void *context)
{
    const struct hc_collective_set *set = context;
    const int32_t *g = a, *h = b;
    int order = hc_collective_compare_names(hc_collective_group_name(set, *g),
                                            hc_collective_group_name(set, *h));
    if (!order)
        order = compare_members(&set->groups[*g], &set->groups[*h]);
    return order ? order : (*g > *h) - (*g < *h);
}

static enum hc_status order_groups(struct hc_collective_set *set, struct hc_error *err)
{
    set->ordered_groups = hc_new_array(set->n_groups + 1, sizeof *set->ordered_groups, err);
    if (!set->ordered_groups)
        return err->status;
    for (size_t g = 0; g < set->n_groups; g++)
        if (set->groups[g].joined == (int32_t)g)
            set->ordered_groups[set->n_ordered_groups++] = (int32_t)g;
    qsort_r(set->ordered_groups, set->n_ordered_groups, sizeof *set->ordered_groups, compare_groups,
            set);
    return HC_OK;
}

static int compare_seqs(const void *a, const void *b, void *context)
{
    const struct hc_collective_set *set = context;
    const uint32_t *x = a, *y = b;
    int64_t p = set->collectives[*x].seq, q = set->collectives[*y].seq;
    return p != q ? p < q ? -1 : 1 : (*x > *y) - (*x < *y);
}

/* Put a collective together with another, that is the same of the same group. */
static enum hc_status merge(struct hc_collective_set *set, struct hc_collective *to,
                            const struct hc_collective *from, struct hc_error *err)
{
    uint32_t *end = &to->last;
    while (*end)
        end = &set->arrivals[*end - 1].next;
    *end = from->last;
    to->n_arrived += from->n_arrived;
    if (from->first_ns != HC_MISSING_I64 &&
        (to->first_ns == HC_MISSING_I64 || from->first_ns < to->first_ns))
        to->first_ns = from->first_ns;
    struct hc_collective_mismatch other = {from->rank, from->op, from->dtype, from->in_elements,
                                           from->out_elements};
    if (to->mismatch < 0)
        to->mismatch = from->mismatch;
    return hc_collective_compare(set, to, &other, err);
}

/* Sort the collectives of a group, and put equal ones together: only joined groups have such. */
static enum hc_status order_group(struct hc_collective_set *set, struct hc_collective_group *group,
                                  struct hc_error *err)
{
    uint32_t *ordered = set->ordered + group->first;
    bool is_sorted = true;
    for (size_t i = 1; i < group->n_collectives; i++)
        is_sorted &= set->collectives[ordered[i - 1]].seq < set->collectives[ordered[i]].seq;
    if (is_sorted)
        return HC_OK;
    qsort_r(ordered, group->n_collectives, sizeof *ordered, compare_seqs, set);
    size_t n = 0;
    for (size_t i = 0; i < group->n_collectives; i++) {
        struct hc_collective *last = n ? &set->collectives[ordered[n - 1]] : NULL;
        const struct hc_collective *next = &set->collectives[ordered[i]];
        if (!last || last->seq != next->seq)
            ordered[n++] = ordered[i];
        else if (merge(set, last, next, err))
            return err->status;
    }
    group->n_collectives = n;
    return HC_OK;
}

static enum hc_status order_collectives(struct hc_collective_set *set, struct hc_error *err)
{
    set->ordered = hc_new_array(set->n_collectives + 1, sizeof *set->ordered, err);
    if (!set->ordered)
        return err->status;
    for (size_t c = 0; c < set->n_collectives; c++) {
        struct hc_collective *collective = &set->collectives[c];
        collective->group = set->groups[collective->group].joined;
        set->groups[collective->group].n_collectives++;
    }
    size_t first = 0;
    for (size_t i = 0; i < set->n_ordered_groups; i++) {
        struct hc_collective_group *group = &set->groups[set->ordered_groups[i]];
        group->first = first;
        first += group->n_collectives;
        group->n_collectives = 0;
    }
    for (size_t c = 0; c < set->n_collectives; c++) {
        struct hc_collective_group *group = &set->groups[set->collectives[c].group];
        set->ordered[group->first + group->n_collectives++] = (uint32_t)c;
    }
    for (size_t i = 0; i < set->n_ordered_groups; i++) {
        struct hc_collective_group *group = &set->groups[set->ordered_groups[i]];
        if (order_group(set, group, err))
            return err->status;
        set->n_ordered += group->n_collectives;
    }
    return HC_OK;
}

enum hc_status hc_collective_set_finish(struct hc_collective_set *set, struct hc_error *err)
{
    forget_unchecked(set);
    hc_int_map_fini(&set->index);
    for (size_t i = 0; i < set->n_sides; i++)
        set->groups[set->sides[i].group].has_p2p = true;
    if (join_unlisted(set, err) || join_renamed(set, err))
        return err->status;
    for (size_t g = 0; g < set->n_groups; g++) /* an unlisted one may be joined to a joined one */
        set->groups[g].joined = set->groups[set->groups[g].joined].joined;
    if (order_groups(set, err) || order_collectives(set, err))
        return err->status;
    for (size_t i = 0; i < set->n_sides; i++)
        set->sides[i].group = set->groups[set->sides[i].group].joined;
    return HC_OK;
}
