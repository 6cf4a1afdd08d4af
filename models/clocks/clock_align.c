/* clock_align.c - offsets of the clocks by the ends of shared events, which are nearly the same
 * moment for all members. */
#include "models/clocks/clock_set.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/select.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 100
/* Medians of a round are looked for first within twice the last change, and within this. */
#define LEAST_REACH_NS 16

/* The members of each rank, of which so far the counts are known. */
static void list_by_rank(struct hc_clock_set *set)
{
    for (size_t r = 0; r < set->n_ranks; r++)
        set->rank_first[r + 1] += set->rank_first[r];
    for (size_t m = 0; m < set->n_members; m++) {
        size_t at = set->rank_first[set->rank[m]]++;
        set->members[at] = (uint32_t)m;
        set->end_of_member_ns[at] = set->end_ns[m];
        set->event_of_member[at] = set->of[m];
    }
    for (size_t r = set->n_ranks; r-- > 0;)
        set->rank_first[r + 1] = set->rank_first[r];
    set->rank_first[0] = 0;
}

/* ---- the start: ranks are attached to those with which they share most ---- */

static size_t n_members_of(const struct hc_clock_set *set, size_t c)
{
    return set->first[c + 1] - set->first[c];
}

static const uint32_t *ranks_of(const struct hc_clock_set *set, size_t c)
{
    return set->rank + set->first[c];
}

static bool have_same_ranks(const struct hc_clock_set *set, size_t c, size_t d)
{
    return n_members_of(set, c) == n_members_of(set, d) &&
           !memcmp(ranks_of(set, c), ranks_of(set, d), n_members_of(set, c) * sizeof *set->rank);
}

static uint64_t hash_ranks(const struct hc_clock_set *set, size_t c)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t m = 0; m < n_members_of(set, c); m++) {
        hash = (hash ^ ranks_of(set, c)[m]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void add_pairs(const struct hc_clock_set *set, size_t c, uint32_t n, uint32_t *shared)
{
    const uint32_t *ranks = ranks_of(set, c);
    for (size_t a = 0; a < n_members_of(set, c); a++)
        for (size_t b = 0; b < n_members_of(set, c); b++)
            shared[ranks[a] * set->n_ranks + ranks[b]] += n;
}

/* How many events each two ranks share. Most have the members of another one, so those are
 * counted first, and their pairs once. */
static enum hc_status count_shared(const struct hc_clock_set *set, uint32_t *shared,
                                   struct hc_error *err)
{
    struct hc_int_map first_of = {0}; /* from members to the first event of them */
    uint32_t *count = hc_new_array(set->n, sizeof *count, err);
    enum hc_status status = count ? HC_OK : err->status;
    for (size_t c = 0; status == HC_OK && c < set->n; c++) {
        size_t entry;
        status = hc_int_map_insert(&first_of, hash_ranks(set, c), (int32_t)c, &entry, err);
        if (status != HC_OK)
            break;
        size_t first = (size_t)first_of.values[entry];
        count[have_same_ranks(set, first, c) ? first : c]++;
    }
    for (size_t c = 0; status == HC_OK && c < set->n; c++)
        if (count[c] > 0)
            add_pairs(set, c, count[c], shared);
    hc_int_map_fini(&first_of);
    free(count);
    return status;
}

/* The lower median of how much later an event ends on the clock of rank a than on that of b. */
static int64_t end_difference(const struct hc_clock_set *set, uint32_t a, uint32_t b,
                              int64_t *differences)
{
    size_t n = 0, i = set->rank_first[a], j = set->rank_first[b];
    while (i < set->rank_first[a + 1] && j < set->rank_first[b + 1]) {
        uint32_t one = set->members[i], other = set->members[j];
        if (set->of[one] == set->of[other])
            differences[n++] = set->end_ns[one] - set->end_ns[other];
        i += set->of[one] <= set->of[other];
        j += set->of[other] <= set->of[one];
    }
    return hc_lower_median_i64(differences, n);
}

struct placing {
    uint32_t *shared;    /* n_ranks x n_ranks */
    uint32_t *to, *n_to; /* of each rank not placed: the placed one it shares most with, how many */
    bool *is_placed;
    int64_t *differences;
};

static void place(struct hc_clock_set *set, struct placing *p, uint32_t rank)
{
    p->is_placed[rank] = true;
    for (uint32_t r = 0; r < set->n_ranks; r++) {
        uint32_t n = p->shared[rank * set->n_ranks + r];
        if (n > p->n_to[r] || (n == p->n_to[r] && n > 0 && rank < p->to[r])) {
            p->to[r] = rank;
            p->n_to[r] = n;
        }
    }
}

/* The rank that is next: of most shared events, else one that begins a component. */
static uint32_t next_rank(const struct hc_clock_set *set, const struct placing *p)
{
    uint32_t next = 0, most = 0;
    bool has_next = false;
    for (uint32_t r = 0; r < set->n_ranks; r++)
        if (!p->is_placed[r] && (!has_next || p->n_to[r] > most)) {
            next = r;
            most = p->n_to[r];
            has_next = true;
        }
    return next;
}

static void place_all(struct hc_clock_set *set, struct placing *p)
{
    int32_t n_components = 0;
    for (size_t i = 0; i < set->n_ranks; i++) {
        uint32_t rank = next_rank(set, p);
        if (p->n_to[rank] == 0) {
            set->component[rank] = n_components++;
            set->reference[rank] = rank;
            set->offset_ns[rank] = 0;
        } else {
            uint32_t to = p->to[rank];
            set->component[rank] = set->component[to];
            set->reference[rank] = set->reference[to];
            set->offset_ns[rank] =
                set->offset_ns[to] + end_difference(set, rank, to, p->differences);
        }
        place(set, p, rank);
    }
}

static enum hc_status find_start(struct hc_clock_set *set, struct hc_error *err)
{
    size_t n = set->n_ranks;
    struct placing p = {.shared = hc_new_array(n * n, sizeof *p.shared, err)};
    p.to = p.shared ? hc_new_array(n, sizeof *p.to, err) : NULL;
    p.n_to = p.to ? hc_new_array(n, sizeof *p.n_to, err) : NULL;
    p.is_placed = p.n_to ? hc_new_array(n, sizeof *p.is_placed, err) : NULL;
    p.differences = p.is_placed ? hc_new_array(set->n, sizeof *p.differences, err) : NULL;
    enum hc_status status = p.differences ? count_shared(set, p.shared, err) : err->status;
    if (status == HC_OK)
        place_all(set, &p);
    free(p.shared);
    free(p.to);
    free(p.n_to);
    free(p.is_placed);
    free(p.differences);
    return status;
}

/* ---- medians by turns ---- */

/* Where a median of the last round was, and how far those of this one may be from it. */
struct guess {
    int64_t near_ns, reach_ns;
};

/* The lower median of n values. From round to round medians move by little: values outside the
 * reach of the guess are only counted, without a branch. Reorders values. */
static int64_t median_near(int64_t *values, size_t n, struct guess guess)
{
    int64_t low = guess.near_ns - guess.reach_ns, high = guess.near_ns + guess.reach_ns;
    size_t n_below = 0, n_inside = 0, k = (n - 1) / 2;
    size_t n_above = 0;
    for (size_t i = 0; i < n; i++) {
        n_below += values[i] < low;
        n_above += values[i] > high;
    }
    if (k < n_below || k >= n - n_above)
        return hc_lower_median_i64(values, n);
    for (size_t i = 0; i < n; i++) {
        int64_t value = values[i];
        values[n_inside] = value;
        n_inside += (value >= low) & (value <= high);
    }
    return hc_select_i64(values, n_inside, k - n_below);
}

/* The end of each event on the clock of the reference: the lower median over its members. The
 * buffer has room for the members. */
static void find_true_ends(struct hc_clock_set *set, int64_t reach_ns, int64_t *buffer)
{
#pragma omp parallel for schedule(static, 256)
    for (size_t c = 0; c < set->n; c++) {
        for (size_t m = set->first[c]; m < set->first[c + 1]; m++)
            buffer[m] = set->end_ns[m] - set->offset_ns[set->rank[m]];
        set->true_end_ns[c] = median_near(buffer + set->first[c], set->first[c + 1] - set->first[c],
                                          (struct guess){set->true_end_ns[c], reach_ns});
    }
}

/* Returns the most that an offset changed by. */
static int64_t find_offsets(struct hc_clock_set *set, int64_t reach_ns, int64_t *buffer,
                            int64_t *offset)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t r = 0; r < set->n_ranks; r++) {
        size_t first = set->rank_first[r], n = set->rank_first[r + 1] - first;
        for (size_t i = first; i < first + n; i++)
            buffer[i] = set->end_of_member_ns[i] - set->true_end_ns[set->event_of_member[i]];
        struct guess guess = {set->offset_ns[r], reach_ns};
        offset[r] = n > 0 ? median_near(buffer + first, n, guess) : 0;
    }
    int64_t most = 0;
    for (size_t r = set->n_ranks; r-- > 0;) /* the reference is the lowest: itself last */
        offset[r] -= offset[set->reference[r]];
    for (size_t r = 0; r < set->n_ranks; r++) {
        int64_t change = llabs(offset[r] - set->offset_ns[r]);
        most = change > most ? change : most;
        set->offset_ns[r] = offset[r];
    }
    return most;
}

static void find_residuals(struct hc_clock_set *set)
{
    set->max_residual_ns = 0;
    for (size_t m = 0; m < set->n_members; m++) {
        int64_t residual =
            llabs(set->end_ns[m] - set->offset_ns[set->rank[m]] - set->true_end_ns[set->of[m]]);
        set->max_residual_ns = residual > set->max_residual_ns ? residual : set->max_residual_ns;
    }
}

enum hc_status hc_clock_set_align(struct hc_clock_set *set, struct hc_error *err)
{
    list_by_rank(set);
    int64_t *buffer = hc_new_array(set->n_members, sizeof *buffer, err);
    int64_t *offset = buffer ? hc_new_array(set->n_ranks, sizeof *offset, err) : NULL;
    enum hc_status status = offset ? find_start(set, err) : err->status;
    int64_t change_ns = 1, reach_ns = 0;
    for (int round = 0; status == HC_OK && change_ns > 0 && round < MOST_ROUNDS; round++) {
        find_true_ends(set, reach_ns, buffer);
        change_ns = find_offsets(set, reach_ns, buffer, offset);
        reach_ns = 2 * change_ns + LEAST_REACH_NS;
    }
    if (status == HC_OK) {
        find_true_ends(set, reach_ns, buffer);
        find_residuals(set);
    }
    free(buffer);
    free(offset);
    return status;
}
