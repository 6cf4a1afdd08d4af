/* execution_input.h - execution traces beside profiler traces: read, and joined to the ranks. */
#ifndef HC_PIPELINE_INPUTS_EXECUTION_INPUT_H
#define HC_PIPELINE_INPUTS_EXECUTION_INPUT_H

#include "models/profiles/profile.h"
#include "pipeline/inputs/source_input.h"

/* Read the execution traces that path names (a file, a directory or a tar archive of those of all
 * ranks) and join each to its rank; a lone one to a lone rank, whatever its number. Ranks without
 * one, traces without a rank and joins that are refused are said in warnings. HC_BAD_INPUT: path
 * holds none, or two of one rank. */
enum hc_status hc_execution_join_path(struct hc_profile *profile, const char *path,
                                      const struct hc_trace_options *options, struct hc_error *err);

#endif
