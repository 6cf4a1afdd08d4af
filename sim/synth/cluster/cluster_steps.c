#include "sim/synth/cluster/cluster_steps.h"

#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "sim/synth/cluster/cluster_plan.h"

#define SECOND_MS   1000
#define BLOCK       10   /* iterations that are of the same length */
#define NOISE       0.04 /* standard deviation of the logarithm of that */
#define GROWS       0.1  /* by this share from the first iteration to the last */
#define LAUNCH_LOG2 24   /* blocks of a launch */

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
                                       .time_ms = cycle->first_step_s * SECOND_MS,
                                       .is_bursty = cluster->options.model == HC_CLUSTER_BURSTY,
                                       .seed = cluster->options.seed,
                                       .stream = HC_CLUSTER_STEP_STREAM + (uint64_t)run,
                                       .launch = (uint64_t)cycle->start_s << LAUNCH_LOG2,
                                       .block = -1};
    hc_cluster_plan_stalls(&steps->stalls, cluster, run);
}

/* How long an iteration takes. */
static int64_t step_ms(struct hc_cluster_steps *steps, int64_t iteration)
{
    const struct hc_cluster_run *run = steps->run;
    if (!steps->is_bursty)
        return run->step_s * SECOND_MS;
    if (iteration / BLOCK != steps->block) {
        struct hc_philox rng;
        steps->block = iteration / BLOCK;
        hc_philox_seek(&rng, steps->seed, steps->stream, steps->launch + (uint64_t)steps->block);
        steps->noise_ms =
            (double)(run->step_s * SECOND_MS) * hc_stable_exp(NOISE * hc_philox_normal(&rng));
    }
    return (int64_t)(steps->noise_ms * (1 + GROWS * (double)iteration / (double)run->iterations));
}

bool hc_cluster_steps_next(struct hc_cluster_steps *steps, struct hc_cluster_step *step)
{
    const struct hc_cluster_run *run = steps->run;
    if (steps->iteration >= run->iterations)
        return false;
    int64_t i = ++steps->iteration;
    *step = (struct hc_cluster_step){.iteration = i, .begin_ms = steps->time_ms};
    step->end_ms = step->begin_ms + step_ms(steps, i);
    step->is_evaluated = run->evaluation_iterations && i % run->evaluation_iterations == 0;
    step->evaluated_ms = step->end_ms + (step->is_evaluated ? run->evaluation_s * SECOND_MS : 0);
    if (step->is_evaluated && step->end_ms >= steps->stalls.evaluations_from_ms)
        step->evaluated_ms += steps->stalls.evaluation_more_ms;
    step->is_saved = i % run->checkpoint_iterations == 0;
    step->saved_ms = step->evaluated_ms + (step->is_saved ? run->stall_s * SECOND_MS : 0);
    if (step->is_saved && step->evaluated_ms >= steps->stalls.saves_from_ms)
        step->saved_ms += steps->stalls.save_more_ms;
    steps->time_ms = step->saved_ms;
    return true;
}
