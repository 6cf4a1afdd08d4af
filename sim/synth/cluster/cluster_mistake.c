#include "sim/synth/cluster/cluster_mistake.h"

#include "sim/synth/cluster/cluster_steps.h"

#define SECOND_MS  1000
#define RELAUNCH_S 400   /* about: end, wait and start-up that a mistake costs */
#define LOST_S     1000  /* of steps that a mistake costs, where the checkpoints allow it */
#define COST_SHARE 0.055 /* of the time between mistakes: some of it was lost before them */

/* A mistake costs what it takes to start again and the steps behind the last checkpoint; it comes
 * so late that this is COST_SHARE of the time between two of them. Where the checkpoints are so far
 * apart that one launch is longer than that, more steps are lost. */
int64_t hc_cluster_next_mistake_s(const struct hc_cluster *cluster,
                                  const struct hc_cluster_cycle *cycle)
{
    struct hc_cluster_steps steps;
    struct hc_cluster_step step;
    const struct hc_cluster_run *run = &cluster->runs[cluster->attempts[cycle->attempt].run];
    double most_s = 0.9 * (double)(run->checkpoint_iterations * run->step_s);
    double cost_s = RELAUNCH_S + (most_s < LOST_S ? most_s : LOST_S);
    int64_t begin_ms = cycle->first_step_s * SECOND_MS, saved_ms = begin_ms;
    int64_t until_ms = begin_ms + (int64_t)(cost_s * (1 / COST_SHARE - 1) * SECOND_MS);
    hc_cluster_steps_begin(&steps, cluster, cycle);
    while (hc_cluster_steps_next(&steps, &step) &&
           (saved_ms == begin_ms || step.saved_ms <= until_ms))
        if (step.is_saved)
            saved_ms = step.saved_ms;
    double made_s = (double)(saved_ms - begin_ms) / SECOND_MS;
    double lost_s = made_s * COST_SHARE / (1 - COST_SHARE) - RELAUNCH_S;
    lost_s = lost_s > most_s ? most_s : lost_s < 60 ? 60 : lost_s;
    return saved_ms / SECOND_MS + (int64_t)lost_s;
}
