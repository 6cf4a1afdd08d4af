#include "sim/profiles/profile_peers.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

static uint64_t event_key(const struct hc_rank_scan *scan, size_t row)
{
    const struct hc_table *gpu = &scan->rank->table[HC_PROFILE_GPU];
    return hc_peer_mix(hc_peer_mix((uint64_t)hc_table_i32(gpu, HC_GPU_CLASS)[row] + 1,
                                   (uint64_t)(uint32_t)hc_table_i32(gpu, HC_GPU_NAME)[row]),
                       (uint64_t)(uint32_t)scan->gpu_step[row]);
}

/* How often a rank launches each kind of event; sum: a hash that does not depend on the order. */
static enum hc_status count_events(const struct hc_rank_scan *scan, struct hc_int_map *counts,
                                   size_t *n, uint64_t *sum, struct hc_error *err)
{
    *n = 0;
    *sum = 0;
    for (size_t i = 0; i < scan->rank->table[HC_PROFILE_GPU].n_rows; i++) {
        if (scan->gpu_step[i] == HC_NO_STEP || scan->rank->launch[i] == HC_NO_ROW)
            continue;
        size_t entry;
        uint64_t key = event_key(scan, i);
        if (hc_int_map_insert(counts, key, 0, &entry, err))
            return err->status;
        counts->values[entry]++;
        *sum += hc_peer_mix(key, 7);
        ++*n;
    }
    return HC_OK;
}

/* The least count over the ranks of each event, in the counts of the first. */
static void take_least(struct hc_int_map *least, const struct hc_int_map *counts)
{
    for (size_t i = 0; i < least->n; i++) {
        int64_t at = hc_int_map_find(counts, least->keys[i]);
        int32_t count = at < 0 ? 0 : counts->values[at];
        least->values[i] = count < least->values[i] ? count : least->values[i];
    }
}

static enum hc_status find_classes(struct hc_peers *peers, const struct hc_rank_scan *scans,
                                   uint64_t *sum, struct hc_error *err)
{
    struct hc_int_map least = {0}, counts = {0};
    size_t most = 0, n, common = 0;
    enum hc_status status = HC_OK;
    for (size_t r = 0; status == HC_OK && r < peers->n_ranks; r++) {
        status = count_events(&scans[r], r == 0 ? &least : &counts, &n, &sum[r], err);
        if (r > 0)
            take_least(&least, &counts);
        hc_int_map_fini(&counts);
        most = n > most ? n : most;
    }
    for (size_t i = 0; i < least.n; i++)
        common += (size_t)least.values[i];
    hc_int_map_fini(&least);
    bool is_one = 2 * common >= most;
    for (size_t r = 0; r < peers->n_ranks; r++) {
        size_t class = is_one ? 0 : r;
        for (size_t q = 0; !is_one && q < r && class == r; q++)
            if (sum[q] == sum[r])
                class = peers->class_of[q];
        peers->class_of[r] = (uint16_t) class;
        peers->class_size[class]++;
    }
    return status;
}

enum hc_status hc_peers_init(struct hc_peers *peers, const struct hc_rank_scan *scans,
                             size_t n_ranks, struct hc_error *err)
{
    *peers = (struct hc_peers){.n_ranks = n_ranks};
    uint64_t *sum = hc_new_array(n_ranks, sizeof *sum, err);
    peers->class_of = hc_new_array(n_ranks, sizeof *peers->class_of, err);
    peers->class_size = hc_new_array(n_ranks, sizeof *peers->class_size, err);
    peers->works = hc_new_array(n_ranks, sizeof *peers->works, err);
    peers->n_works = hc_new_array(n_ranks, sizeof *peers->n_works, err);
    peers->work_capacity = hc_new_array(n_ranks, sizeof *peers->work_capacity, err);
    bool is_complete = sum && peers->class_of && peers->class_size && peers->works &&
                       peers->n_works && peers->work_capacity;
    enum hc_status status = is_complete ? find_classes(peers, scans, sum, err) : err->status;
    free(sum);
    return status;
}

void hc_peers_fini(struct hc_peers *peers)
{
    for (size_t r = 0; peers->works && r < peers->n_ranks; r++)
        free(peers->works[r]);
    free(peers->works);
    free(peers->n_works);
    free(peers->work_capacity);
    free(peers->class_of);
    free(peers->class_size);
    free(peers->weights);
    hc_int_map_fini(&peers->map);
    memset(peers, 0, sizeof *peers);
}

/* ---- levels ---- */

enum hc_status hc_peers_add(struct hc_peers *peers, size_t rank_index, struct hc_peer_work work,
                            struct hc_error *err)
{
    size_t n = peers->n_works[rank_index];
    if (n == peers->work_capacity[rank_index] &&
        hc_reserve(&peers->works[rank_index], &peers->work_capacity[rank_index], n + 1, sizeof work,
                   err))
        return err->status;
    peers->works[rank_index][peers->n_works[rank_index]++] = work;
    return HC_OK;
}

static void empty_map(struct hc_int_map *map)
{
    map->n = 0;
    if (map->n_slots)
        memset(map->slots, 0, map->n_slots * sizeof *map->slots);
}

/* Add to each key the how manieth it is of its kind on the rank. */
static enum hc_status number_works(struct hc_peers *peers, size_t rank_index, struct hc_error *err)
{
    struct hc_peer_work *works = peers->works[rank_index];
    empty_map(&peers->map);
    for (size_t i = 0; i < peers->n_works[rank_index]; i++) {
        size_t entry;
        if (hc_int_map_insert(&peers->map, works[i].key, 0, &entry, err))
            return err->status;
        works[i].key = hc_peer_mix(works[i].key, (uint64_t)++peers->map.values[entry]);
    }
    return HC_OK;
}

static int64_t lower_median(int64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    return values[(n - 1) / 2];
}

/* Weights of all ranks of a class side by side, a row a key of its first rank; a key that a rank
 * lacks has no level. */
static enum hc_status level_class(struct hc_peers *peers, size_t class,
                                  struct hc_profile_graph *graph, struct hc_error *err)
{
    size_t n_keys = peers->n_works[class], n = peers->class_size[class], seen = 0, entry;
    empty_map(&peers->map);
    if (n_keys * n > peers->weight_capacity && hc_reserve(&peers->weights, &peers->weight_capacity,
                                                          n_keys * n, sizeof *peers->weights, err))
        return err->status;
    for (size_t r = class; r < peers->n_ranks; r++) {
        if (peers->class_of[r] != class)
            continue;
        for (size_t i = 0; i < peers->n_works[r]; i++) {
            const struct hc_peer_work *work = &peers->works[r][i];
            int64_t at = hc_int_map_find(&peers->map, work->key);
            if (at < 0 && r == class) {
                if (hc_int_map_insert(&peers->map, work->key, 0, &entry, err))
                    return err->status;
                at = (int64_t)entry;
            }
            if (at < 0 || peers->map.values[at] != (int32_t)seen)
                continue;
            peers->weights[(size_t)at * n + seen] = graph->arcs[work->arc].w_ns;
            peers->map.values[at]++;
        }
        seen++;
    }
    for (size_t i = 0; i < peers->map.n; i++)
        if (peers->map.values[i] == (int32_t)n)
            peers->weights[i * n] = lower_median(peers->weights + i * n, n);
    return HC_OK;
}

static void set_levels(struct hc_peers *peers, size_t class, struct hc_profile_graph *graph)
{
    size_t n = peers->class_size[class];
    for (size_t r = class; r < peers->n_ranks; r++) {
        if (peers->class_of[r] != class)
            continue;
        for (size_t i = 0; i < peers->n_works[r]; i++) {
            struct hc_graph_arc *arc = &graph->arcs[peers->works[r][i].arc];
            int64_t at = hc_int_map_find(&peers->map, peers->works[r][i].key);
            peers->total_ns[arc->work] += arc->w_ns;
            if (at < 0 || n < 2 || peers->map.values[at] != (int32_t)n)
                continue;
            arc->alt_ns = peers->weights[(size_t)at * n];
            peers->with_peers_ns[arc->work] += arc->w_ns;
        }
        peers->n_works[r] = 0;
    }
}

enum hc_status hc_peers_level(struct hc_peers *peers, struct hc_profile_graph *graph,
                              struct hc_error *err)
{
    for (size_t r = 0; r < peers->n_ranks; r++)
        if (number_works(peers, r, err))
            return err->status;
    for (size_t class = 0; class < peers->n_ranks; class ++)
        if (peers->class_of[class] == class) {
            if (level_class(peers, class, graph, err))
                return err->status;
            set_levels(peers, class, graph);
        }
    return HC_OK;
}
