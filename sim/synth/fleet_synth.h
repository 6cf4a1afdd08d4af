/* fleet_synth.h - jobs of many shapes with planted causes of slowness, for trying out what finds
 * causes. Job n of a fleet is a function of (seed, number of jobs, n); see
 * docs/methods/synthetic-steps.md.
 */
#ifndef HC_SIM_SYNTH_FLEET_SYNTH_H
#define HC_SIM_SYNTH_FLEET_SYNTH_H

#include "core/base/status.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif_depth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_MAX_FLEET_JOBS    100000
#define HC_MAX_FLEET_PLANTED 2
#define HC_MAX_FLEET_SLOW    (HC_MAX_FLEET_PLANTED + 1)

/* One planted cause. strength is, for worker, stage and link, the factor by which ops take longer;
 * for sequence the coefficient of variation of loads; for gc the mean pause and for launch the mean
 * delay of the late workers, both in ms. */
struct hc_fleet_planted {
    enum hc_straggler_cause cause;
    double strength;
    int32_t dp_rank, stage; /* where; HC_MISSING_I32: not at one */
};

struct hc_fleet_synth_job {
    char id[24]; /* fleet-0001 */
    size_t n_planted;
    struct hc_fleet_planted planted[HC_MAX_FLEET_PLANTED];
    bool is_too_short;                     /* one or two steps: a funnel must discard it */
    struct hc_synth_steps_options options; /* slow is the array below, job_id is id */
    struct hc_synth_slow slow[HC_MAX_FLEET_SLOW];
};

struct hc_fleet_synth_options {
    uint64_t seed;
    int32_t n_jobs;
    bool with_discards; /* one job in 20 is too short */
};

/* The jobs of a fleet, in the order of their numbers; the caller's to free. A job holds pointers
 * into itself, so that copies of it are not valid. */
enum hc_status hc_fleet_synth_new(struct hc_fleet_synth_job **jobs,
                                  const struct hc_fleet_synth_options *options,
                                  struct hc_error *err);

#endif
