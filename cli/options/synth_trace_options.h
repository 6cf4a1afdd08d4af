/* synth_trace_options.h - the options of `hindcast synth kineto`, and what the generator makes of
 * them. */
#ifndef HC_CLI_OPTIONS_SYNTH_TRACE_OPTIONS_H
#define HC_CLI_OPTIONS_SYNTH_TRACE_OPTIONS_H

#include "cli/frame/options.h"
#include "sim/synth/trace_synth.h"

struct hc_synth_trace_settings {
    struct hc_common_options common;
    int64_t seed, dp, pp, layers, microbatches, steps, first_step;
    double kernel_us, p2p_us, all_reduce_us, jitter_cv;
    struct hc_words slow_ranks, slow_kernels, slow_links, late_hosts, pauses, clocks;
    double clock_spread_ms, drift_spread_ppm, lost_share;
    bool no_seq, names_differ, gzip;
};

extern const struct hc_option hc_synth_trace_options[];

/* What the options borrow: the caller's to free, whatever the result. */
struct hc_synth_trace_lists {
    struct hc_trace_plant *plants;
    struct hc_trace_clock *clocks;
};
void hc_synth_trace_lists_fini(struct hc_synth_trace_lists *lists);

/* HC_USAGE names the option and value that cannot be read. */
enum hc_status hc_synth_trace_options_fill(struct hc_trace_synth_options *options,
                                           struct hc_synth_trace_lists *lists,
                                           const struct hc_synth_trace_settings *settings,
                                           struct hc_error *err);

#endif
