/* study_profile.h - profiler traces that a scenario names as its input: for the provider of
 * recorded data (pipeline/inputs/study_data.h). */
#ifndef HC_PIPELINE_INPUTS_STUDY_PROFILE_H
#define HC_PIPELINE_INPUTS_STUDY_PROFILE_H

#include "pipeline/inputs/profile_load.h"
#include "study/grammar/data_provider.h"

/* Load what the source names, replay it once, and keep it as its timeline: a struct
 * hc_replay_input with a profile. path and sha256 are those of the file, or of the first of
 * several, whose digest is then that of all their digests, in order of the ranks. */
enum hc_status hc_study_profile_read(struct hc_data_source *source, struct hc_trace_loader *loader,
                                     struct hc_error *err);

#endif
