#include "models/collectives/collective_pairs.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>

static int compare_sides(const void *a, const void *b)
{
    const struct hc_collective_side *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->destination != y->destination)
        return x->destination < y->destination ? -1 : 1;
    if (x->is_send != y->is_send)
        return x->is_send ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Whether the one is a send and the other its receive. */
static bool are_ends(const struct hc_collective_side *x, const struct hc_collective_side *y)
{
    return x->group == y->group && x->seq == y->seq && x->source == y->source &&
           x->destination == y->destination && x->is_send && !y->is_send && x->source >= 0 &&
           x->destination >= 0;
}

static enum hc_status add_pair(struct hc_collective_diagnosis *out, struct hc_collective_pair pair,
                               struct hc_error *err)
{
    if (hc_reserve(&out->open_pairs, &out->open_pairs_capacity, out->n_open_pairs + 1,
                   sizeof *out->open_pairs, err))
        return err->status;
    out->open_pairs[out->n_open_pairs++] = pair;
    return HC_OK;
}

enum hc_status hc_collective_pair(struct hc_collective_diagnosis *out,
                                  struct hc_collective_set *set, struct hc_error *err)
{
    struct hc_collective_side *sides = set->sides;
    size_t n = set->n_sides;
    if (n)
        qsort(sides, n, sizeof *sides, compare_sides);
    out->n_p2p_entries = (int64_t)n;
    for (size_t i = 0; i < n; i++) {
        bool has_other = i + 1 < n && are_ends(&sides[i], &sides[i + 1]);
        struct hc_collective_pair pair = {sides[i], false, HC_MISSING_I64};
        out->n_pairs += has_other;
        if (has_other) {
            pair.other_elements = sides[++i].elements;
            pair.is_mismatch = pair.side.elements != pair.other_elements &&
                               pair.side.elements != HC_MISSING_I64 &&
                               pair.other_elements != HC_MISSING_I64;
        }
        if (has_other ? pair.is_mismatch : !pair.side.is_completed)
            if (add_pair(out, pair, err))
                return err->status;
    }
    return HC_OK;
}
