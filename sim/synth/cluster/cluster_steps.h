/* cluster_steps.h - the steps of a launch of a run, one by one, with the evaluations and saves
 * between them that hold the next step up.
 *
 *     struct hc_cluster_steps steps;
 *     struct hc_cluster_step step;
 *     hc_cluster_steps_begin(&steps, cluster, cycle);
 *     while (hc_cluster_steps_next(&steps, &step) && step.end_ms <= until_ms)
 *         ...
 *
 * Each step begins when the one before it, its evaluation and its save are over. What ends the
 * launch is not known here: the steps go on to the last iteration of the run.
 */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_STEPS_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_STEPS_H

#include "sim/synth/cluster/cluster_stalls.h"
#include "sim/synth/cluster/cluster_synth.h"

struct hc_cluster_steps {
    const struct hc_cluster_run *run;
    int64_t iteration; /* the last one */
    int64_t time_ms;   /* when the next one begins, Unix time */
    bool is_bursty;    /* the model, in which steps differ: */
    uint64_t seed, stream, launch;
    int64_t block;                   /* of iterations */
    double noise_ms;                 /* of a step of it, without what it has grown by */
    struct hc_cluster_stalls stalls; /* that are planted */
};

/* Times in Unix milliseconds. Where nothing is evaluated, evaluated_ms is end_ms; where nothing is
 * saved, saved_ms is evaluated_ms. */
struct hc_cluster_step {
    int64_t iteration, begin_ms, end_ms, evaluated_ms, saved_ms;
    bool is_evaluated, is_saved;
};

/* The parts of the start-up of a launch that comes to a step, in Unix seconds: Megatron's own
 * initialisation is over, the checkpoint begins to be loaded, the model is built; until the first
 * step the loaders of data are made. Without a checkpoint, loads_s is built_s. */
struct hc_cluster_launch_times {
    int64_t initialised_s, loads_s, built_s;
};
void hc_cluster_launch_times(struct hc_cluster_launch_times *times,
                             const struct hc_cluster_cycle *cycle);

/* Stand before the first step of a launch that comes to one. */
void hc_cluster_steps_begin(struct hc_cluster_steps *steps, const struct hc_cluster *cluster,
                            const struct hc_cluster_cycle *cycle);

/* False: the run has no further iteration. */
bool hc_cluster_steps_next(struct hc_cluster_steps *steps, struct hc_cluster_step *step);

#endif
