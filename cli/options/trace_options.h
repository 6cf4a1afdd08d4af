/* trace_options.h - the options that say how a trace or a list of incidents is read. */
#ifndef HC_CLI_OPTIONS_TRACE_OPTIONS_H
#define HC_CLI_OPTIONS_TRACE_OPTIONS_H

#include "cli/frame/options.h"
#include "core/base/status.h"
#include "pipeline/inputs/source_input.h"

/* Of a struct hc_trace_options: all of them. */
extern const struct hc_option hc_trace_options[];
/* Those that also go with incidents: --format, --max-bad, --max-rows-per-byte. */
extern const struct hc_option hc_incident_options[];

/* HC_USAGE for options that contradict each other or the number of traces. */
enum hc_status hc_trace_options_check(const struct hc_trace_options *options, size_t n_traces,
                                      struct hc_error *err);

#endif
