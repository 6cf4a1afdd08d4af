#include "models/profiles/comm_join.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/text/collective_op.h"

#include <stdlib.h>
#include <string.h>

/* What the members of a collective have in common. */
struct key {
    int64_t pair;
    int64_t number; /* Seq, or the number of the step */
    int64_t order;  /* in the step; -1 with a Seq */
    int32_t group;
    uint16_t occurrence; /* a Seq that comes again on one rank */
    bool is_p2p;
};

/* The kernels with one key, while they are counted. */
struct entry {
    struct key key;
    uint32_t last_rank, n;
};

struct joiner {
    struct hc_collectives *out;
    size_t n, capacity;
    struct entry *entries;    /* in the order of their first kernels */
    size_t n_slots;           /* power of two, at most half of them used */
    uint32_t *slots;          /* 1 + index of an entry, 0 when free */
    struct hc_int_map uneven; /* steps of groups (pairs) with places that not all ranks reached */
};

static bool are_equal_keys(const struct key *a, const struct key *b)
{
    return a->number == b->number && a->order == b->order && a->group == b->group &&
           a->pair == b->pair && a->is_p2p == b->is_p2p && a->occurrence == b->occurrence;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct key *key)
{
    uint64_t hash = mix((uint64_t)key->number, (uint64_t)key->order);
    hash = mix(hash, (uint64_t)(uint32_t)key->group << 17 ^ (uint64_t)key->is_p2p << 16 ^
                         key->occurrence);
    return mix(hash, (uint64_t)key->pair);
}

/* Of all places of the group, or pair, in the step. */
static uint64_t hash_of_step(const struct key *key)
{
    return mix(mix((uint64_t)key->number, (uint64_t)(uint32_t)key->group), (uint64_t)key->pair);
}

/* The slot of a key, or the free one where it belongs. */
static size_t slot_of(const struct joiner *j, const struct key *key)
{
    size_t slot = hash_of(key) & (j->n_slots - 1);
    while (j->slots[slot] && !are_equal_keys(&j->entries[j->slots[slot] - 1].key, key))
        slot = (slot + 1) & (j->n_slots - 1);
    return slot;
}

static enum hc_status grow_slots(struct joiner *j, struct hc_error *err)
{
    size_t n_slots = j->n_slots ? 2 * j->n_slots : 1024;
    uint32_t *slots = hc_new_array(n_slots, sizeof *slots, err);
    if (!slots)
        return err->status;
    free(j->slots);
    j->slots = slots;
    j->n_slots = n_slots;
    for (size_t e = 0; e < j->n; e++)
        j->slots[slot_of(j, &j->entries[e].key)] = (uint32_t)e + 1;
    return HC_OK;
}

/* The entry of a key for one more kernel of a rank: a rank is in it once only. */
static enum hc_status find_entry(struct joiner *j, struct key *key, uint32_t rank_index,
                                 int32_t *found, struct hc_error *err)
{
    if (2 * (j->n + 1) > j->n_slots && grow_slots(j, err))
        return err->status;
    size_t slot = slot_of(j, key);
    while (j->slots[slot] && j->entries[j->slots[slot] - 1].last_rank == rank_index) {
        if (++key->occurrence == UINT16_MAX) {
            *found = -1;
            return HC_OK;
        }
        slot = slot_of(j, key);
    }
    if (!j->slots[slot]) {
        if (hc_reserve(&j->entries, &j->capacity, j->n + 1, sizeof *j->entries, err))
            return err->status;
        j->entries[j->n] = (struct entry){.key = *key};
        j->slots[slot] = (uint32_t)++j->n;
    }
    struct entry *entry = &j->entries[j->slots[slot] - 1];
    entry->last_rank = rank_index;
    entry->n++;
    *found = (int32_t)(j->slots[slot] - 1);
    return HC_OK;
}

/* The key of a kernel; false where nothing joins it. Between two ranks of a larger group, places in
 * an order tell nothing unless sender and receiver are known. */
static bool key_of(const struct joiner *j, const struct hc_comm_kernel *kernel,
                   const struct hc_comm_place *place, struct key *key)
{
    const struct hc_comm_group *group = &j->out->groups[kernel->group];
    bool has_seq = kernel->seq != HC_MISSING_I64;
    if (!has_seq && place->order < 0)
        return false;
    if (!has_seq && kernel->is_p2p && place->pair == HC_NO_PAIR && group->size > 2)
        return false;
    *key = (struct key){
        .pair = has_seq && group->size <= 2 ? HC_NO_PAIR : place->pair,
        .number = has_seq ? kernel->seq : place->step,
        .order = has_seq ? -1 : place->order,
        .group = kernel->group,
        .is_p2p = kernel->is_p2p,
    };
    return true;
}

static enum hc_status join_rank(struct joiner *j, struct hc_rank_comms *comms,
                                struct hc_comm_kernel *kernels, struct hc_error *err)
{
    for (size_t k = 0; k < comms->n; k++) {
        struct hc_comm_kernel *kernel = &kernels[k];
        struct key key;
        *kernel = comms->kernels[k];
        kernel->group = comms->groups[kernel->group].joint;
        if (key_of(j, kernel, &comms->places[k], &key) &&
            find_entry(j, &key, kernel->rank_index, &kernel->collective, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- from keys to collectives ---- */

/* A send goes with a receive. What one side does not say is no contradiction. */
static bool do_ops_agree(const char *a, const char *b)
{
    if (hc_collective_op_is_p2p(a) && hc_collective_op_is_p2p(b))
        return strcmp(a, b) != 0;
    return !*a || !*b || !strcmp(a, b);
}

/* Each member against the first that says the op, and the first that says the elements. */
static bool do_members_agree(const struct hc_collective *collective,
                             const struct hc_collectives *out)
{
    const char *op = "";
    int64_t elements = HC_MISSING_I64;
    for (size_t m = 0; m < collective->n; m++) {
        const struct hc_comm_kernel *kernel =
            &out->kernels[out->member_kernels[collective->first + m]];
        if (*op && !do_ops_agree(op, kernel->op))
            return false;
        if (!*op)
            op = kernel->op;
        if (!strcmp(op, "all_to_all") || kernel->elements == HC_MISSING_I64)
            continue;
        if (elements != HC_MISSING_I64 && elements != kernel->elements)
            return false;
        elements = kernel->elements;
    }
    return !out->kernels[out->member_kernels[collective->first]].is_p2p || collective->n == 2;
}

/* The op is that of the lowest member that knows it, bytes are the most that a member moves. */
static void compare_members(struct hc_collective *collective, const struct hc_collectives *out)
{
    collective->op = "";
    collective->bytes = HC_MISSING_I64;
    collective->is_mismatched = !do_members_agree(collective, out);
    for (size_t m = 0; m < collective->n; m++) {
        const struct hc_comm_kernel *kernel =
            &out->kernels[out->member_kernels[collective->first + m]];
        if (!*collective->op)
            collective->op = kernel->op;
        if (kernel->bytes > collective->bytes && !collective->is_mismatched)
            collective->bytes = kernel->bytes;
    }
    collective->is_joint = hc_collective_op_is_joint(collective->op) && !collective->is_mismatched;
}

static bool is_uneven(const struct joiner *j, const struct key *key)
{
    return key->order >= 0 && hc_int_map_find(&j->uneven, hash_of_step(key)) >= 0;
}

/* Collectives are the entries with two members and more. */
static enum hc_status make_collectives(struct joiner *j, struct hc_error *err)
{
    struct hc_collectives *out = j->out;
    int32_t *number = hc_new_array(j->n, sizeof *number, err);
    size_t n_members = 0;
    if (!number)
        return err->status;
    for (size_t e = 0; e < j->n; e++)
        number[e] = j->entries[e].n > 1 ? (int32_t)out->n++ : -1;
    out->collectives = hc_new_array(out->n, sizeof *out->collectives, err);
    for (size_t e = 0; out->collectives && e < j->n; e++)
        if (number[e] >= 0) {
            out->collectives[number[e]] =
                (struct hc_collective){.first = n_members,
                                       .group = j->entries[e].key.group,
                                       .is_by_order = j->entries[e].key.order >= 0,
                                       .is_uneven = is_uneven(j, &j->entries[e].key)};
            n_members += j->entries[e].n;
        }
    out->member_kernels = hc_new_array(n_members, sizeof *out->member_kernels, err);
    enum hc_status status = out->collectives && out->member_kernels ? HC_OK : err->status;
    for (size_t k = 0; status == HC_OK && k < out->n_kernels; k++) {
        struct hc_comm_kernel *kernel = &out->kernels[k];
        kernel->collective = kernel->collective < 0 ? -1 : number[kernel->collective];
        if (kernel->collective < 0)
            continue;
        struct hc_collective *collective = &out->collectives[kernel->collective];
        out->member_kernels[collective->first + collective->n++] = (uint32_t)k;
    }
    free(number);
    for (size_t c = 0; status == HC_OK && c < out->n; c++)
        compare_members(&out->collectives[c], out);
    return status;
}

/* Places in the order that fewer ranks reached than others: somewhere before, a kernel is missing.
 */
static enum hc_status count_uneven(struct joiner *j, struct hc_error *err)
{
    uint32_t *most = hc_new_array(j->out->n_groups, sizeof *most, err); /* ranks of each group */
    if (!most)
        return err->status;
    for (size_t e = 0; e < j->n; e++) {
        const struct entry *entry = &j->entries[e];
        if (entry->key.order >= 0 && entry->n > most[entry->key.group])
            most[entry->key.group] = entry->n;
    }
    enum hc_status status = HC_OK;
    for (size_t e = 0; status == HC_OK && e < j->n; e++) {
        const struct entry *entry = &j->entries[e];
        uint32_t expected = entry->key.pair == HC_NO_PAIR ? most[entry->key.group] : 2;
        size_t found;
        if (entry->key.order < 0 || entry->n >= expected)
            continue;
        j->out->groups[entry->key.group].n_uneven++;
        status = hc_int_map_insert(&j->uneven, hash_of_step(&entry->key), 0, &found, err);
    }
    free(most);
    return status;
}

enum hc_status hc_comm_join(struct hc_collectives *collectives, struct hc_rank_comms *ranks,
                            size_t n_ranks, struct hc_error *err)
{
    struct joiner j = {.out = collectives};
    size_t n = 0;
    for (size_t r = 0; r < n_ranks; r++)
        n += ranks[r].n;
    if (n >= INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "%zu communication kernels are too many; choose steps",
                       n);
    collectives->n_kernels = 0;
    collectives->kernels = hc_new_array(n, sizeof *collectives->kernels, err);
    enum hc_status status = collectives->kernels ? HC_OK : err->status;
    for (size_t r = 0; status == HC_OK && r < n_ranks; r++) {
        status = join_rank(&j, &ranks[r], collectives->kernels + collectives->n_kernels, err);
        collectives->n_kernels += ranks[r].n;
    }
    if (status == HC_OK)
        status = count_uneven(&j, err);
    if (status == HC_OK)
        status = make_collectives(&j, err);
    free(j.entries);
    free(j.slots);
    hc_int_map_fini(&j.uneven);
    return status;
}
