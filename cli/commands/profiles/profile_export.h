/* profile_export.h - profiler traces as a timeline for a viewer: what `export` does with them.
 */
#ifndef HC_CLI_COMMANDS_PROFILES_PROFILE_EXPORT_H
#define HC_CLI_COMMANDS_PROFILES_PROFILE_EXPORT_H

#include "cli/options/trace_options.h"
#include "core/base/step_ranges.h"
#include "pipeline/inputs/profile_load.h"
#include "sim/profiles/profile_timeline.h"

/* What the command was given. */
struct hc_profile_export {
    struct hc_trace_loader *loader;
    const struct hc_words *words;       /* files and directories, or a job */
    const struct hc_step_ranges *steps; /* one range of numbers, or none */
    const char *output; /* file; "-": standard output; ".gz" behind it: compressed */
    enum hc_profile_timeline timeline;
    bool adds_ideal;   /* the ideal timeline stands beside that one */
    bool keeps_clocks; /* --no-align */
    int threads;
};

/* Load, replay, write. */
enum hc_status hc_profile_export(const struct hc_profile_export *given, struct hc_error *err);

#endif
