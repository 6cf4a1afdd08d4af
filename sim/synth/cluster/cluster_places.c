#include "sim/synth/cluster/cluster_places.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

int32_t hc_cluster_n_shared(int32_t n_nodes)
{
    return n_nodes > 3 ? n_nodes / 4 : 1;
}

enum hc_status hc_cluster_places_init(struct hc_cluster_places *places, int32_t n_nodes,
                                      struct hc_error *err)
{
    size_t n = (size_t)n_nodes;
    *places =
        (struct hc_cluster_places){.n_nodes = n_nodes, .n_shared = hc_cluster_n_shared(n_nodes)};
    places->used = hc_new_array(n, sizeof *places->used, err);
    places->down = hc_new_array(n, sizeof *places->down, err);
    places->guests = hc_new_array(n, sizeof *places->guests, err);
    if (!places->used || !places->down || !places->guests)
        return err->status;
    memset(places->guests, 0xff, n * sizeof *places->guests); /* HC_CLUSTER_NONE */
    places->n_whole = n_nodes - places->n_shared;
    places->n_free[HC_CLUSTER_GPUS] = places->n_shared;
    return HC_OK;
}

void hc_cluster_places_fini(struct hc_cluster_places *places)
{
    free(places->used);
    free(places->down);
    free(places->guests);
    *places = (struct hc_cluster_places){0};
}

/* Count a node in (sign 1) before or out (-1) after it changes. */
static void count(struct hc_cluster_places *places, int32_t node, int32_t sign)
{
    if (places->down[node])
        return;
    if (node < places->n_shared)
        places->n_free[HC_CLUSTER_GPUS - places->used[node]] += sign;
    else if (!places->used[node])
        places->n_whole += sign;
}

static bool is_free(const struct hc_cluster_places *places, int32_t node, int32_t gpus)
{
    return places->down[node] == 0 && places->used[node] + gpus <= HC_CLUSTER_GPUS;
}

static void take(struct hc_cluster_places *places, int32_t attempt, int32_t node, int32_t gpus)
{
    count(places, node, -1);
    places->used[node] += gpus;
    count(places, node, 1);
    for (int i = 0; i < HC_CLUSTER_GPUS; i++)
        if (places->guests[node][i] == HC_CLUSTER_NONE) {
            places->guests[node][i] = attempt;
            break;
        }
}

/* Jobs without GPUs take the place of one. */
static int32_t share_of(const struct hc_cluster_attempt *a)
{
    return a->gpus >= HC_CLUSTER_GPUS ? HC_CLUSTER_GPUS : a->gpus > 0 ? a->gpus : 1;
}

static bool place_shared(struct hc_cluster_places *places, int32_t gpus, int32_t attempt,
                         int32_t *nodes)
{
    int32_t n = 0;
    for (int32_t k = gpus; k <= HC_CLUSTER_GPUS; k++)
        n += places->n_free[k];
    for (int32_t i = 0; i < places->n_shared && n > 0; i++) {
        int32_t node = (places->next_shared + i) % places->n_shared;
        if (is_free(places, node, gpus)) {
            places->next_shared = nodes[0] = node;
            take(places, attempt, node, gpus);
            return true;
        }
    }
    return false;
}

static bool place_whole(struct hc_cluster_places *places, int32_t n_nodes, int32_t attempt,
                        int32_t *nodes)
{
    if (places->n_whole < n_nodes)
        return false;
    for (int32_t i = places->n_shared, n = 0; n < n_nodes; i++)
        if (is_free(places, i, HC_CLUSTER_GPUS)) {
            take(places, attempt, i, HC_CLUSTER_GPUS);
            nodes[n++] = i;
        }
    return true;
}

bool hc_cluster_place(struct hc_cluster_places *places, const struct hc_cluster_attempt *a,
                      int32_t attempt, int32_t *nodes)
{
    return a->gpus >= HC_CLUSTER_GPUS ? place_whole(places, a->n_nodes, attempt, nodes)
                                      : place_shared(places, share_of(a), attempt, nodes);
}

void hc_cluster_leave(struct hc_cluster_places *places, const struct hc_cluster_attempt *a,
                      int32_t attempt, const int32_t *nodes)
{
    for (int32_t k = 0; k < a->n_nodes; k++) {
        int32_t node = nodes[k];
        count(places, node, -1);
        places->used[node] -= share_of(a);
        count(places, node, 1);
        for (int i = 0; i < HC_CLUSTER_GPUS; i++)
            if (places->guests[node][i] == attempt)
                places->guests[node][i] = HC_CLUSTER_NONE;
    }
}

void hc_cluster_take_away(struct hc_cluster_places *places, int32_t node)
{
    count(places, node, -1);
    places->down[node]++;
}

void hc_cluster_give_back(struct hc_cluster_places *places, int32_t node)
{
    places->down[node]--;
    count(places, node, 1);
}
