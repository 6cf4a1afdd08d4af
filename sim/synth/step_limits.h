/* step_limits.h - a planted slowness that acts in part of the time or of the ops: in which steps it
 * is on, and on which ops of them it acts. Private to this wing.
 *
 * For step_plant.c. Whether it is on in a step, and on which passes, is drawn by place: see
 * docs/methods/synthetic-steps.md.
 */
#ifndef HC_SIM_SYNTH_STEP_LIMITS_H
#define HC_SIM_SYNTH_STEP_LIMITS_H

#include "core/base/status.h"
#include "sim/synth/step_synth.h"
#include "sim/synth/step_synth_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ops that a target has at its place: HC_N_SYNTH_TARGETS for those that none has. */
enum hc_synth_target hc_synth_target_of(int type);

/* The stage in whose row a factor on an op of this type and stage stands. A link has that of the
 * stage it leaves; the link of the last stage leads to the next chunk of the first. */
size_t hc_synth_place_of(const struct hc_synth_steps_options *options, int type, int32_t stage);

/* Whether anything limits it: if not, it acts on all ops of its target in all steps. */
bool hc_synth_is_limited(const struct hc_synth_slow *slow);

/* HC_USAGE when the limits make no sense, or not for this target. */
enum hc_status hc_synth_limits_check(const struct hc_synth_slow *slow, struct hc_error *err);

/* One slowness with limits, in the step at hand. */
struct hc_synth_limited {
    struct hc_synth_slow slow;
    uint64_t place; /* where its own draws are: what it is, and the how manieth of its kind */
    bool is_on;
    uint64_t key; /* seed of the draws of its passes */
};

/* An op of a dp rank, by its number in the plan: its duration, or its launch delay. */
struct hc_synth_op {
    size_t op, dp;
    bool is_delay;
};

/* Those of options that are limited, into limited, which has room for all; how many they are. */
size_t hc_synth_limited_list(struct hc_synth_limited *limited,
                             const struct hc_synth_steps_options *options);

/* Turn each on or off for a step. */
void hc_synth_limited_step(struct hc_synth_limited *limited, size_t n, uint64_t seed, int32_t step);

/* Product of the factors that act on an op. */
double hc_synth_limited_factor(const struct hc_synth_limited *limited, size_t n,
                               const struct hc_synth_steps_options *options,
                               const struct hc_synth_plan *plan, struct hc_synth_op op);

#endif
