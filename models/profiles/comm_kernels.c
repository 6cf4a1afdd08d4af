#include "models/profiles/comm_kernels.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "models/profiles/comm_facts.h"
#include "models/profiles/comm_members.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

/* What is needed while the kernels of one rank are listed. */
struct lister {
    const struct hc_profile *profile;
    const struct hc_profile_rank *rank;
    size_t rank_index;
    struct hc_rank_comms *comms;
    size_t capacity; /* of groups */
    size_t n_streams;
    int32_t *streams;            /* of communication, ascending */
    struct hc_int_map groups_of; /* from a name, or from a stream, to the group */
    int32_t dtype;               /* of the kernel before: most have the same */
    int64_t element_size;
};

static int compare_streams(const void *a, const void *b)
{
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

static bool communicates(const struct hc_profile_rank *rank, size_t row)
{
    return hc_table_i32(&rank->table[HC_PROFILE_GPU], HC_GPU_ACTIVITY)[row] == HC_GPU_COMMUNICATES;
}

static size_t count_kernels(const struct hc_profile_rank *rank)
{
    size_t n = 0;
    for (size_t i = 0; i < rank->table[HC_PROFILE_GPU].n_rows; i++)
        n += communicates(rank, i);
    return n;
}

/* The streams of the kernels, ascending, each once. */
static enum hc_status list_streams(struct lister *l, struct hc_error *err)
{
    const int32_t *stream = hc_table_i32(&l->rank->table[HC_PROFILE_GPU], HC_GPU_STREAM);
    struct hc_int_map seen = {0};
    enum hc_status status = HC_OK;
    size_t entry;
    for (size_t k = 0; status == HC_OK && k < l->comms->n; k++)
        status =
            hc_int_map_insert(&seen, (uint32_t)stream[l->comms->kernels[k].row], 0, &entry, err);
    if (status == HC_OK) {
        l->streams = hc_new_array(seen.n, sizeof *l->streams, err);
        status = l->streams ? HC_OK : err->status;
    }
    for (size_t i = 0; status == HC_OK && i < seen.n; i++)
        l->streams[l->n_streams++] = (int32_t)(uint32_t)seen.keys[i];
    if (status == HC_OK)
        qsort(l->streams, l->n_streams, sizeof *l->streams, compare_streams);
    hc_int_map_fini(&seen);
    return status;
}

static int32_t ordinal_of(const struct lister *l, int32_t stream)
{
    const int32_t *found =
        bsearch(&stream, l->streams, l->n_streams, sizeof *l->streams, compare_streams);
    return found ? (int32_t)(found - l->streams) : -1;
}

/* The local group of that name, or of that stream where the name is missing; made when it is new.
 */
static enum hc_status find_group(struct lister *l, int32_t name, int32_t stream, int32_t *group,
                                 struct hc_error *err)
{
    struct hc_rank_comms *comms = l->comms;
    bool has_name = name != HC_MISSING_I32;
    uint64_t key = (uint64_t)has_name << 32 | (uint32_t)(has_name ? name : stream);
    size_t entry;
    if (hc_int_map_insert(&l->groups_of, key, (int32_t)comms->n_groups, &entry, err))
        return err->status;
    *group = l->groups_of.values[entry];
    if ((size_t)*group < comms->n_groups)
        return HC_OK;
    if (hc_reserve(&comms->groups, &l->capacity, comms->n_groups + 1, sizeof *comms->groups, err))
        return err->status;
    struct hc_local_group *made = &comms->groups[comms->n_groups++];
    *made = (struct hc_local_group){.name = name,
                                    .stream = stream,
                                    .ordinal = has_name ? -1 : ordinal_of(l, stream),
                                    .description = HC_MISSING_I32,
                                    .size = HC_MISSING_I32,
                                    .joint = -1};
    return hc_comm_members_list(made, l->profile, l->rank_index, err);
}

/* Place of the rank in its group, by which those who send to each other are named; -1 unknown. */
static int64_t place_in_group(const struct hc_local_group *group, int32_t rank)
{
    for (size_t m = 0; m < group->n_members; m++)
        if (group->members[m] == rank)
            return (int64_t)m;
    return -1;
}

/* Sender and receiver: each of the two says who the other is, so what is missing is the rank
 * itself. */
static int64_t pair_of(const struct lister *l, const struct hc_local_group *group,
                       const struct hc_comm_facts *facts)
{
    if (!facts->is_p2p)
        return HC_NO_PAIR;
    int64_t source = facts->source, destination = facts->destination;
    if (source < 0 && !strcmp(facts->op, "send"))
        source = place_in_group(group, l->rank->rank);
    if (destination < 0 && !strcmp(facts->op, "recv"))
        destination = place_in_group(group, l->rank->rank);
    return source < 0 || destination < 0 ? HC_NO_PAIR : source << 32 | destination;
}

static int64_t bytes_of(struct lister *l, const struct hc_comm_facts *facts)
{
    int64_t elements = hc_comm_elements(facts), bytes;
    if (facts->dtype != l->dtype) {
        l->dtype = facts->dtype;
        l->element_size = hc_comm_element_size(hc_profile_text(l->profile, "dtype", facts->dtype));
    }
    if (elements < 0 || l->element_size == 0 ||
        __builtin_mul_overflow(elements, l->element_size, &bytes))
        return HC_MISSING_I64;
    return bytes;
}

static enum hc_status read_kernels(struct lister *l, struct hc_comm_reader *reader,
                                   struct hc_error *err)
{
    const int32_t *stream = hc_table_i32(&l->rank->table[HC_PROFILE_GPU], HC_GPU_STREAM);
    for (size_t k = 0; k < l->comms->n; k++) {
        struct hc_comm_kernel *kernel = &l->comms->kernels[k];
        struct hc_comm_facts facts;
        int32_t group;
        hc_comm_reader_read(reader, kernel->row, &facts);
        if (find_group(l, facts.group, stream[kernel->row], &group, err) ||
            hc_comm_members_stride(&l->comms->groups[group], l->profile, l->rank_index, &facts,
                                   err))
            return err->status;
        l->comms->groups[group].n_kernels++;
        kernel->op = facts.op;
        kernel->group = group;
        kernel->seq = facts.seq;
        kernel->is_p2p = facts.is_p2p;
        kernel->elements = hc_comm_elements(&facts);
        kernel->bytes = bytes_of(l, &facts);
        l->comms->places[k] = (struct hc_comm_place){
            group, pair_of(l, &l->comms->groups[group], &facts), -1, HC_MISSING_I64};
    }
    return HC_OK;
}

/* Groups of the rank that none of its kernels is of still count, where names differ between ranks.
 */
static enum hc_status add_listed_groups(struct lister *l, struct hc_error *err)
{
    const struct hc_table *groups = &l->rank->table[HC_PROFILE_GROUPS];
    int32_t group;
    for (size_t i = 0; i < groups->n_rows; i++) {
        int32_t name = hc_table_i32(groups, HC_GROUPS_GROUP)[i];
        bool is_next = i > 0 && name == hc_table_i32(groups, HC_GROUPS_GROUP)[i - 1];
        if (name != HC_MISSING_I32 && !is_next && find_group(l, name, 0, &group, err))
            return err->status;
    }
    return HC_OK;
}

/* The linked kernels of steps without a Seq, in the order of their launches. */
static size_t list_by_launch(const struct lister *l, struct hc_sort_key *keys)
{
    size_t n = 0;
    for (size_t k = 0; k < l->comms->n; k++) {
        const struct hc_comm_kernel *kernel = &l->comms->kernels[k];
        uint32_t launch = l->rank->launch[kernel->row];
        if (launch != HC_NO_ROW && l->rank->step[kernel->row] != HC_NO_STEP &&
            kernel->seq == HC_MISSING_I64)
            keys[n++] = (struct hc_sort_key){launch, (uint32_t)k};
    }
    return n;
}

/* Counts go by group and pair, and begin anew with each step. Launches are in the order of time, so
 * the steps are, too. */
static enum hc_status count_order(struct lister *l, const struct hc_sort_key *keys, size_t n,
                                  struct hc_error *err)
{
    struct hc_int_map counts = {0};
    int32_t step = HC_NO_STEP;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < n; i++) {
        struct hc_comm_place *place = &l->comms->places[keys[i].row];
        int32_t own_step = l->rank->step[l->comms->kernels[keys[i].row].row];
        if (own_step != step) {
            for (size_t c = 0; c < counts.n; c++)
                counts.values[c] = 0;
            step = own_step;
        }
        /* Ranks of a pair are small; a pair that is none of these shares a count at worst. */
        uint64_t pair = place->pair == HC_NO_PAIR
                            ? 0
                            : 1 + ((uint64_t)place->pair >> 32) * 0x100000 + (uint32_t)place->pair;
        size_t entry;
        status = hc_int_map_insert(&counts, (uint64_t)(uint32_t)place->group << 44 ^ pair, 0,
                                   &entry, err);
        if (status == HC_OK) {
            place->order = counts.values[entry]++;
            place->step = l->rank->steps[step].number;
        }
    }
    hc_int_map_fini(&counts);
    return status;
}

static enum hc_status find_order(struct lister *l, struct hc_error *err)
{
    struct hc_sort_key *keys = hc_new_aligned(l->comms->n, sizeof *keys, err);
    if (!keys)
        return err->status;
    size_t n = list_by_launch(l, keys);
    enum hc_status status = hc_sort_keys(keys, n, err);
    if (status == HC_OK)
        status = count_order(l, keys, n, err);
    free(keys);
    return status;
}

static enum hc_status list_kernels(struct lister *l, struct hc_error *err)
{
    struct hc_rank_comms *comms = l->comms;
    comms->n = count_kernels(l->rank);
    comms->kernels = hc_new_array(comms->n, sizeof *comms->kernels, err);
    comms->places = comms->kernels ? hc_new_array(comms->n, sizeof *comms->places, err) : NULL;
    if (!comms->places)
        return err->status;
    size_t k = 0;
    for (size_t i = 0; k < comms->n; i++)
        if (communicates(l->rank, i))
            comms->kernels[k++] = (struct hc_comm_kernel){
                .rank_index = (uint32_t)l->rank_index, .row = (uint32_t)i, .collective = -1};
    struct hc_comm_reader reader;
    enum hc_status status = hc_comm_reader_open(&reader, l->profile, l->rank, err);
    if (status == HC_OK)
        status = list_streams(l, err);
    if (status == HC_OK)
        status = read_kernels(l, &reader, err);
    hc_comm_reader_close(&reader);
    return status;
}

enum hc_status hc_rank_comms_list(struct hc_rank_comms *comms, const struct hc_profile *profile,
                                  size_t rank_index, struct hc_error *err)
{
    struct lister l = {.profile = profile,
                       .rank = &profile->ranks[rank_index],
                       .rank_index = rank_index,
                       .comms = comms,
                       .dtype = HC_MISSING_I32};
    memset(comms, 0, sizeof *comms);
    enum hc_status status = list_kernels(&l, err);
    if (status == HC_OK)
        status = add_listed_groups(&l, err);
    if (status == HC_OK)
        status = find_order(&l, err);
    hc_int_map_fini(&l.groups_of);
    free(l.streams);
    return status;
}

void hc_rank_comms_fini(struct hc_rank_comms *comms)
{
    for (size_t g = 0; g < comms->n_groups; g++)
        free(comms->groups[g].members);
    free(comms->groups);
    free(comms->kernels);
    free(comms->places);
    memset(comms, 0, sizeof *comms);
}
