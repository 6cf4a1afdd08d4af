/* step_plant.h - the planted causes of a synthetic job: what they do to the ops of one step.
 * Private to this wing.
 *
 * For step_synth.c. Drawn anew for each step, for each place: see docs/methods/synthetic-steps.md.
 */
#ifndef HC_SIM_SYNTH_STEP_PLANT_H
#define HC_SIM_SYNTH_STEP_PLANT_H

#include "core/base/status.h"
#include "sim/synth/step_limits.h"
#include "sim/synth/step_synth.h"
#include "sim/synth/step_synth_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A lognormal around mean 1. */
struct hc_synth_spread {
    double sigma, shift;
};
struct hc_synth_spread hc_synth_spread_make(double cv);
double hc_synth_spread_value(struct hc_synth_spread spread, double z);

/* What is planted in the step at hand. factor has a table [pp][dp] for each target, of what is slow
 * in all steps; NULL for a target of which nothing is. What is slow in part of the time or of the
 * ops is in `limited`. */
struct hc_synth_planted {
    double *factor[HC_N_SYNTH_TARGETS];
    size_t n_limited;
    struct hc_synth_limited *limited;

    /* Of the step at hand. */
    int32_t step;
    bool is_warming_up, is_planned_pause;
    double step_factor;
    int32_t wanderer; /* stage * dp + dp rank of the worker that is slow in it; -1: none */
    double *load;     /* [microbatches][dp] of passes; NULL: all 1 */
    struct hc_synth_pause {
        int32_t pass; /* forward pass of the stage that is longer; -1: none */
        int64_t ns;
    } * pause; /* [pp][dp]; NULL: none */
};

enum hc_status hc_synth_plant_check(const struct hc_synth_steps_options *options,
                                    struct hc_error *err);

/* Also after a failure hc_synth_plant_fini() must release what was made. */
enum hc_status hc_synth_plant_init(struct hc_synth_planted *planted,
                                   const struct hc_synth_steps_options *options,
                                   struct hc_error *err);
void hc_synth_plant_fini(struct hc_synth_planted *planted);

/* Draw what is planted in a step. */
void hc_synth_plant_step(struct hc_synth_planted *planted,
                         const struct hc_synth_steps_options *options, int32_t step);

/* What is planted on one op: the factor on its launch delay or duration, and the ns of a pause that
 * are added to its duration. */
double hc_synth_plant_factor(const struct hc_synth_planted *planted,
                             const struct hc_synth_steps_options *options,
                             const struct hc_synth_plan *plan, struct hc_synth_op op);
int64_t hc_synth_plant_pause(const struct hc_synth_planted *planted,
                             const struct hc_synth_steps_options *options,
                             const struct hc_synth_plan *plan, struct hc_synth_op op);

#endif
