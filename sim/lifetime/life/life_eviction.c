/* Which nodes a remedy evicts, and whether copies of states in their memory are lost with them. */
#include "sim/lifetime/life/life_driver.h"

#include <string.h>

/* The nodes that share a group of this dimension with one that the fault struck. */
static int32_t choose_parallel_group(struct hc_life *s, enum hc_parallel dimension)
{
    const struct hc_backup_shape *shape = &s->compiled->shape;
    int32_t each = s->config->job.gpus_per_node, nodes = s->config->job.nodes, n = 0, at = 0;
    int64_t stride = 1;
    for (int i = 0; i < (int)dimension; i++)
        stride *= shape->size[i];
    memset(s->evicted.in_group, false, (size_t)nodes * sizeof *s->evicted.in_group);
    for (int64_t i = 0; i < (int64_t)s->stop.n_slots * each; i++) {
        int64_t rank = (int64_t)s->stop.slot[i / each] * each + i % each;
        int64_t first = rank - rank / stride % shape->size[dimension] * stride;
        for (int64_t k = 0; k < shape->size[dimension]; k++)
            s->evicted.in_group[(first + k * stride) / each] = true;
    }
    for (int32_t slot = 0; slot < nodes; slot++) {
        if (!s->evicted.in_group[slot])
            continue;
        while (at < s->stop.n_slots && s->stop.slot[at] < slot)
            at++;
        s->evicted.slot[n] = slot;
        s->evicted.guilty[n++] = at < s->stop.n_slots && s->stop.slot[at] == slot;
    }
    return n;
}

/* The rows of `size` nodes in which a fault struck one: first size, second size, and so on. */
static int32_t choose_rows(struct hc_life *s, int32_t size)
{
    int32_t n = 0, nodes = s->config->job.nodes, last_first = -1;
    for (int32_t i = 0; i < s->stop.n_slots; i++) { /* ascending, so are the rows */
        int32_t first = s->stop.slot[i] / size * size;
        int32_t end = first + size < nodes ? first + size : nodes;
        if (first == last_first) {
            s->evicted.guilty[n - (end - s->stop.slot[i])] = true;
            continue;
        }
        last_first = first;
        for (int32_t slot = first; slot < end; slot++) {
            s->evicted.slot[n] = slot;
            s->evicted.guilty[n++] = slot == s->stop.slot[i];
        }
    }
    return n;
}

int32_t hc_life_choose_evicted(struct hc_life *s, int32_t remedy, bool wrong)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    int32_t nodes = s->config->job.nodes;
    if (wrong) {
        s->evicted.slot[0] =
            (int32_t)hc_philox_integer(&s->streams.rng[HC_STREAM_PLACE], (uint64_t)nodes);
        s->evicted.guilty[0] = false;
        return 1;
    }
    static const enum hc_parallel dimension[] = {[HC_GROUP_TP] = HC_PARALLEL_TP,
                                                 [HC_GROUP_PP] = HC_PARALLEL_PP,
                                                 [HC_GROUP_DP] = HC_PARALLEL_DP};
    bool group = remedy == HC_REMEDY_EVICT_GROUP && !(fault->detection.replay_s > 0);
    if (group && fault->group != HC_GROUP_NODES)
        return choose_parallel_group(s, dimension[fault->group]);
    return choose_rows(s, group ? fault->group_nodes : 1);
}

static bool is_evicted(const struct hc_life *s, int32_t n, int32_t slot)
{
    int32_t low = 0;
    while (low < n) { /* they ascend */
        int32_t middle = low + (n - low) / 2;
        if (s->evicted.slot[middle] == slot)
            return true;
        if (s->evicted.slot[middle] < slot)
            low = middle + 1;
        else
            n = middle;
    }
    return false;
}

bool hc_life_loses_copies(const struct hc_life *s, int32_t n)
{
    const struct hc_lifetime_checkpoint *c = &s->config->checkpoint;
    int32_t each = s->config->job.gpus_per_node;
    if (!s->compiled->places_copies)
        return n > c->memory_nodes_lost;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < each; k++) {
            int64_t copy =
                hc_backup_rank(&s->compiled->shape, (int64_t)s->evicted.slot[i] * each + k);
            if (is_evicted(s, n, (int32_t)(copy / each)))
                return true;
        }
    return false;
}
