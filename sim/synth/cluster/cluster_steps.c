#include "sim/synth/cluster/cluster_steps.h"

#define SECOND_MS 1000

void hc_cluster_launch_times(struct hc_cluster_launch_times *times,
                             const struct hc_cluster_cycle *cycle)
{
    int64_t third_s = (cycle->first_step_s - cycle->start_s) / 3;
    times->initialised_s = cycle->start_s + third_s;
    times->built_s = cycle->start_s + 2 * third_s;
    times->loads_s = times->built_s - (cycle->first_iteration > 0 ? third_s / 2 : 0);
}

void hc_cluster_steps_begin(struct hc_cluster_steps *steps, const struct hc_cluster *cluster,
                            const struct hc_cluster_cycle *cycle)
{
    int32_t run = cluster->attempts[cycle->attempt].run;
    *steps = (struct hc_cluster_steps){.run = &cluster->runs[run],
                                       .iteration = cycle->first_iteration,
                                       .time_ms = cycle->first_step_s * SECOND_MS};
}

bool hc_cluster_steps_next(struct hc_cluster_steps *steps, struct hc_cluster_step *step)
{
    const struct hc_cluster_run *run = steps->run;
    if (steps->iteration >= run->iterations)
        return false;
    int64_t i = ++steps->iteration;
    *step = (struct hc_cluster_step){.iteration = i, .begin_ms = steps->time_ms};
    step->end_ms = step->begin_ms + run->step_s * SECOND_MS;
    step->is_evaluated = run->evaluation_iterations && i % run->evaluation_iterations == 0;
    step->evaluated_ms = step->end_ms + (step->is_evaluated ? run->evaluation_s * SECOND_MS : 0);
    step->is_saved = i % run->checkpoint_iterations == 0;
    step->saved_ms = step->evaluated_ms + (step->is_saved ? run->stall_s * SECOND_MS : 0);
    steps->time_ms = step->saved_ms;
    return true;
}
