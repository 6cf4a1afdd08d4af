/* profile_classes.c - which ranks do the same work (spec: profiler traces 8).
 *
 * Two kinds of classes. The wide ones are by GPU events alone: one class where ranks have at least
 * half of their events in common, else ranks with equal events. In a pipeline that is too coarse:
 * stages launch the same kernels, but make other calls around them. So where ranks send to each
 * other there are close classes beside: ranks that work together in collectives of groups in which
 * no two ranks are of one pipeline.
 */
#include "sim/profiles/profile_peers.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* ---- wide classes ---- */

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

static void add_member(struct hc_peer_classes *classes, size_t rank_index, size_t class)
{
    classes->class_of[rank_index] = (uint16_t) class;
    classes->size[class]++;
}

static enum hc_status find_wide(struct hc_peers *peers, const struct hc_rank_scan *scans,
                                uint64_t *sum, struct hc_error *err)
{
    struct hc_peer_classes *classes = &peers->classes[HC_PEERS_WIDE];
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
                class = classes->class_of[q];
        add_member(classes, r, class);
    }
    return status;
}

/* ---- close classes ---- */

/* The lowest rank of those that are tied to a rank, directly or through others. */
static uint32_t lowest_tied(uint32_t *tie, uint32_t rank_index)
{
    while (tie[rank_index] != rank_index)
        rank_index = tie[rank_index] = tie[tie[rank_index]];
    return rank_index;
}

static void tie_members(uint32_t *tie, const struct hc_collectives *c, size_t collective)
{
    const uint32_t *members = c->member_kernels + c->collectives[collective].first;
    for (size_t m = 1; m < c->collectives[collective].n; m++) {
        uint32_t a = lowest_tied(tie, c->kernels[members[0]].rank_index),
                 b = lowest_tied(tie, c->kernels[members[m]].rank_index);
        tie[a > b ? a : b] = a > b ? b : a;
    }
}

static bool is_p2p(const struct hc_collectives *c, size_t collective)
{
    return c->kernels[c->member_kernels[c->collectives[collective].first]].is_p2p;
}

/* Groups with two ranks of one pipeline; seen: of each rank, scratch. */
static void mark_mixed_groups(const struct hc_collectives *c, uint32_t *pipeline, size_t *seen,
                              uint8_t *is_mixed)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t m = 0; !is_p2p(c, i) && m < c->collectives[i].n; m++) {
            uint32_t kernel = c->member_kernels[c->collectives[i].first + m];
            uint32_t at = lowest_tied(pipeline, c->kernels[kernel].rank_index);
            if (seen[at] == i + 1)
                is_mixed[c->collectives[i].group] = 1;
            seen[at] = i + 1;
        }
}

static enum hc_status find_close(struct hc_peers *peers, const struct hc_collectives *c,
                                 struct hc_error *err)
{
    uint32_t *pipeline = hc_new_array(peers->n_ranks, sizeof *pipeline, err);
    uint32_t *tie = hc_new_array(peers->n_ranks, sizeof *tie, err);
    size_t *seen = hc_new_array(peers->n_ranks, sizeof *seen, err);
    uint8_t *is_mixed = hc_new_array(c->n_groups, 1, err);
    bool is_complete = pipeline && tie && seen && is_mixed, has_pipeline = false;
    for (size_t r = 0; is_complete && r < peers->n_ranks; r++)
        pipeline[r] = tie[r] = (uint32_t)r;
    for (size_t i = 0; is_complete && i < c->n; i++)
        if (is_p2p(c, i)) {
            tie_members(pipeline, c, i);
            has_pipeline = true;
        }
    if (is_complete && has_pipeline)
        mark_mixed_groups(c, pipeline, seen, is_mixed);
    for (size_t i = 0; is_complete && has_pipeline && i < c->n; i++)
        if (!is_p2p(c, i) && !c->collectives[i].is_mismatched && !is_mixed[c->collectives[i].group])
            tie_members(tie, c, i);
    for (size_t r = 0; is_complete && r < peers->n_ranks; r++)
        add_member(&peers->classes[HC_PEERS_CLOSE], r, lowest_tied(tie, (uint32_t)r));
    free(pipeline);
    free(tie);
    free(seen);
    free(is_mixed);
    return is_complete ? HC_OK : err->status;
}

enum hc_status hc_peers_find_classes(struct hc_peers *peers, const struct hc_rank_scan *scans,
                                     const struct hc_collectives *collectives, struct hc_error *err)
{
    uint64_t *sum = hc_new_array(peers->n_ranks, sizeof *sum, err);
    if (!sum)
        return err->status;
    enum hc_status status = find_wide(peers, scans, sum, err);
    free(sum);
    return status ? status : find_close(peers, collectives, err);
}
