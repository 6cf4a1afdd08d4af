/* trace_synth.h - synthetic profiler traces: what the ranks of a training job would have recorded,
 * with causes of slowness whose cost is known.
 *
 * The job is simulated: every rank runs a program of launches on its CPU, its GPU has streams, and
 * a collective ends a transfer after its last member arrived (docs/methods/synthetic-traces.md).
 * The same simulation without a planted cause says what that cause costs. Random numbers are drawn
 * by place, so both have the same ones, and equal options give equal events.
 *
 *     hc_trace_synth_open(&synth, &options, err);
 *     while (hc_trace_synth_step(synth, &is_end, err) == HC_OK && !is_end)
 *         for each rank: hc_trace_synth_events(synth, rank, &n)
 *     hc_trace_synth_close(synth);
 */
#ifndef HC_SIM_SYNTH_TRACE_SYNTH_H
#define HC_SIM_SYNTH_TRACE_SYNTH_H

#include "core/base/status.h"
#include "sim/synth/trace_event.h"

#include <stdbool.h>

#define HC_TRACE_SYNTH_MAX_RANKS 512

enum hc_trace_plant_kind {
    HC_PLANT_SLOW_RANK,   /* all its kernels take factor times as long */
    HC_PLANT_SLOW_KERNEL, /* those whose name contains `kernel` */
    HC_PLANT_SLOW_LINK,   /* transfers that both ranks take part in */
    HC_PLANT_LATE_HOST,   /* each step begins `ns` late on its CPU */
    HC_PLANT_PAUSE        /* its CPU pauses for `ns` in the middle of one step */
};

struct hc_trace_plant {
    enum hc_trace_plant_kind kind;
    int32_t rank, other; /* other: the other end of a link */
    int32_t step;        /* number of the step of a pause */
    double factor;
    int64_t ns;
    char kernel[64];
};

/* The clock of a rank beside the true one; drift is the share by which it runs fast. */
struct hc_trace_clock {
    int32_t rank;
    int64_t offset_ns;
    double drift;
};

struct hc_trace_synth_options {
    uint64_t seed;
    int32_t dp, pp, layers, microbatches; /* layers of each stage */
    int32_t n_steps, first_step;
    int64_t kernel_ns; /* mean of a kernel of a forward pass */
    int64_t p2p_ns, all_reduce_ns;
    double jitter_cv; /* standard deviation over mean of kernels and of CPU work */
    int64_t clock_spread_ns;
    double drift_spread; /* clocks and drifts are uniform within plus and minus their spread */
    double lost_share;   /* of events that the trace lacks, steps aside */
    bool has_no_seq, names_differ;
    size_t n_plants;
    const struct hc_trace_plant *plants; /* borrowed */
    size_t n_clocks;
    const struct hc_trace_clock *clocks; /* borrowed; in place of drawn ones */
};

/* What was planted, by the generator's own schedule. */
struct hc_trace_truth {
    int64_t total_ns;   /* first start to last end, on the true clock */
    int64_t healthy_ns; /* the same without any plant */
    int64_t *cost_ns;   /* of each plant: with it alone less healthy_ns */
};

struct hc_trace_synth;

/* HC_USAGE: sizes or plants that make no sense. options is copied, its arrays are borrowed. */
enum hc_status hc_trace_synth_open(struct hc_trace_synth **synth,
                                   const struct hc_trace_synth_options *options,
                                   struct hc_error *err);
void hc_trace_synth_close(struct hc_trace_synth *synth);

/* Simulate the next step; *is_end when there is none. */
enum hc_status hc_trace_synth_step(struct hc_trace_synth *synth, bool *is_end,
                                   struct hc_error *err);

/* The events of a rank in that step; valid until the next step. */
const struct hc_trace_event *hc_trace_synth_events(const struct hc_trace_synth *synth, int32_t rank,
                                                   size_t *n);

int32_t hc_trace_synth_ranks(const struct hc_trace_synth *synth);
/* Unix time from which the events of a rank count, on its clock. */
int64_t hc_trace_synth_base_ns(const struct hc_trace_synth *synth, int32_t rank);
struct hc_trace_clock hc_trace_synth_clock(const struct hc_trace_synth *synth, int32_t rank);
/* Events so far that the trace of a rank lacks. */
int64_t hc_trace_synth_lost(const struct hc_trace_synth *synth, int32_t rank);
/* The groups of a rank: *n of them. */
const struct hc_trace_group *hc_trace_synth_groups(const struct hc_trace_synth *synth, int32_t rank,
                                                   size_t *n);

/* Simulates the whole job once more for each plant. */
enum hc_status hc_trace_synth_truth(struct hc_trace_truth *truth,
                                    const struct hc_trace_synth_options *options,
                                    struct hc_error *err);
void hc_trace_truth_fini(struct hc_trace_truth *truth);

#endif
