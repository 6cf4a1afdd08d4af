/* trace_load.h - the step timeline that an argument names, loaded: a trace file, or a job of the
 * archive. */
#ifndef HC_PIPELINE_INPUTS_TRACE_LOAD_H
#define HC_PIPELINE_INPUTS_TRACE_LOAD_H

#include "core/base/status.h"
#include "core/base/step_ranges.h"
#include "pipeline/inputs/source_input.h"
#include "sim/replay/step_trace.h"
#include "sim/whatif/whatif.h"
#include "store/archive/archive.h"

#include <stdbool.h>
#include <stdint.h>

/* The trace that was read, first hand, and where it was read from. */
struct hc_trace_origin {
    const char *source_path, *source_sha256, *format;
    int64_t source_size;
    int32_t format_version;
    const char *archive, *segment; /* NULL for a file */
};

struct hc_loaded_trace {
    struct hc_step_trace *trace;
    struct hc_trace_origin origin; /* valid until the trace is released */
    double max_bad; /* of the rows read, beyond which they are refused: of an archived job 1, as
                       the ingest judged them */
    char *label;    /* "'trace.csv'" or "job 'default/AR'", for messages */
    struct hc_source_input input; /* of a file */
    struct hc_segment *segment;   /* of a job */
};

/* What an argument may name, and the archive, which is opened when the first job is named. */
struct hc_trace_loader {
    const char *archive_path;
    const struct hc_trace_options *trace_options;
    struct hc_archive *archive;
};

/* A file of that name wins over a job; a directory is no trace; "-" is standard input. */
bool hc_is_trace_file(const char *argument);
/* The same, or it stands for the files of a set of the options, as a directory may. */
bool hc_is_trace_input(const struct hc_trace_options *options, const char *argument);

/* Load what argument names. loaded is filled on success only and then the caller's to
 * hc_loaded_trace_release. */
enum hc_status hc_trace_load(struct hc_loaded_trace *loaded, struct hc_trace_loader *loader,
                             const char *argument, struct hc_error *err);

/* The job of one entry of an open archive, which outlives loaded. */
enum hc_status hc_trace_load_entry(struct hc_loaded_trace *loaded, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err);

void hc_loaded_trace_release(struct hc_loaded_trace *loaded);

/* The steps of a trace: those analysed, and those left out. */
struct hc_step_lists {
    size_t n_steps;
    const int32_t *steps;
    size_t n_left_out;
    const struct hc_left_out_step *left_out;
};

/* A step that --steps asks for and that is not there may be a slip of the pen: warn of it. */
void hc_warn_absent_steps(const struct hc_step_ranges *ranges, const char *job_id,
                          const struct hc_step_lists *lists);

/* Close the archive, if one was opened. */
void hc_trace_loader_close(struct hc_trace_loader *loader);

#endif
