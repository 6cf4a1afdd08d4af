/* trace_input.h - a step timeline read from a file or standard input, for ingest and what-if. */
#ifndef HC_CLI_TRACE_INPUT_H
#define HC_CLI_TRACE_INPUT_H

#include "cli/options.h"
#include "core/job.h"
#include "core/row_report.h"
#include "core/status.h"
#include "core/table.h"
#include "parsers/format.h"
#include "parsers/source.h"
#include "store/segment.h"

#include <stdbool.h>

struct hc_trace_options {
    const char *format; /* name, or NULL: by content */
    const char *meta;   /* file, "none", or NULL: the one beside the trace */
    double max_bad;
    bool float32;
};
extern const struct hc_option hc_trace_options[];
/* Those that also go with incidents: --format and --max-bad. */
extern const struct hc_option hc_incident_options[];

/* HC_USAGE for options that contradict each other or the number of traces. */
enum hc_status hc_trace_options_check(const struct hc_trace_options *options, size_t n_traces,
                                      struct hc_error *err);

struct hc_trace_input {
    const struct hc_trace_options *options;
    struct hc_source source;
    const struct hc_format *format;
    struct hc_job job;           /* of the metadata, else only an id */
    struct hc_row_report report; /* filled by hc_trace_input_read */
};

/* Open path ("-" is standard input), read its metadata, recognise its format. No row is read. The
 * options stay valid until close. */
enum hc_status hc_trace_input_open(struct hc_trace_input *input, const char *path,
                                   const struct hc_trace_options *options, struct hc_error *err);

/* The job that opening path would give, from its name and its metadata alone. Zeroed on failure,
 * else the caller's to hc_job_fini. */
enum hc_status hc_trace_input_job(struct hc_job *job, const char *path,
                                  const struct hc_trace_options *options, struct hc_error *err);

typedef enum hc_status hc_trace_batch(const struct hc_table *ops, void *context,
                                      struct hc_error *err);

/* Read it all: batch is called for each batch of rows, with progress. HC_BAD_INPUT when more rows
 * are bad than --max-bad allows, or none is good. */
enum hc_status hc_trace_input_read(struct hc_trace_input *input, hc_trace_batch *batch,
                                   void *context, struct hc_error *err);

/* Where the rows come from, with the counts of the report as it is now. The caller releases it. */
enum hc_status hc_trace_input_provenance(const struct hc_trace_input *input,
                                         struct hc_provenance *provenance, struct hc_error *err);

/* Does nothing on a zeroed struct. */
void hc_trace_input_close(struct hc_trace_input *input);

#endif
