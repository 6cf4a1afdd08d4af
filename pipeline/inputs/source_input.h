/* source_input.h - what is read from a file or standard input, of whatever kind: the one path for
 * ingest, what-if and reports. */
#ifndef HC_PIPELINE_INPUTS_SOURCE_INPUT_H
#define HC_PIPELINE_INPUTS_SOURCE_INPUT_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "parsers/io/format.h"
#include "parsers/io/source.h"
#include "parsers/io/watermark.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/sources/rank_source.h"
#include "store/segment/segment.h"

#include <stdbool.h>

/* A file that was cut, replaced or removed while rows at its end waited (hc_watermark.waits): what
 * is known at that end tells them. */
struct hc_ended_source {
    const struct hc_watermark *watermark;
    int64_t written_ns; /* when its file was written last */
};

/* How a source is read. */
struct hc_trace_options {
    const char *format; /* name, or NULL: by content */
    const char *meta;   /* file, "none", or NULL: the one beside the trace */
    double max_bad;
    bool float32;
    int64_t max_rows_per_byte, max_step_ops; /* 0: any number */
    const struct hc_zone *zone;              /* of local times that say no zone; NULL: UTC */
    const char *cluster;                     /* of records that name none; NULL: "default" */
    struct hc_pattern_text patterns;         /* by which lines of logs are known, before our own */
    const struct hc_table_map *map;          /* how to read a table of any tool; or NULL */
    const struct hc_text_pattern
        *path;       /* whose groups say what the name of a file tells; or NULL */
    bool lines_wait; /* of logs that are still written: what follows the last line feed is left */
    const struct hc_watermarks *watermarks; /* with lines_wait: from which files that grew are read
                                               on; NULL: they are read from their start */
    const struct hc_ended_source *ended; /* in place of the file: what waited at its end; or NULL */
    const struct hc_rank_sets *sets;     /* which paths stand for the files of a set; NULL: none */
};
/* For what is read without any options given; cli/options/trace_options.c says the same. */
#define HC_TRACE_DEFAULTS                                                                          \
    {                                                                                              \
        .max_bad = 0.01, .max_rows_per_byte = 100, .max_step_ops = 1000000                         \
    }

struct hc_source_input {
    const struct hc_trace_options *options;
    struct hc_source source;      /* of a set: what its files are together, without a descriptor */
    struct hc_rank_source *ranks; /* the files of a set; NULL: the source is one file */
    const struct hc_format *format;
    const struct hc_kind *kind;  /* that the format yields */
    struct hc_table_names names; /* texts behind the codes of its tables, filled by reading */
    struct hc_job job;           /* of the metadata, else only an id */
    struct hc_row_report report; /* filled by hc_source_input_read */
    int64_t n_rows;              /* as the container says from the first batch on, or -1 */
    bool is_of_rank;             /* of what one rank recorded, by the first look at it */
    int64_t n_waiting;           /* bytes of a last line that is not finished, and not read */
    const struct hc_watermark
        *went_on;  /* which of the options' fits: reading begins there; or NULL */
    size_t n_fits; /* all that fit: the file has what was read up to each of them */
    const struct hc_watermark *fits[HC_WATERMARKS_MOST];
    struct hc_digest_cut last_line; /* of plain files that wait for lines, else zeroed */
    struct hc_watermark watermark;  /* filled by reading: how far it came; or zeroed */
};

/* Open path ("-" is standard input), read its metadata, recognise its format. No row is read. The
 * options stay valid until close. */
enum hc_status hc_source_input_open(struct hc_source_input *input, const char *path,
                                    const struct hc_trace_options *options, struct hc_error *err);

/* The same of a source that is open: it becomes that of the input, also on failure. */
enum hc_status hc_source_input_take(struct hc_source_input *input, struct hc_source *source,
                                    const struct hc_trace_options *options, struct hc_error *err);

/* The job that opening path would give, from its name and its metadata alone. Zeroed on failure,
 * else the caller's to hc_job_fini. */
enum hc_status hc_source_input_job(struct hc_job *job, const char *path,
                                   const struct hc_trace_options *options, struct hc_error *err);

/* Whether the file at path is what one rank of a job recorded (struct hc_kind, rank_table): by its
 * first bytes, or by the format that the options name. */
bool hc_source_is_of_rank(const char *path, const struct hc_trace_options *options);

/* HC_BAD_INPUT unless what was opened is of the kind whose main table is def. */
enum hc_status hc_source_input_expect(const struct hc_source_input *input,
                                      const struct hc_table_def *def, struct hc_error *err);

/* Read it all, with progress: sink is called for each batch of rows of the main table of the kind,
 * and at the end once for each other table that the parser makes. Of a format that fills its tables
 * side by side (next_tables), batches of all of them come in turns, never an empty one.
 * HC_BAD_INPUT when more rows are bad than --max-bad allows, or none is good where the kind needs
 * some, HC_IO when the file was changed meanwhile. */
enum hc_status hc_source_input_read(struct hc_source_input *input, hc_table_sink *sink,
                                    void *context, struct hc_error *err);

/* Between batches, with the rows that the receiver found to be there twice: HC_BAD_INPUT as soon as
 * more rows are bad than --max-bad allows of all that the container says to have. */
enum hc_status hc_source_input_check_bad(const struct hc_source_input *input, int64_t n_duplicates,
                                         struct hc_error *err);

/* Where the rows come from, with the counts of the report as it is now. The caller releases it. */
enum hc_status hc_source_input_provenance(const struct hc_source_input *input,
                                          struct hc_provenance *provenance, struct hc_error *err);

/* After the last row: give back what reading took (descriptor, texts of codes), and keep what is
 * said of the source (name, digest, job, counts). */
void hc_source_input_let_go(struct hc_source_input *input);

/* Does nothing on a zeroed struct. */
void hc_source_input_close(struct hc_source_input *input);

#endif
