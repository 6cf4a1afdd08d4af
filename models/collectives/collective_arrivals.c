#include "models/collectives/collective_arrivals.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/collectives/collective_tables.h"
#include "models/collectives/collective_names.h"

#include <stdlib.h>
#include <string.h>

/* Elements that all members of an op must agree on; the other side may be uneven (lists of tensors)
 * or is of the root only. */
enum agreed { AGREED_BOTH, AGREED_IN, AGREED_OUT, AGREED_NONE };

static enum agreed agreed_of(const char *op)
{
    static const struct {
        const char *part;
        enum agreed agreed;
    } rules[] = {{"all_to_all", AGREED_NONE},   {"alltoall", AGREED_NONE},
                 {"allgather", AGREED_OUT},     {"all_gather", AGREED_OUT},
                 {"reduce_scatter", AGREED_IN}, {"gather", AGREED_IN},
                 {"scatter", AGREED_OUT}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strstr(op, rules[i].part))
            return rules[i].agreed;
    return AGREED_BOTH;
}

static bool unequal(int64_t a, int64_t b)
{
    return a != HC_MISSING_I64 && b != HC_MISSING_I64 && a != b;
}

static bool differs(const struct hc_collective_set *set, const struct hc_collective *with,
                    const struct hc_collective_mismatch *other)
{
    if (with->op != other->op)
        return true;
    if (with->dtype == other->dtype && with->in_elements == other->in_elements &&
        with->out_elements == other->out_elements)
        return false;
    enum agreed agreed = agreed_of(hc_collective_op_name(set, with->op));
    if (agreed == AGREED_NONE)
        return false;
    if (with->dtype != other->dtype && with->dtype >= 0 && other->dtype >= 0)
        return true;
    return (agreed != AGREED_OUT && unequal(with->in_elements, other->in_elements)) ||
           (agreed != AGREED_IN && unequal(with->out_elements, other->out_elements));
}

enum hc_status hc_collective_compare(struct hc_collective_set *set,
                                     struct hc_collective *collective,
                                     const struct hc_collective_mismatch *other,
                                     struct hc_error *err)
{
    if (collective->mismatch >= 0 || !differs(set, collective, other))
        return HC_OK;
    if (hc_reserve(&set->mismatches, &set->mismatches_capacity, set->n_mismatches + 1,
                   sizeof *set->mismatches, err))
        return err->status;
    collective->mismatch = (int32_t)set->n_mismatches;
    set->mismatches[set->n_mismatches++] = *other;
    return HC_OK;
}

/* The collective with that number in a group, made from its first arrival when it is new. */
static enum hc_status find(struct hc_collective_set *set, const struct hc_collective *first,
                           struct hc_collective **found, struct hc_error *err)
{
    size_t entry = 0;
    uint64_t key = (uint64_t)first->group * HC_COLLECTIVE_MOST_SEQ + (uint64_t)first->seq;
    if (set->n_collectives >= INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "there are more than %d collectives", INT32_MAX);
    if (hc_int_map_insert(&set->index, key, (int32_t)set->n_collectives, &entry, err))
        return err->status;
    size_t at = (size_t)set->index.values[entry];
    if (at == set->n_collectives) {
        if (hc_reserve(&set->collectives, &set->collectives_capacity, at + 1,
                       sizeof *set->collectives, err))
            return err->status;
        set->collectives[at] = *first;
        set->n_collectives++;
    }
    *found = &set->collectives[at];
    return HC_OK;
}

static void note_time(struct hc_collective *collective, int64_t created_ns)
{
    if (created_ns != HC_MISSING_I64 &&
        (collective->first_ns == HC_MISSING_I64 || created_ns < collective->first_ns))
        collective->first_ns = created_ns;
}

/* Whether the rank has arrived already: calls that are coalesced share a number. The least of their
 * states counts. */
static bool was_there(struct hc_collective_set *set, const struct hc_collective *collective,
                      int32_t rank, int32_t state)
{
    if (!collective->last)
        return false;
    struct hc_collective_arrival *last = &set->arrivals[collective->last - 1];
    if (last->rank_state / 4 != rank)
        return false;
    if (state < last->rank_state % 4)
        last->rank_state = rank * 4 + state;
    return true;
}

enum hc_status hc_collective_arrive(struct hc_collective_set *set,
                                    const struct hc_loaded_entry *entry, int32_t group,
                                    struct hc_error *err)
{
    int32_t rank = set->loading->dump.rank, state = entry->state;
    struct hc_collective *collective = NULL;
    struct hc_collective first = {.seq = entry->seq,
                                  .first_ns = entry->created_ns,
                                  .in_elements = entry->in_elements,
                                  .out_elements = entry->out_elements,
                                  .group = group,
                                  .op = entry->op,
                                  .dtype = entry->dtype,
                                  .rank = rank,
                                  .mismatch = -1};
    struct hc_collective_mismatch own = {rank, entry->op, entry->dtype, entry->in_elements,
                                         entry->out_elements};
    if (entry->seq < 0 || entry->seq >= HC_COLLECTIVE_MOST_SEQ)
        return HC_OK;
    if (find(set, &first, &collective, err))
        return err->status;
    note_time(collective, entry->created_ns);
    if (state < 0 || state > HC_COLLECTIVE_COMPLETED)
        state = HC_COLLECTIVE_NO_STATE;
    if (was_there(set, collective, rank, state))
        return HC_OK;
    if (hc_collective_compare(set, collective, &own, err))
        return err->status;
    if (set->n_arrivals >= UINT32_MAX - 1)
        return hc_fail(err, HC_BAD_INPUT, "there are more than %u arrivals", UINT32_MAX - 1);
    if (hc_reserve(&set->arrivals, &set->arrivals_capacity, set->n_arrivals + 1,
                   sizeof *set->arrivals, err))
        return err->status;
    set->arrivals[set->n_arrivals++] =
        (struct hc_collective_arrival){rank * 4 + state, collective->last};
    collective->last = (uint32_t)set->n_arrivals;
    collective->n_arrived++;
    return HC_OK;
}
