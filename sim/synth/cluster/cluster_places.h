/* cluster_places.h - the nodes of a made-up cluster while it lives: what runs on each, and which
 * are away. The first ones are for jobs of less than a node, the others for jobs of whole nodes.
 *
 * Counts of free places are kept, so that to ask in vain costs nothing.
 * Private to this wing. */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_PLACES_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_PLACES_H

#include "sim/synth/cluster/cluster_synth.h"

struct hc_cluster_places {
    int32_t n_nodes, n_shared, next_shared;
    int32_t *used;                       /* GPUs of a node */
    int32_t *down;                       /* faults that keep it away */
    int32_t (*guests)[HC_CLUSTER_GPUS];  /* attempts on a node */
    int32_t n_whole;                     /* of the others, nodes that are up and empty */
    int32_t n_free[HC_CLUSTER_GPUS + 1]; /* of the shared ones that are up, by free GPUs */
};

/* How many nodes are for jobs of less than a node. */
int32_t hc_cluster_n_shared(int32_t n_nodes);

enum hc_status hc_cluster_places_init(struct hc_cluster_places *places, int32_t n_nodes,
                                      struct hc_error *err);
void hc_cluster_places_fini(struct hc_cluster_places *places);

/* Put an attempt on nodes, which are written to `nodes`, a->n_nodes of them; false: it must wait.
 */
bool hc_cluster_place(struct hc_cluster_places *places, const struct hc_cluster_attempt *a,
                      int32_t attempt, int32_t *nodes);
/* It leaves its nodes. */
void hc_cluster_leave(struct hc_cluster_places *places, const struct hc_cluster_attempt *a,
                      int32_t attempt, const int32_t *nodes);

/* A fault takes a node away; one of its faults is repaired. */
void hc_cluster_take_away(struct hc_cluster_places *places, int32_t node);
void hc_cluster_give_back(struct hc_cluster_places *places, int32_t node);

#endif
