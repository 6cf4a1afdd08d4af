/* step_levels.h - how long the passes of each worker take in each step, over what they usually
 * take. Private to this wing.
 *
 * The level of a worker in a step is the median, over its forward or its backward passes, of
 * duration over base. It is taken apart, step by step, by medians (Tukey's median polish, one
 * round): level = job(step) * dp rank(step) * stage(step) * own(step) so that what all workers
 * share, or all stages of a dp rank, or all dp ranks of a stage, is not seen once for each of them.
 * Medians of an even number are the smaller middle one: of two that differ, one is slow, and not
 * each half.
 */
#ifndef HC_SIM_WHATIF_CAUSE_STEP_LEVELS_H
#define HC_SIM_WHATIF_CAUSE_STEP_LEVELS_H

#include "sim/whatif/cause/cause_search.h"

/* The parts of a level, and the units that each has: the job 1, then dp_size, n_stages, and
 * dp_size * n_stages (dp_rank * n_stages + stage). With one stage, or one dp rank, the part of dp
 * ranks, or of stages, is 1: what is slow then is the worker. */
enum hc_level_part {
    HC_LEVEL_JOB,
    HC_LEVEL_DP_RANK,
    HC_LEVEL_STAGE,
    HC_LEVEL_OWN,
    HC_N_LEVEL_PARTS
};

struct hc_step_levels {
    size_t n_steps, dp_size, n_stages;
    size_t n_units[HC_N_LEVEL_PARTS];
    double *part[HC_N_LEVEL_PARTS][HC_N_PASSES]; /* [n_units][n_steps] */
    /* [n_stages] standard error of a level, as the passes of one step differ. What they differ by
     * is their microbatch for the most part, so all stages of a dp rank share it. */
    double *pass_error[HC_N_PASSES];
    double *work_ns[HC_N_PASSES]; /* [n_stages] base of all passes of a worker in a step: the mean
                                     over the steps */
};

/* Find the levels by the bases of the model, whose lines and bases must be there. HC_INTERNAL
 * without memory. */
enum hc_status hc_step_levels_find(struct hc_step_levels *levels, const struct hc_pass_model *model,
                                   struct hc_error *err);
/* The level of a worker in a step without what the whole job shares. */
double hc_worker_level(const struct hc_step_levels *levels, size_t worker, size_t step, int pass);

/* Whether two series of marks [n] are set together: both in 60 % of the places in which one of
 * them is. */
bool hc_same_steps(const uint8_t *a, const uint8_t *b, size_t n);

void hc_step_levels_fini(struct hc_step_levels *levels);

#endif
