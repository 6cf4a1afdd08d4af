/* synth_options.h - the options of `hindcast synth steps`, and what the generator makes of them. */
#ifndef HC_CLI_OPTIONS_SYNTH_OPTIONS_H
#define HC_CLI_OPTIONS_SYNTH_OPTIONS_H

#include "cli/frame/options.h"
#include "core/base/status.h"
#include "sim/synth/step_synth.h"

#include <stdbool.h>
#include <stdint.h>

/* Times are milliseconds. */
struct hc_synth_settings {
    struct hc_common_options common;
    const char *job, *meta; /* NULL: from the name of the output */
    const char *cluster;    /* NULL: "default" */
    bool no_meta, float32;
    int64_t fleet; /* jobs of a fleet; 0: one job, by the other options */
    bool with_discards;
    int64_t seed, dp, pp, vpp, tp, dsp, microbatches, steps, first_step, step_stride;
    bool overlap_dp;
    double forward, backward_ratio, loss_factor, compute_cv;
    double p2p, all_gather, reduce_scatter, separate, embedding, layernorm, clip, optimizer;
    double transfer_cv, launch, launch_cv;
    struct hc_words slow_workers, slow_stages, slow_ranks, extras;
    double sequence_cv, gc_pause, gc_every, step_cv, step_rho, wander;
    struct hc_words slow_links, slow_collectives, slow_hosts, slow_nics;
    double moe_cv, planned_pause;
    int64_t planned_every;
    const char *warmup, *nodes, *start; /* NULL: none */
};

extern const struct hc_option hc_synth_options[];

/* Fill options from settings; *slow is their list of slow workers and the caller's to free,
 * whatever the result. HC_USAGE names the option and value that cannot be read. */
enum hc_status hc_synth_options_fill(struct hc_synth_steps_options *options,
                                     struct hc_synth_slow **slow,
                                     const struct hc_synth_settings *settings,
                                     struct hc_error *err);

/* HC_USAGE unless what was given goes with --fleet: its jobs have sizes and causes of their own,
 * and its output is a directory. */
enum hc_status hc_synth_options_check_fleet(const struct hc_synth_settings *settings,
                                            struct hc_error *err);

#endif
