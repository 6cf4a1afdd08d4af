/* clock_bounds.c - bounds of the offsets that need no model of how events end. No member of an
 * event ends before the last has started, so for members a and b
 *
 *     offset of a - offset of b <= end of a - start of b
 *
 * each on its own clock. The tightest bounds that follow are shortest paths from and to the
 * reference (Bellman and Ford); a negative cycle is a contradiction: ranks that were joined
 * wrongly, or clocks that drift.
 */
#include "models/clocks/clock_set.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define UNREACHED INT64_MAX
#define NO_RANK   ((uint32_t)-1)

struct paths {
    const struct hc_clock_set *set;
    bool is_forward;     /* from the reference: upper bounds; else to it: lower bounds */
    int64_t *length;     /* of each rank */
    uint32_t *before;    /* of each rank: the one before on its path */
    uint32_t *by;        /* of each rank: the event that both are in */
    uint32_t *seen_from; /* of each rank: where the walk that saw it began, plus one */
};

/* A path through a event leaves it by what is best for all of its members alike, so edges of
 * each pair need not be looked at. */
static int64_t leaving(const struct paths *p, size_t m)
{
    return p->is_forward ? -p->set->start_ns[m] : p->set->end_ns[m];
}

static int64_t entering(const struct paths *p, size_t m)
{
    return p->is_forward ? p->set->end_ns[m] : -p->set->start_ns[m];
}

static bool shorten_by(struct paths *p, size_t c)
{
    const struct hc_clock_set *set = p->set;
    int64_t best = UNREACHED;
    uint32_t from = NO_RANK;
    bool has_changed = false;
    for (size_t m = set->first[c]; m < set->first[c + 1]; m++) {
        int64_t length = p->length[set->rank[m]];
        if (length != UNREACHED && length + leaving(p, m) < best) {
            best = length + leaving(p, m);
            from = set->rank[m];
        }
    }
    for (size_t m = set->first[c]; from != NO_RANK && m < set->first[c + 1]; m++) {
        uint32_t rank = set->rank[m];
        int64_t length = best + entering(p, m);
        if (rank == from || length >= p->length[rank])
            continue;
        p->length[rank] = length;
        p->before[rank] = from;
        p->by[rank] = (uint32_t)c;
        has_changed = true;
    }
    return has_changed;
}

/* A rank on a cycle of the paths, or NO_RANK. */
static uint32_t find_cycle(struct paths *p)
{
    memset(p->seen_from, 0, p->set->n_ranks * sizeof *p->seen_from);
    for (uint32_t r = 0; r < p->set->n_ranks; r++) {
        uint32_t at = r;
        while (at != NO_RANK && !p->seen_from[at]) {
            p->seen_from[at] = r + 1;
            at = p->before[at];
        }
        if (at != NO_RANK && p->seen_from[at] == r + 1)
            return at;
    }
    return NO_RANK;
}

static enum hc_status take_cycle(const struct paths *p, uint32_t at, struct hc_clock_cycle *cycle,
                                 struct hc_error *err)
{
    uint32_t rank = at;
    size_t n = 0;
    do {
        n++;
        rank = p->before[rank];
    } while (rank != at);
    cycle->ranks = hc_new_array(n, sizeof *cycle->ranks, err);
    cycle->events = cycle->ranks ? hc_new_array(n, sizeof *cycle->events, err) : NULL;
    if (!cycle->events)
        return err->status;
    for (cycle->n = 0; cycle->n < n; cycle->n++) {
        cycle->ranks[cycle->n] = rank;
        cycle->events[cycle->n] = p->by[rank];
        rank = p->before[rank];
    }
    return HC_OK;
}

/* Lengths shrink round by round until none does, or until a path goes in a circle: a negative one,
 * which appears after as many rounds as there are ranks at the latest. */
static enum hc_status find_paths(struct paths *p, struct hc_clock_cycle *cycle,
                                 struct hc_error *err)
{
    for (size_t r = 0; r < p->set->n_ranks; r++) {
        p->length[r] = p->set->reference[r] == r ? 0 : UNREACHED;
        p->before[r] = NO_RANK;
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        /* Checked often: a circle shrinks with every event that it is looked at. */
        for (size_t c = 0; c < p->set->n; c++) {
            has_changed |= shorten_by(p, c);
            if (c % 1024 == 1023 || c + 1 == p->set->n) {
                uint32_t at = has_changed ? find_cycle(p) : NO_RANK;
                if (at != NO_RANK)
                    return take_cycle(p, at, cycle, err);
            }
        }
    }
    return HC_OK;
}

static enum hc_status find_bound(struct paths *p, bool is_forward, int64_t *bound_ns,
                                 struct hc_clock_cycle *cycle, struct hc_error *err)
{
    p->is_forward = is_forward;
    enum hc_status status = find_paths(p, cycle, err);
    for (size_t r = 0; status == HC_OK && r < p->set->n_ranks; r++)
        bound_ns[r] = p->length[r] == UNREACHED ? HC_MISSING_I64
                      : is_forward              ? p->length[r]
                                                : -p->length[r];
    return status;
}

enum hc_status hc_clock_set_bounds(const struct hc_clock_set *set, int64_t *low_ns,
                                   int64_t *high_ns, struct hc_clock_cycle *cycle,
                                   struct hc_error *err)
{
    size_t n = set->n_ranks;
    struct paths p = {.set = set, .length = hc_new_array(n, sizeof *p.length, err)};
    p.before = p.length ? hc_new_array(n, sizeof *p.before, err) : NULL;
    p.by = p.before ? hc_new_array(n, sizeof *p.by, err) : NULL;
    p.seen_from = p.by ? hc_new_array(n, sizeof *p.seen_from, err) : NULL;
    *cycle = (struct hc_clock_cycle){0};
    enum hc_status status = p.seen_from ? HC_OK : err->status;
    if (status == HC_OK)
        status = find_bound(&p, true, high_ns, cycle, err);
    if (status == HC_OK && cycle->n == 0)
        status = find_bound(&p, false, low_ns, cycle, err);
    free(p.length);
    free(p.before);
    free(p.by);
    free(p.seen_from);
    return status;
}
