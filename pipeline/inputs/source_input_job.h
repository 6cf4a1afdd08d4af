/* source_input_job.h - of which job a source is. Private to this wing; others ask
 * hc_source_input_job. */
#ifndef HC_PIPELINE_INPUTS_SOURCE_INPUT_JOB_H
#define HC_PIPELINE_INPUTS_SOURCE_INPUT_JOB_H

#include "pipeline/inputs/source_input.h"

/* The path by which a file can be found again from any directory, for the caller to free; the name
 * itself where there is none, as of standard input or a pipe. NULL with err filled: it cannot be
 * looked up. */
char *hc_source_absolute_path(const char *name, struct hc_error *err);

/* Fill the job of an input with what its metadata says, else with an id made of its name;
 * is_of_rank and options are filled. HC_BAD_INPUT: the metadata is wrong. */
enum hc_status hc_source_read_metadata(struct hc_source_input *input, const char *path,
                                       struct hc_error *err);

#endif
