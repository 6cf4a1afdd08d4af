#include "sim/synth/cluster/cluster_stalls.h"

#define SECOND_MS 1000

/* What has to be added to each of the stalls that come once in so many iterations for a share of
 * the time of the steps to be lost to them: with t the time from one to the next, of which a share
 * p are steps, x = t (p / (p - share) - 1). */
static int64_t more_ms(const struct hc_cluster_run *run, int64_t iterations, double share)
{
    double steps_s = (double)(iterations * run->step_s);
    double stalls_s =
        (double)iterations * (double)run->stall_s / (double)run->checkpoint_iterations;
    if (run->evaluation_iterations)
        stalls_s +=
            (double)iterations * (double)run->evaluation_s / (double)run->evaluation_iterations;
    double all_s = steps_s + stalls_s, part = steps_s / all_s;
    if (!(part > 2 * share))
        return 0;
    return (int64_t)(all_s * (part / (part - share) - 1) * SECOND_MS);
}

void hc_cluster_plan_stalls(struct hc_cluster_stalls *stalls, const struct hc_cluster *cluster,
                            int32_t run)
{
    *stalls = (struct hc_cluster_stalls){.save_more_ms = 0};
    const struct hc_cluster_run *r = &cluster->runs[run];
    for (int32_t i = 0; i < cluster->options.n_plants; i++) {
        const struct hc_cluster_plant *plant = &cluster->options.plants[i];
        int64_t from_ms = hc_cluster_plant_s(cluster, plant) * SECOND_MS;
        double share = hc_cluster_plant_factor(plant->kind);
        if (plant->subject != run)
            continue;
        if (plant->kind == HC_CLUSTER_SAVES) {
            stalls->saves_from_ms = from_ms;
            stalls->save_more_ms = more_ms(r, r->checkpoint_iterations, share);
        } else if (plant->kind == HC_CLUSTER_EVALUATIONS) {
            stalls->evaluations_from_ms = from_ms;
            stalls->evaluation_more_ms = more_ms(r, r->evaluation_iterations, share);
        }
    }
}
