/* profile_load.h - the profiler traces of a job, loaded from files, directories or an archive. */
#ifndef HC_PIPELINE_INPUTS_PROFILE_LOAD_H
#define HC_PIPELINE_INPUTS_PROFILE_LOAD_H

#include "models/profiles/profile.h"
#include "pipeline/inputs/trace_load.h"
#include "pipeline/sources/source_list.h"

/* Where a rank came from. */
struct hc_profile_source {
    char *path; /* of the file */
    char sha256[HC_DIGEST_TEXT];
    int64_t size;
    char *format;
    char *segment;     /* of an archive, or NULL */
    int64_t rows_read; /* events */
    int64_t n_bad;     /* dropped */
    char first_bad[200];
};

struct hc_loaded_profile {
    struct hc_profile profile; /* linked */
    enum hc_steps_by by;
    struct hc_job job;
    char *label; /* "'traces/'" or "job 'default/run'", for messages */
    size_t n_sources;
    struct hc_profile_source *sources; /* in the order in which they were given */
    size_t n_left_out;                 /* files of directories that are no profiler trace */
    char *left_out;                    /* the first of them, or NULL */
    const char *archive;
};

/* What an argument names: *is tells whether profiler traces. A directory: whether the first file in
 * it whose format is known is one; a file: its format; else the archive, which is opened then:
 * whether it has a job of profiler traces, and no step timeline, of that name. HC_OK with *is false
 * also where nothing is found, so that whoever reads other kinds says so. */
enum hc_status hc_is_profile(struct hc_trace_loader *loader, const char *argument, bool *is,
                             struct hc_error *err);

/* Whether the archive, which is opened then, has a job of profiler traces, and no step timeline, of
 * that name; false also where it cannot be opened. */
bool hc_is_profile_job(struct hc_trace_loader *loader, const char *name);

/* Files and directories, or one job of the archive. */
struct hc_profile_choice {
    size_t n;
    const char *const *arguments;
    enum hc_steps_by by;
    bool is_job; /* the one argument names a job, whatever files there are of that name */
};

/* Load all ranks that the arguments name, and link them (hc_profile_link, which says what of ranks
 * is refused). HC_BAD_INPUT: a file that was named is no profiler trace, or none of a directory
 * is. loaded is filled on success only. */
enum hc_status hc_profile_load(struct hc_loaded_profile *loaded, struct hc_trace_loader *loader,
                               const struct hc_profile_choice *choice, struct hc_error *err);
void hc_loaded_profile_fini(struct hc_loaded_profile *loaded);

#endif
