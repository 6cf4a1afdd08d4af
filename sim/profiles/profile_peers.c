#include "sim/profiles/profile_peers.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_peers_init(struct hc_peers *peers, const struct hc_rank_scan *scans,
                             size_t n_ranks, const struct hc_collectives *collectives,
                             struct hc_error *err)
{
    *peers = (struct hc_peers){.n_ranks = n_ranks};
    peers->works = hc_new_array(n_ranks, sizeof *peers->works, err);
    peers->n_works = hc_new_array(n_ranks, sizeof *peers->n_works, err);
    peers->work_capacity = hc_new_array(n_ranks, sizeof *peers->work_capacity, err);
    bool is_complete = peers->works && peers->n_works && peers->work_capacity;
    for (int i = 0; is_complete && i < HC_N_PEER_CLASSES; i++) {
        struct hc_peer_classes *classes = &peers->classes[i];
        classes->class_of = hc_new_array(n_ranks, sizeof *classes->class_of, err);
        classes->size = hc_new_array(n_ranks, sizeof *classes->size, err);
        is_complete = classes->class_of && classes->size;
    }
    return is_complete ? hc_peers_find_classes(peers, scans, collectives, err) : err->status;
}

void hc_peers_fini(struct hc_peers *peers)
{
    for (size_t r = 0; peers->works && r < peers->n_ranks; r++)
        free(peers->works[r]);
    free(peers->works);
    free(peers->n_works);
    free(peers->work_capacity);
    for (int i = 0; i < HC_N_PEER_CLASSES; i++) {
        free(peers->classes[i].class_of);
        free(peers->classes[i].size);
    }
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

/* The how manieth of its kind, on the rank and in the step, makes the key of each work. */
static enum hc_status number_works(struct hc_peers *peers, size_t rank_index, struct hc_error *err)
{
    struct hc_peer_work *works = peers->works[rank_index];
    empty_map(&peers->map);
    for (size_t i = 0; i < peers->n_works[rank_index]; i++) {
        size_t entry;
        uint64_t in_step = hc_peer_mix(works[i].kind, (uint64_t)(uint32_t)works[i].step);
        if (hc_int_map_insert(&peers->map, in_step, 0, &entry, err))
            return err->status;
        uint64_t number = (uint64_t)++peers->map.values[entry];
        works[i].key = hc_peer_mix(in_step, number);
        works[i].twin = hc_peer_mix(works[i].kind, number);
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
static enum hc_status level_class(struct hc_peers *peers, const struct hc_peer_classes *classes,
                                  size_t class, struct hc_profile_graph *graph,
                                  struct hc_error *err)
{
    size_t n_keys = peers->n_works[class], n = classes->size[class], seen = 0, entry;
    empty_map(&peers->map);
    if (n_keys * n > peers->weight_capacity && hc_reserve(&peers->weights, &peers->weight_capacity,
                                                          n_keys * n, sizeof *peers->weights, err))
        return err->status;
    for (size_t r = class; r < peers->n_ranks; r++) {
        if (classes->class_of[r] != class)
            continue;
        for (size_t i = 0; i < peers->n_works[r]; i++) {
            const struct hc_peer_work *work = &peers->works[r][i];
            int64_t at = hc_int_map_find(&peers->map, work->key);
            if (work->is_twin_only)
                continue;
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

/* To wake a thread takes what it takes. But a rank that needs so much longer for it than its peers
 * did something else meanwhile, which is CPU work like any other. */
#define LEAST_STOP_NS 100000

static void set_levels(struct hc_peers *peers, const struct hc_peer_classes *classes, size_t class,
                       struct hc_profile_graph *graph)
{
    size_t n = classes->size[class];
    for (size_t r = class; r < peers->n_ranks; r++) {
        if (classes->class_of[r] != class)
            continue;
        for (size_t i = 0; i < peers->n_works[r]; i++) {
            struct hc_peer_work *work = &peers->works[r][i];
            struct hc_graph_arc *arc = &graph->arcs[work->arc];
            int64_t at = hc_int_map_find(&peers->map, work->key);
            if (work->has_level || work->is_twin_only || at < 0 ||
                peers->map.values[at] != (int32_t)n)
                continue;
            int64_t level_ns = peers->weights[(size_t)at * n];
            if (arc->kind == HC_EDGE_WAKE && arc->w_ns - level_ns < LEAST_STOP_NS)
                continue;
            if (arc->kind == HC_EDGE_WAKE)
                arc->work = HC_WORK_CPU;
            arc->alt_ns = level_ns;
            peers->with_peers_ns[arc->work] += (double)arc->w_ns;
            work->has_level = true;
        }
    }
}

/* The close classes first: what they leave open is compared more widely. */
static enum hc_status level_all(struct hc_peers *peers, struct hc_profile_graph *graph,
                                struct hc_error *err)
{
    for (int i = 0; i < HC_N_PEER_CLASSES; i++) {
        const struct hc_peer_classes *classes = &peers->classes[i];
        for (size_t class = 0; class < peers->n_ranks; class ++) {
            if (classes->size[class] < 2)
                continue;
            if (level_class(peers, classes, class, graph, err))
                return err->status;
            set_levels(peers, classes, class, graph);
        }
    }
    return HC_OK;
}

enum hc_status hc_peers_level(struct hc_peers *peers, struct hc_profile_graph *graph,
                              struct hc_error *err)
{
    for (size_t r = 0; r < peers->n_ranks; r++)
        if (number_works(peers, r, err))
            return err->status;
    enum hc_status status = level_all(peers, graph, err);
    for (size_t r = 0; r < peers->n_ranks; r++)
        for (size_t i = 0; i < peers->n_works[r]; i++) {
            const struct hc_peer_work *work = &peers->works[r][i];
            const struct hc_graph_arc *arc = &graph->arcs[work->arc];
            if (arc->work != HC_WORK_FIXED && !work->is_twin_only)
                peers->total_ns[arc->work] += (double)arc->w_ns;
        }
    return status;
}

void hc_peers_forget(struct hc_peers *peers)
{
    for (size_t r = 0; r < peers->n_ranks; r++)
        peers->n_works[r] = 0;
}
