/* timed_input.h - the logs of timed collectives of a job, from files, directories and tar archives,
 * or from an archive of hindcast, as a set for a report; and the bandwidths that they are held
 * against. */
#ifndef HC_PIPELINE_INPUTS_TIMED_INPUT_H
#define HC_PIPELINE_INPUTS_TIMED_INPUT_H

#include "models/timings/timed_set.h"
#include "pipeline/inputs/trace_load.h"

/* Where a log came from. */
struct hc_timed_source {
    char *path;
    char sha256[HC_DIGEST_TEXT];
    int64_t size;
    char *segment; /* of an archive, or NULL */
    int64_t n_records, n_dropped;
};

struct hc_timed_input {
    struct hc_timed_set set;
    struct hc_job job;
    char *label; /* "'logs/'" or "job 'default/run'", for messages */
    size_t n_sources, capacity;
    struct hc_timed_source *sources;
    size_t n_twins;    /* logs that are the same bytes as another */
    size_t n_left_out; /* files of directories and archives that are no such logs */
    const char *archive;
};

/* What an argument names: whether logs of timed collectives, as hc_is_profile tells of profiler
 * traces (profile_load.h). */
bool hc_is_timed(struct hc_trace_loader *loader, const char *argument);

/* Load all logs that the arguments name. HC_BAD_INPUT: a file that was named is no such log, or
 * none of a directory is. input is filled on success only. */
enum hc_status hc_timed_load(struct hc_timed_input *input, struct hc_trace_loader *loader,
                             const char *const *arguments, size_t n, struct hc_error *err);
void hc_timed_input_fini(struct hc_timed_input *input);

#endif
