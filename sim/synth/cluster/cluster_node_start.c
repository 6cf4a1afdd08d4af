#include "sim/synth/cluster/cluster_node_start.h"

#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "sim/synth/cluster/cluster_plan.h"
#include "sim/synth/cluster/cluster_plant.h"

#define ALLOCATE_S      2
#define IMAGE_S         45.0 /* median over attempts */
#define IMAGE_SPREAD    0.3  /* of its logarithm between attempts */
#define BURSTY_SPREAD   0.8
#define NODE_SPREAD     0.15 /* between the nodes of one attempt */
#define ENVIRONMENT_S   15.0
#define MOST_S          1800
#define MOST_NODES_LOG2 20 /* blocks of random numbers of an attempt */

void hc_cluster_node_start(const struct hc_cluster *cluster, size_t attempt, int32_t k,
                           int64_t times_s[HC_CLUSTER_N_PHASES + 1])
{
    struct hc_philox rng;
    uint64_t seed = cluster->options.seed, block = (uint64_t)attempt << MOST_NODES_LOG2;
    hc_philox_seek(&rng, seed, HC_CLUSTER_START_STREAM, block);
    bool is_bursty = cluster->options.model == HC_CLUSTER_BURSTY;
    double spread = is_bursty ? BURSTY_SPREAD : IMAGE_SPREAD;
    double image_s = IMAGE_S * hc_stable_exp(spread * hc_philox_normal(&rng));
    hc_philox_seek(&rng, seed, HC_CLUSTER_START_STREAM, block + 1 + (uint64_t)k);
    times_s[0] = cluster->attempts[attempt].start_s;
    if (hc_cluster_planted(cluster, HC_CLUSTER_PULLS, 0, times_s[0]))
        image_s *= hc_cluster_plant_factor(HC_CLUSTER_PULLS);
    times_s[1] = times_s[0] + ALLOCATE_S;
    times_s[2] = times_s[1] + hc_cluster_draw_s(&rng, image_s, NODE_SPREAD, MOST_S);
    times_s[3] = times_s[2] + hc_cluster_draw_s(&rng, ENVIRONMENT_S, NODE_SPREAD, MOST_S);
}

void hc_cluster_slowest_start(const struct hc_cluster *cluster, size_t attempt,
                              int64_t times_s[HC_CLUSTER_N_PHASES + 1])
{
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    for (int p = 0; p <= HC_CLUSTER_N_PHASES; p++)
        times_s[p] = a->start_s;
    for (int32_t k = 0; k < a->n_nodes; k++) {
        int64_t node_s[HC_CLUSTER_N_PHASES + 1];
        hc_cluster_node_start(cluster, attempt, k, node_s);
        for (int p = 0; p <= HC_CLUSTER_N_PHASES; p++)
            times_s[p] = times_s[p] > node_s[p] ? times_s[p] : node_s[p];
    }
}
