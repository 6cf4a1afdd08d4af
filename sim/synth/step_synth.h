/* step_synth.h - step timelines that nobody recorded: a training job with known causes of slowness.
 *
 * A step is the schedule of its pipeline (1F1B, or Megatron's interleaved 1F1B) run forward in time
 * with random durations; see docs/methods/synthetic-steps.md. Every random number is a function of
 * (seed, step, dp rank, op), so a step comes out the same alone, among others, and on any number of
 * threads. Memory is that of one step.
 */
#ifndef HC_SIM_SYNTH_STEP_SYNTH_H
#define HC_SIM_SYNTH_STEP_SYNTH_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ops that a slow factor can act on. */
enum hc_synth_target {
    HC_SYNTH_COMPUTE,     /* forward, backward, optimizer and gc of a worker */
    HC_SYNTH_LINK,        /* transfers of a dp rank between a stage and the next, both ways */
    HC_SYNTH_COLLECTIVES, /* DP collectives of a stage, of all dp ranks */
    HC_SYNTH_HOST,        /* launch delays of a worker */
    HC_N_SYNTH_TARGETS
};

/* Ops of a target at one place take factor times as long. */
struct hc_synth_slow {
    int32_t dp_rank, stage; /* -1: all of them */
    double factor;
    enum hc_synth_target target;
};

/* Largest coefficient of variation of sequence loads: beyond it the part of compute that is linear
 * in the length would be negative. */
#define HC_SYNTH_MAX_SEQUENCE_CV 1.38

struct hc_synth_steps_options {
    const char *job_id, *cluster; /* cluster: NULL for "default" */
    uint64_t seed;
    int32_t dp, pp, tp, dsp; /* tp and dsp only count ranks, and dsp > 1 makes DP collectives */
    int32_t vpp;             /* model chunks a stage; more than 1: interleaved schedule */
    int32_t microbatches;    /* a step */
    int32_t n_steps, first_step, step_stride;
    bool overlap_dp; /* gradient reduction under the backward passes */

    /* Mean duration of an op, for communication of its transfer without the waiting; of
     * backward-compute: backward_ratio times that of forward-compute. gc is 0 in real traces. */
    int64_t mean_ns[HC_N_OP_TYPES];
    double backward_ratio;
    double loss_factor; /* forward and backward of the model's last chunk, which has the loss */
    double compute_cv;  /* standard deviation over mean (lognormal); of compute ops */
    double transfer_cv; /* of communication and layernorm */
    int64_t launch_ns;  /* mean launch delay of an op */
    double launch_cv;

    size_t n_slow;
    const struct hc_synth_slow *slow; /* factors of several that match multiply */
    int64_t extra_ns[HC_N_OP_TYPES];  /* added to every op of the type */

    /* Each microbatch of a dp rank and step has a load of its own, of mean 1 and this variation:
     * its forward and backward passes on all stages take so many times as long. 0: none. */
    double sequence_cv;
    /* A worker pauses in one forward pass of one step in gc_every on average. 0: never. */
    int64_t gc_pause_ns;
    double gc_every;
    /* All durations of a step have a common factor: lognormal, and rho is the correlation of its
     * logarithm from a step to that with the next number. */
    double step_cv, step_rho;
    double
        wander; /* in each step compute of some one worker takes so many times as long; 0: none */
};

/* A healthy small job: dp 2, pp 4, 8 microbatches, 10 steps. */
struct hc_synth_steps_options hc_synth_steps_defaults(void);

struct hc_synth_steps;

/* HC_USAGE when the options do not fit together. The options are not needed afterwards. */
enum hc_status hc_synth_steps_open(struct hc_synth_steps **generator,
                                   const struct hc_synth_steps_options *options,
                                   struct hc_error *err);

/* Append rows to ops (hc_ops_def) up to its capacity, by step, dp rank, stage, op type, seq_id;
 * none appended is the end. Each step starts at 0. */
enum hc_status hc_synth_steps_next(struct hc_synth_steps *generator, struct hc_table *ops,
                                   struct hc_error *err);

/* The job with its sizes; the generator's. */
const struct hc_job *hc_synth_steps_job(const struct hc_synth_steps *generator);

/* Rows in all. */
int64_t hc_synth_steps_rows(const struct hc_synth_steps *generator);

void hc_synth_steps_close(struct hc_synth_steps *generator);

#endif
