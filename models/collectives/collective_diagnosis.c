#include "models/collectives/collective_diagnosis.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/collectives/collective_tables.h"
#include "models/collectives/collective_names.h"
#include "models/collectives/collective_pairs.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORDS ((size_t)1 << 24) /* 128 MB of bits: who waits for whom */

/* What one pass over the groups finds out of each rank. */
struct rank_state {
    int64_t n_behind, most; /* groups where it is behind; collectives in the worst */
    int32_t group, ahead;
    int64_t seq;
    bool is_late, waits_for_late;
};

/* What ranks wait for: members that are absent; nobody, since others have ended it; or nothing is
 * known of some. */
enum wait_sort { WAIT_FOR_ABSENT, WAIT_BEHIND, WAIT_FOR_UNKNOWN, N_WAIT_SORTS };

struct diagnosing {
    struct hc_collective_set *set;
    struct hc_collective_diagnosis *out;
    struct rank_state *ranks; /* of the world */
    /* By member of the current group. */
    unsigned char *class;
    bool *holds; /* an entry that others have ended */
    /* Of the last group that has any: where the first of each sort is in its list. */
    struct first_wait {
        bool is_there;
        int32_t group;
        size_t index;
    } first[N_WAIT_SORTS];
};

enum member_class { MEMBER_UNKNOWN, MEMBER_ABSENT, MEMBER_PASSED, MEMBER_WAITING, MEMBER_ENDED };

void hc_collective_diagnosis_fini(struct hc_collective_diagnosis *diagnosis)
{
    free(diagnosis->suspects);
    free(diagnosis->all_late);
    free(diagnosis->waits);
    free(diagnosis->unknown_waits);
    free(diagnosis->mismatch_places);
    free(diagnosis->open_pairs);
    free(diagnosis->progress);
    free(diagnosis->ranks);
    memset(diagnosis, 0, sizeof *diagnosis);
}

static enum hc_status add_rank(struct hc_collective_diagnosis *out, struct hc_rank_span *span,
                               int32_t rank, struct hc_error *err)
{
    if (hc_reserve(&out->ranks, &out->ranks_capacity, out->n_ranks + 1, sizeof *out->ranks, err))
        return err->status;
    if (span->n == 0)
        span->from = out->n_ranks;
    out->ranks[out->n_ranks++] = rank;
    span->n++;
    return HC_OK;
}

/* ---- one collective ---- */

/* Classes of all members of its group; how many of each. */
static void classify(const struct diagnosing *d, const struct hc_collective_group *group,
                     const struct hc_collective *collective, size_t count[5])
{
    const struct hc_collective_set *set = d->set;
    memset(count, 0, 5 * sizeof *count);
    for (size_t i = 0; i < group->n; i++) {
        int64_t enqueued = group->enqueued[i], completed = group->completed[i];
        bool is_told = !group->has_p2p;
        d->class[i] =
            is_told && completed != HC_MISSING_I64 && completed >= collective->seq ? MEMBER_PASSED
            : is_told && enqueued != HC_MISSING_I64 && enqueued < collective->seq  ? MEMBER_ABSENT
                                                                                   : MEMBER_UNKNOWN;
    }
    for (uint32_t a = collective->last; a; a = set->arrivals[a - 1].next) {
        int32_t rank_state = set->arrivals[a - 1].rank_state;
        int64_t place = hc_collective_place(group, rank_state / 4);
        if (place < 0)
            continue;
        bool has_ended =
            rank_state % 4 == HC_COLLECTIVE_COMPLETED || d->class[place] == MEMBER_PASSED;
        d->class[place] = has_ended ? MEMBER_ENDED : MEMBER_WAITING;
    }
    for (size_t i = 0; i < group->n; i++)
        count[d->class[i]]++;
}

static enum hc_status list_members(const struct diagnosing *d,
                                   const struct hc_collective_group *group, int class, int other,
                                   struct hc_rank_span *span, struct hc_error *err)
{
    for (size_t i = 0; i < group->n; i++)
        if ((d->class[i] == class || d->class[i] == other) &&
            add_rank(d->out, span, group->members[i], err))
            return err->status;
    return HC_OK;
}

static enum hc_status describe_wait(const struct diagnosing *d,
                                    const struct hc_collective *collective,
                                    struct hc_collective_wait *wait, struct hc_error *err)
{
    const struct hc_collective_group *group = &d->set->groups[collective->group];
    *wait = (struct hc_collective_wait){.group = collective->group,
                                        .op = collective->op,
                                        .seq = collective->seq,
                                        .first_ns = collective->first_ns,
                                        .in_elements = collective->in_elements,
                                        .out_elements = collective->out_elements,
                                        .dtype = collective->dtype,
                                        .n_like = 1};
    if (list_members(d, group, MEMBER_WAITING, -1, &wait->waiting, err) ||
        list_members(d, group, MEMBER_ABSENT, -1, &wait->absent, err) ||
        list_members(d, group, MEMBER_PASSED, MEMBER_ENDED, &wait->passed, err))
        return err->status;
    return list_members(d, group, MEMBER_UNKNOWN, -1, &wait->unknown, err);
}

/* Of each sort, the first of a group is described, the further are counted. */
static enum hc_status note_wait(struct diagnosing *d, const struct hc_collective *collective,
                                enum wait_sort sort, struct hc_error *err)
{
    struct hc_collective_diagnosis *out = d->out;
    bool is_unknown = sort == WAIT_FOR_UNKNOWN;
    struct hc_collective_wait **list = is_unknown ? &out->unknown_waits : &out->waits;
    size_t *n = is_unknown ? &out->n_unknown_waits : &out->n_waits;
    size_t *capacity = is_unknown ? &out->unknown_waits_capacity : &out->waits_capacity;
    if (d->first[sort].is_there && d->first[sort].group == collective->group) {
        (*list)[d->first[sort].index].n_like++;
        return HC_OK;
    }
    if (hc_reserve(list, capacity, *n + 1, sizeof **list, err))
        return err->status;
    d->first[sort] = (struct first_wait){true, collective->group, *n};
    return describe_wait(d, collective, &(*list)[(*n)++], err);
}

static void note_late(const struct diagnosing *d, const struct hc_collective_group *group)
{
    for (size_t i = 0; i < group->n; i++) {
        struct rank_state *rank = &d->ranks[group->members[i]];
        rank->is_late |= d->class[i] == MEMBER_ABSENT;
        rank->waits_for_late |= d->class[i] == MEMBER_WAITING;
    }
}

static enum hc_status look_at(struct diagnosing *d, const struct hc_collective *collective,
                              struct hc_error *err)
{
    const struct hc_collective_group *group = &d->set->groups[collective->group];
    struct hc_collective_diagnosis *out = d->out;
    size_t count[5];
    classify(d, group, collective, count);
    size_t n_arrived = count[MEMBER_WAITING] + count[MEMBER_ENDED];
    out->n_collectives++;
    out->n_complete += n_arrived == group->n;
    out->n_partial += n_arrived != group->n;
    if (collective->mismatch >= 0) {
        out->n_mismatched++;
        if (hc_reserve(&out->mismatch_places, &out->mismatch_places_capacity,
                       out->n_mismatch_places + 1, sizeof *out->mismatch_places, err))
            return err->status;
        out->mismatch_places[out->n_mismatch_places++] = (struct hc_collective_mismatch_place){
            collective->group, collective->seq, (size_t)(collective - d->set->collectives)};
    }
    if (!count[MEMBER_WAITING])
        return HC_OK;
    if (count[MEMBER_ABSENT]) {
        note_late(d, group);
        return note_wait(d, collective, WAIT_FOR_ABSENT, err);
    }
    if (count[MEMBER_PASSED] || count[MEMBER_ENDED])
        return note_wait(d, collective, WAIT_BEHIND, err);
    return count[MEMBER_UNKNOWN] ? note_wait(d, collective, WAIT_FOR_UNKNOWN, err) : HC_OK;
}

/* ---- one group ---- */

static int64_t farthest(const struct hc_collective_group *group, int32_t *rank)
{
    int64_t most = HC_MISSING_I64;
    *rank = -1;
    for (size_t i = 0; i < group->n; i++)
        if (group->completed[i] > most) {
            most = group->completed[i];
            *rank = group->members[i];
        }
    return most;
}

/* Members that hold an entry between what they have ended and what others have. */
static void find_holders(const struct diagnosing *d, const struct hc_collective_group *group,
                         int64_t most)
{
    const struct hc_collective_set *set = d->set;
    memset(d->holds, 0, group->n * sizeof *d->holds);
    for (size_t i = 0; i < group->n_collectives; i++) {
        const struct hc_collective *collective = &set->collectives[set->ordered[group->first + i]];
        for (uint32_t a = collective->seq <= most ? collective->last : 0; a;
             a = set->arrivals[a - 1].next) {
            int64_t place = hc_collective_place(group, set->arrivals[a - 1].rank_state / 4);
            if (place >= 0 && group->completed[place] != HC_MISSING_I64 &&
                collective->seq > group->completed[place])
                d->holds[place] = true;
        }
    }
}

static void find_behind(const struct diagnosing *d, int32_t g)
{
    const struct hc_collective_group *group = &d->set->groups[g];
    int32_t ahead = -1;
    int64_t most = farthest(group, &ahead);
    if (group->has_p2p || most == HC_MISSING_I64)
        return;
    find_holders(d, group, most);
    for (size_t i = 0; i < group->n; i++) {
        int64_t completed = group->completed[i];
        struct rank_state *rank = &d->ranks[group->members[i]];
        if (!d->holds[i] || completed >= most)
            continue;
        rank->n_behind++;
        if (most - completed > rank->most) {
            rank->most = most - completed;
            rank->group = g;
            rank->ahead = ahead;
            rank->seq = completed + 1;
        }
    }
}

/* ---- progress ---- */

static int compare_members(const void *a, const void *b, void *context)
{
    const struct hc_collective_group *group = context;
    const size_t *x = a, *y = b;
    if (group->completed[*x] != group->completed[*y])
        return group->completed[*x] > group->completed[*y] ? -1 : 1;
    if (group->enqueued[*x] != group->enqueued[*y])
        return group->enqueued[*x] > group->enqueued[*y] ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* Members by how far they came; those of whom it is not known come last, and are left out. */
static enum hc_status list_progress(const struct diagnosing *d, int32_t g, size_t *order,
                                    struct hc_error *err)
{
    struct hc_collective_group *group = &d->set->groups[g];
    struct hc_collective_diagnosis *out = d->out;
    for (size_t i = 0; i < group->n; i++)
        order[i] = i;
    qsort_r(order, group->n, sizeof *order, compare_members, group);
    for (size_t i = 0; i < group->n && !group->has_p2p; i++) {
        int64_t completed = group->completed[order[i]], enqueued = group->enqueued[order[i]];
        const struct hc_collective_progress *last =
            out->n_progress ? &out->progress[out->n_progress - 1] : NULL;
        if (completed == HC_MISSING_I64 || enqueued == HC_MISSING_I64)
            continue;
        if (!last || last->group != g || last->completed != completed ||
            last->enqueued != enqueued) {
            if (hc_reserve(&out->progress, &out->progress_capacity, out->n_progress + 1,
                           sizeof *out->progress, err))
                return err->status;
            out->progress[out->n_progress++] =
                (struct hc_collective_progress){g, enqueued, completed, {0, 0}};
        }
        if (add_rank(out, &out->progress[out->n_progress - 1].ranks, group->members[order[i]], err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status list_all_progress(const struct diagnosing *d, size_t most,
                                        struct hc_error *err)
{
    size_t *order = hc_new_array(most, sizeof *order, err);
    enum hc_status status = order ? HC_OK : err->status;
    for (size_t i = 0; i < d->set->n_ordered_groups && !status; i++)
        status = list_progress(d, d->set->ordered_groups[i], order, err);
    free(order);
    return status;
}

/* ---- ranks ---- */

static enum hc_status find_world(struct hc_collective_diagnosis *out,
                                 const struct hc_collective_set *set, struct hc_error *err)
{
    for (size_t g = 0; g < set->n_groups; g++)
        if (set->groups[g].n && set->groups[g].members[set->groups[g].n - 1] >= out->world_size)
            out->world_size = set->groups[g].members[set->groups[g].n - 1] + 1;
    for (size_t i = 0; i < set->n_dumps; i++)
        if (set->dumps[i].rank >= out->world_size)
            out->world_size = set->dumps[i].rank + 1;
    bool *has_dump = hc_new_array((size_t)out->world_size, sizeof *has_dump, err);
    if (!has_dump)
        return err->status;
    for (size_t i = 0; i < set->n_dumps; i++) {
        has_dump[set->dumps[i].rank] = true;
        out->n_entries += set->dumps[i].n_entries;
        out->n_dropped += set->dumps[i].n_dropped;
    }
    enum hc_status status = HC_OK;
    for (int32_t r = 0; r < out->world_size && !status; r++)
        if (!has_dump[r])
            status = add_rank(out, &out->missing, r, err);
    free(has_dump);
    return status;
}

static bool is_behind(const struct rank_state *rank)
{
    return rank->n_behind >= 2 || rank->most >= 2;
}

static bool is_suspect(const struct rank_state *rank)
{
    return is_behind(rank) || (rank->is_late && !rank->waits_for_late);
}

static struct hc_collective_suspect suspect_of(const struct rank_state *rank, int32_t number)
{
    return (struct hc_collective_suspect){.rank = number,
                                          .is_behind = is_behind(rank),
                                          .is_late = rank->is_late,
                                          .n_groups = rank->n_behind,
                                          .most = rank->most,
                                          .group = rank->group,
                                          .seq = rank->seq,
                                          .ahead = rank->ahead,
                                          .wait = -1};
}

/* Lists of ranks, each ascending; suspects and late ones by rank. */
static enum hc_status judge(struct diagnosing *d, struct hc_error *err)
{
    struct hc_collective_diagnosis *out = d->out;
    size_t n_suspects = 0, n_late = 0;
    for (int32_t r = 0; r < out->world_size; r++) {
        n_suspects += is_suspect(&d->ranks[r]);
        n_late += d->ranks[r].is_late;
    }
    out->suspects = hc_new_array(n_suspects + 1, sizeof *out->suspects, err);
    out->all_late = out->suspects ? hc_new_array(n_late + 1, sizeof *out->all_late, err) : NULL;
    if (!out->all_late)
        return err->status;
    for (int32_t r = 0; r < out->world_size; r++) {
        if (is_suspect(&d->ranks[r]))
            out->suspects[out->n_suspects++] = suspect_of(&d->ranks[r], r);
        if (d->ranks[r].is_late)
            out->all_late[out->n_late++] = suspect_of(&d->ranks[r], r);
        if (is_behind(&d->ranks[r]) && add_rank(out, &out->behind, r, err))
            return err->status;
    }
    for (int32_t r = 0; r < out->world_size; r++)
        if (d->ranks[r].is_late && add_rank(out, &out->late, r, err))
            return err->status;
    /* Nobody to begin with: all late ranks wait for late ones, so some of them in a circle. */
    for (size_t i = 0; i < out->n_late && !n_suspects; i++)
        if (add_rank(out, &out->in_circle, out->all_late[i].rank, err))
            return err->status;
    return HC_OK;
}

/* ---- who waits for whom ---- */

static void set_bit(uint64_t *bits, int32_t i)
{
    bits[i / 64] |= (uint64_t)1 << i % 64;
}

static bool get_bit(const uint64_t *bits, int32_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* Mark who waits in this collective for each late rank that is absent; row[r] is the row of bits of
 * a late rank. */
static void mark_waits(const struct diagnosing *d, const struct hc_collective *collective,
                       const int32_t *row, uint64_t *bits)
{
    const struct hc_collective_group *group = &d->set->groups[collective->group];
    size_t count[5], words = (size_t)d->out->world_size / 64 + 1;
    classify(d, group, collective, count);
    if (!count[MEMBER_WAITING] || !count[MEMBER_ABSENT])
        return;
    for (size_t i = 0; i < group->n; i++) {
        if (d->class[i] != MEMBER_ABSENT)
            continue;
        uint64_t *of = bits + words * (size_t)row[group->members[i]];
        for (size_t k = 0; k < group->n; k++)
            if (d->class[k] == MEMBER_WAITING)
                set_bit(of, group->members[k]);
    }
}

static enum hc_status list_waiting(struct hc_collective_diagnosis *out, const uint64_t *bits,
                                   struct hc_collective_suspect *list, size_t n, const int32_t *row,
                                   struct hc_error *err)
{
    size_t words = (size_t)out->world_size / 64 + 1;
    for (size_t i = 0; i < n; i++)
        for (int32_t r = 0; r < out->world_size && list[i].is_late; r++)
            if (get_bit(bits + words * (size_t)row[list[i].rank], r) &&
                add_rank(out, &list[i].waiting, r, err))
                return err->status;
    return HC_OK;
}

/* Who waits for each late rank, over all collectives. With more late ranks than their rows of bits
 * have room, nothing is listed. */
static enum hc_status find_waiting(struct diagnosing *d, struct hc_error *err)
{
    struct hc_collective_diagnosis *out = d->out;
    size_t words = (size_t)out->world_size / 64 + 1;
    if (out->n_late == 0 || out->n_late > MOST_WORDS / words)
        return HC_OK;
    uint64_t *bits = hc_new_array(out->n_late * words + 1, sizeof *bits, err);
    int32_t *row = bits ? hc_new_array((size_t)out->world_size + 1, sizeof *row, err) : NULL;
    enum hc_status status = row ? HC_OK : err->status;
    for (size_t i = 0; i < out->n_late && !status; i++)
        row[out->all_late[i].rank] = (int32_t)i;
    for (size_t i = 0; i < d->set->n_ordered && !status; i++)
        mark_waits(d, &d->set->collectives[d->set->ordered[i]], row, bits);
    if (!status)
        status = list_waiting(out, bits, out->suspects, out->n_suspects, row, err);
    if (!status)
        status = list_waiting(out, bits, out->all_late, out->n_late, row, err);
    free(row);
    free(bits);
    return status;
}

static int compare_waits(const void *a, const void *b)
{
    const struct hc_collective_wait *x = a, *y = b;
    bool x_is_timed = x->first_ns != HC_MISSING_I64, y_is_timed = y->first_ns != HC_MISSING_I64;
    if (x_is_timed != y_is_timed)
        return x_is_timed ? -1 : 1;
    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    return (x->waiting.from > y->waiting.from) - (x->waiting.from < y->waiting.from);
}

static int compare_suspects(const void *a, const void *b)
{
    const struct hc_collective_suspect *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void note_first(struct hc_collective_suspect *list, size_t n, int32_t rank, size_t wait)
{
    struct hc_collective_suspect key = {.rank = rank};
    struct hc_collective_suspect *found =
        n ? bsearch(&key, list, n, sizeof *list, compare_suspects) : NULL;
    if (found && found->wait < 0)
        found->wait = (int64_t)wait;
}

/* In the order of time; and the first wait for each late rank. */
static void order_waits(struct hc_collective_diagnosis *out)
{
    if (out->n_waits)
        qsort(out->waits, out->n_waits, sizeof *out->waits, compare_waits);
    if (out->n_unknown_waits)
        qsort(out->unknown_waits, out->n_unknown_waits, sizeof *out->unknown_waits, compare_waits);
    for (size_t w = 0; w < out->n_waits; w++)
        for (size_t i = 0; i < out->waits[w].absent.n; i++) {
            int32_t rank = out->ranks[out->waits[w].absent.from + i];
            note_first(out->suspects, out->n_suspects, rank, w);
            note_first(out->all_late, out->n_late, rank, w);
        }
}

/* ---- all ---- */

static size_t largest_group(const struct hc_collective_set *set)
{
    size_t most = 0;
    for (size_t g = 0; g < set->n_groups; g++)
        most = set->groups[g].n > most ? set->groups[g].n : most;
    return most;
}

static enum hc_status look_at_all(struct diagnosing *d, size_t most, struct hc_error *err)
{
    const struct hc_collective_set *set = d->set;
    for (size_t i = 0; i < set->n_ordered; i++)
        if (look_at(d, &set->collectives[set->ordered[i]], err))
            return err->status;
    for (size_t i = 0; i < set->n_ordered_groups; i++)
        find_behind(d, set->ordered_groups[i]);
    if (judge(d, err) || find_waiting(d, err))
        return err->status;
    order_waits(d->out);
    if (hc_collective_pair(d->out, d->set, err) || list_all_progress(d, most, err))
        return err->status;
    d->out->has_finding = d->out->n_suspects || d->out->in_circle.n || d->out->n_mismatched;
    d->out->n_collective_entries = d->out->n_entries - d->out->n_dropped - d->out->n_p2p_entries;
    return HC_OK;
}

enum hc_status hc_collective_diagnose(struct hc_collective_diagnosis *diagnosis,
                                      struct hc_collective_set *set, struct hc_error *err)
{
    memset(diagnosis, 0, sizeof *diagnosis);
    if (find_world(diagnosis, set, err))
        return err->status;
    struct diagnosing d = {.set = set, .out = diagnosis};
    size_t most = largest_group(set) + 1;
    d.ranks = hc_new_array((size_t)diagnosis->world_size + 1, sizeof *d.ranks, err);
    d.class = d.ranks ? hc_new_array(most, sizeof *d.class, err) : NULL;
    d.holds = d.class ? hc_new_array(most, sizeof *d.holds, err) : NULL;
    enum hc_status status = d.holds ? look_at_all(&d, most, err) : err->status;
    free(d.holds);
    free(d.class);
    free(d.ranks);
    if (status)
        hc_collective_diagnosis_fini(diagnosis);
    return status;
}
