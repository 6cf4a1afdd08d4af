/* trace_choice.h - steps of a timeline as one argument names them: FILE@STEPS, JOB#ATTEMPT@STEPS.
 *
 * What follows the last '@' is a list of steps, unless a file, or a job of the archive, has exactly
 * that name with it, or it begins with no digit and what is in front of it is no exact name. Other
 * choices (runs, dates) are to stand in the same place.
 */
#ifndef HC_PIPELINE_INPUTS_TRACE_CHOICE_H
#define HC_PIPELINE_INPUTS_TRACE_CHOICE_H

#include "core/base/status.h"
#include "core/base/step_ranges.h"
#include "pipeline/inputs/trace_load.h"

struct hc_trace_choice {
    char *name; /* of the file, or of the job with its attempt: for hc_trace_load */
    struct hc_step_ranges steps; /* none: all; its text is part of the argument */
};

/* Read an argument, which outlives the choice. Opens the archive of the loader where it needs to
 * know the names of jobs; that it cannot be opened is no failure here. HC_USAGE for a list of steps
 * that is none, for two of them, and for the attempt of a file. choice is filled on success only
 * and then the caller's to hc_trace_choice_fini. */
enum hc_status hc_trace_choice_parse(struct hc_trace_choice *choice, const char *argument,
                                     struct hc_trace_loader *loader, struct hc_error *err);
void hc_trace_choice_fini(struct hc_trace_choice *choice);

#endif
