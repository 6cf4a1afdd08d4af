/* trace_truth.h - truth.json beside synthetic profiler traces. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_TRACE_TRUTH_H
#define HC_PIPELINE_SYNTH_TRACE_TRUTH_H

#include "sim/synth/trace_synth.h"

#include <stdio.h>

/* Write docs/formats/trace-truth.md; synth has given all of its steps. name is the file. */
enum hc_status hc_trace_truth_write(FILE *stream, const char *name,
                                    const struct hc_trace_synth *synth,
                                    const struct hc_trace_synth_options *options,
                                    struct hc_error *err);

#endif
