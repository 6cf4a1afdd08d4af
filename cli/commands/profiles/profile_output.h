/* profile_output.h - profiler traces loaded, analysed and written: what `whatif` on them and the
 * reports of them share. */
#ifndef HC_CLI_COMMANDS_PROFILES_PROFILE_OUTPUT_H
#define HC_CLI_COMMANDS_PROFILES_PROFILE_OUTPUT_H

#include "cli/commands/profiles/profile_questions.h"
#include "cli/options/report_options.h"
#include "cli/options/trace_options.h"
#include "pipeline/inputs/profile_load.h"
#include "reports/profiles/profile_report.h"

enum hc_profile_part {
    HC_PROFILE_BREAKDOWN = 1 << 0,
    HC_PROFILE_COLLECTIVES = 1 << 1,
    HC_PROFILE_STRAGGLERS = 1 << 2,
    HC_PROFILE_CLOCKS = 1 << 3,
    HC_PROFILE_PATH = 1 << 4,
    HC_PROFILE_WHATIF = 1 << 5,
};

/* What a command was given. */
struct hc_profile_request {
    const struct hc_common_options *common;
    const struct hc_archive_options *archive;
    const struct hc_trace_options *trace;
    const struct hc_report_options *report;
    const struct hc_words *words; /* files and directories, or a job */
    unsigned parts;               /* of enum hc_profile_part */
    enum hc_breakdown_like like;
    enum hc_steps_by steps_by;
    bool keeps_clocks;                  /* --no-align */
    const struct hc_step_ranges *steps; /* one range of numbers, or none; NULL: none */
    const struct hc_words *baseline;    /* tables of nccl-tests; NULL: none */
    double below;                       /* share of them that is worth saying */
    struct hc_profile_asked asked;
    const char *execution; /* execution traces of the ranks: file, directory, tar; NULL: none */
};

/* The steps of the window: one range of numbers, or all where none are named (also NULL). HC_USAGE:
 * several ranges. */
enum hc_status hc_profile_choose_steps(struct hc_profile_whatif_options *options,
                                       const struct hc_step_ranges *steps, struct hc_error *err);

/* Load, analyse, write. */
enum hc_status hc_profile_run(const struct hc_profile_request *request, struct hc_error *err);

#endif
