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

/* Which ops of a place a slow factor acts on, instead of those of its target. */
enum hc_synth_ops {
    HC_SYNTH_OPS_OF_TARGET,
    HC_SYNTH_OPS_FORWARD, /* forward passes; of a link, forward transfers */
    HC_SYNTH_OPS_BACKWARD,
    HC_SYNTH_OPS_BOTH,      /* these two: not the optimizer */
    HC_SYNTH_OPS_TRANSFERS, /* transfers between stages, at both ends, and the worker's part of
                               collectives: its network card */
    HC_SYNTH_OPS_ALL        /* transfers and compute */
};

/* When and on what a slow factor acts. Zeroes: on all ops of the target, in all steps. */
struct hc_synth_limits {
    enum hc_synth_ops ops;
    bool has_steps;
    int32_t first_step, last_step; /* step numbers, both slow */
    int32_t every;                 /* only in each so manieth step number, from first_step on */
    double duty;                   /* only in this share of these steps, drawn; 0: in all */
    double passes; /* only on this share of the passes of a slow step, drawn; 0: on all */
    double from;   /* only on microbatches from this share of a step on: a chip that throttles */
};

/* Ops of a target at one place take factor times as long. */
struct hc_synth_slow {
    int32_t dp_rank, stage; /* -1: all of them */
    double factor;
    enum hc_synth_target target;
    struct hc_synth_limits limits;
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
    /* The same for each stage by itself, as where tokens choose among the experts of a stage. */
    double moe_cv;
    /* A worker pauses in one forward pass of one step in gc_every on average. 0: never. */
    int64_t gc_pause_ns;
    double gc_every;
    /* All workers pause at the same time in each step whose number is a multiple of planned_every,
     * once the pipeline has filled: stage s in its forward pass pp - 1 - s. 0: never. */
    int64_t planned_pause_ns;
    int32_t planned_every;
    /* Ops of the first warmup_steps steps each take 1 + (warmup - 1) e times as long, where e is
     * exponential of mean 1. 0: none. */
    double warmup;
    int32_t warmup_steps;
    /* All durations of a step have a common factor: lognormal, and rho is the correlation of its
     * logarithm from a step to that with the next number. */
    double step_cv, step_rho;
    double
        wander; /* in each step compute of some one worker takes so many times as long; 0: none */

    /* Ranks of the job run on nodes of gpus_per_node GPUs each, gpu-000 and so on from first_node:
     * for the metadata. 0: not known. */
    int32_t gpus_per_node, first_node;
    int64_t start_unix_ns; /* of the metadata; HC_MISSING_I64: not known */
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
