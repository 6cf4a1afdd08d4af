/* timing_output.h - logs of timed collectives loaded, analysed and written, for the commands on
 * them. */
#ifndef HC_CLI_COMMANDS_PROFILES_TIMING_OUTPUT_H
#define HC_CLI_COMMANDS_PROFILES_TIMING_OUTPUT_H

#include "cli/options/report_options.h"
#include "cli/options/trace_options.h"
#include "pipeline/inputs/trace_load.h"

/* What a command was given. */
struct hc_timing_request {
    const struct hc_common_options *common;
    const struct hc_report_options *report;
    const struct hc_words *words;    /* files and directories, or a job */
    const struct hc_words *baseline; /* --baseline: names, or none */
    double below;                    /* --below */
};

/* Load, analyse, write. */
enum hc_status hc_timing_run(const struct hc_timing_request *request,
                             struct hc_trace_loader *loader, struct hc_error *err);

#endif
