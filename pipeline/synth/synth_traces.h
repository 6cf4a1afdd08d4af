/* synth_traces.h - a directory of synthetic profiler traces, one a rank, with truth.json beside
 * (docs/formats/trace-truth.md). */
#ifndef HC_PIPELINE_SYNTH_SYNTH_TRACES_H
#define HC_PIPELINE_SYNTH_SYNTH_TRACES_H

#include "core/base/status.h"
#include "sim/synth/trace_synth.h"

#include <stdbool.h>

struct hc_synth_traces {
    const char *directory; /* empty, or not there */
    bool packs;            /* .json.gz */
    struct hc_trace_synth_options options;
};

/* Write the traces and their truth: all of them or none. HC_USAGE when something is in the
 * directory, or the options make no sense. */
enum hc_status hc_synth_traces_write(const struct hc_synth_traces *traces, struct hc_error *err);

#endif
