#include "pipeline/capacity/node_inventory.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* The commands of one cron job look at nodes within this time of each other. */
#define SAME_LOOK_NS ((int64_t)15 * 60 * 1000000000)
/* A node is gone when so many looks no longer list it. */
#define LOOKS_WITHOUT 2

struct hc_node_facts *hc_node_inventory_of(struct hc_node_inventory *inventory, int32_t node,
                                           struct hc_error *err)
{
    size_t need = (size_t)node + 1;
    if (hc_reserve(&inventory->facts, &inventory->facts_room, need, sizeof *inventory->facts, err))
        return NULL;
    for (; inventory->n_facts < need; inventory->n_facts++)
        inventory->facts[inventory->n_facts] = (struct hc_node_facts){.first_ns = INT64_MAX,
                                                                      .last_ns = INT64_MIN,
                                                                      .listed_ns = INT64_MIN,
                                                                      .partitions_ns = INT64_MIN};
    return &inventory->facts[node];
}

enum hc_status hc_node_inventory_tell(struct hc_node_inventory *inventory, int32_t node,
                                      int64_t from_ns, int64_t to_ns, struct hc_error *err)
{
    struct hc_node_facts *facts = hc_node_inventory_of(inventory, node, err);
    if (!facts)
        return err->status;
    facts->first_ns = from_ns < facts->first_ns ? from_ns : facts->first_ns;
    facts->last_ns = to_ns > facts->last_ns ? to_ns : facts->last_ns;
    return HC_OK;
}

enum hc_status hc_node_inventory_see(struct hc_node_inventory *inventory, int32_t node,
                                     int64_t at_ns, int32_t gpus, struct hc_error *err)
{
    if (hc_reserve(&inventory->seen, &inventory->seen_room, inventory->n_seen + 1,
                   sizeof *inventory->seen, err))
        return err->status;
    inventory->seen[inventory->n_seen++] = (struct hc_node_seen){at_ns, node, gpus};
    return HC_OK;
}

enum hc_status hc_node_inventory_list(struct hc_node_inventory *inventory, int32_t node,
                                      int64_t at_ns, struct hc_error *err)
{
    struct hc_node_facts *facts = hc_node_inventory_of(inventory, node, err);
    struct hc_node_look *last =
        inventory->n_looks ? &inventory->looks[inventory->n_looks - 1] : NULL;
    if (!facts)
        return err->status;
    facts->listed_ns = at_ns > facts->listed_ns ? at_ns : facts->listed_ns;
    if (last && last->at_ns == at_ns) {
        last->n_nodes++;
        return HC_OK;
    }
    if (hc_reserve(&inventory->looks, &inventory->looks_room, inventory->n_looks + 1,
                   sizeof *inventory->looks, err))
        return err->status;
    inventory->looks[inventory->n_looks++] = (struct hc_node_look){at_ns, 1};
    return HC_OK;
}

/* ---- looks ---- */

static int compare_looks(const void *a, const void *b)
{
    const struct hc_node_look *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/* Keep the looks at all nodes, in order of time. */
static void keep_whole_looks(struct hc_node_inventory *inventory)
{
    struct hc_node_look *looks = inventory->looks;
    int64_t most = 0;
    size_t n = 0;
    if (inventory->n_looks)
        qsort(looks, inventory->n_looks, sizeof *looks, compare_looks);
    for (size_t i = 0; i < inventory->n_looks; i++)
        if (n && looks[n - 1].at_ns == looks[i].at_ns)
            looks[n - 1].n_nodes += looks[i].n_nodes;
        else
            looks[n++] = looks[i];
    for (size_t i = 0; i < n; i++)
        most = looks[i].n_nodes > most ? looks[i].n_nodes : most;
    inventory->n_looks = 0;
    for (size_t i = 0; i < n; i++)
        if (looks[i].n_nodes >= most - looks[i].n_nodes)
            looks[inventory->n_looks++] = looks[i];
}

/* The first look after a moment, as the number of those up to it. */
static size_t looks_up_to(const struct hc_node_inventory *inventory, int64_t at_ns)
{
    size_t low = 0, high = inventory->n_looks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (inventory->looks[middle].at_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- nodes ---- */

static int compare_seen(const void *a, const void *b)
{
    const struct hc_node_seen *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return (x->gpus > y->gpus) - (x->gpus < y->gpus);
}

static enum hc_status put(struct hc_capacity *capacity, int32_t node, int64_t from_ns, int32_t gpus,
                          bool is_assumed, struct hc_error *err)
{
    const struct hc_capacity_inventory row = {from_ns, node, gpus, is_assumed};
    return hc_capacity_add_inventory(capacity, &row, err);
}

/* From where on a node was there, before a source first said its GPUs. */
static int64_t beginning_of(const struct hc_node_inventory *inventory,
                            const struct hc_node_facts *facts, int64_t seen_ns, int64_t from_ns)
{
    bool is_of_first_look =
        inventory->n_looks && seen_ns <= inventory->looks[0].at_ns + SAME_LOOK_NS;
    int64_t told_ns = facts->first_ns < seen_ns ? facts->first_ns : seen_ns;
    return is_of_first_look && from_ns < told_ns ? from_ns : told_ns;
}

/* seen: those of the node, by time. */
static enum hc_status put_seen(struct hc_node_inventory *inventory, struct hc_capacity *capacity,
                               const struct hc_node_seen *seen, size_t n, int64_t from_ns,
                               struct hc_error *err)
{
    int32_t node = seen[0].node, gpus = -1;
    const struct hc_node_facts *facts = hc_node_inventory_of(inventory, node, err);
    if (!facts)
        return err->status;
    int64_t begin_ns = beginning_of(inventory, facts, seen[0].at_ns, from_ns);
    if (begin_ns < seen[0].at_ns && put(capacity, node, begin_ns, seen[0].gpus, true, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        if (i && seen[i].gpus == gpus)
            continue;
        gpus = seen[i].gpus;
        if (put(capacity, node, seen[i].at_ns, gpus, false, err))
            return err->status;
    }
    size_t next = looks_up_to(inventory, facts->listed_ns);
    if (facts->listed_ns == INT64_MIN || inventory->n_looks < next + LOOKS_WITHOUT ||
        facts->last_ns > inventory->looks[next].at_ns)
        return HC_OK;
    inventory->n_gone++;
    return put(capacity, node, inventory->looks[next].at_ns, 0, false, err);
}

enum hc_status hc_node_inventory_end(struct hc_node_inventory *inventory,
                                     struct hc_capacity *capacity, int64_t from_ns,
                                     struct hc_error *err)
{
    struct hc_node_seen *seen = inventory->seen;
    keep_whole_looks(inventory);
    if (inventory->n_seen)
        qsort(seen, inventory->n_seen, sizeof *seen, compare_seen);
    for (size_t i = 0, end; i < inventory->n_seen; i = end) {
        for (end = i + 1; end < inventory->n_seen && seen[end].node == seen[i].node;)
            end++;
        if (put_seen(inventory, capacity, seen + i, end - i, from_ns, err))
            return err->status;
        inventory->facts[seen[i].node].site_gpus = 0;
    }
    for (size_t node = 0; node < inventory->n_facts; node++) {
        const struct hc_node_facts *facts = &inventory->facts[node];
        if (facts->site_gpus <= 0 || facts->first_ns == INT64_MAX)
            continue;
        inventory->n_by_site++;
        if (put(capacity, (int32_t)node, facts->first_ns, facts->site_gpus, true, err))
            return err->status;
    }
    return HC_OK;
}

void hc_node_inventory_fini(struct hc_node_inventory *inventory)
{
    free(inventory->facts);
    free(inventory->seen);
    free(inventory->looks);
    *inventory = (struct hc_node_inventory){0};
}
