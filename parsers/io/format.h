/* format.h - what a foreign format is: how it is recognised, and how its rows are read. Those that
 * hindcast reads are listed in parsers/registry/format_registry.h. */
#ifndef HC_PARSERS_IO_FORMAT_H
#define HC_PARSERS_IO_FORMAT_H

#include "core/base/status.h"
#include "core/base/zone.h"
#include "core/tables/job.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "parsers/io/read_mark.h"
#include "parsers/io/source.h"
#include "parsers/patterns/text_pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Patterns of a site by which lines of logs are known; name is for messages. */
struct hc_pattern_text {
    const char *name, *text; /* terminated; NULL: there are none */
};

struct hc_table_map;
struct hc_record_def;

struct hc_parse_options {
    const struct hc_job
        *job;           /* of the metadata: sizes to check against, op type aliases; or NULL */
    bool float32_times; /* text formats: round times to float32 before nanoseconds */
    const struct hc_zone *zone; /* of local times that say no zone; NULL: UTC */
    bool op_names;              /* profiler traces: keep the names of ops of the framework */
    double max_bad; /* share of the rows that may be bad, where the container says how many it has;
                       0: not looked at before the end */
    int64_t max_rows_per_byte;          /* of the source (hc_source_check_rows); 0: any number */
    const struct hc_table_map *map;     /* of the own form of a table: how to read what is none
                                           (parsers/tabular); or NULL */
    const struct hc_text_pattern *path; /* on the name of the source: its groups say what that tells
                                           (hc_text_pattern_named); or NULL */
    /* Of the tables of its kind: where it puts the texts of codes. Of records
     * (pipeline/kinds/kind.h) they are emptied between batches, so that no code may be kept from
     * one to the next. */
    struct hc_table_names *names;
    struct hc_pattern_text patterns; /* logs: before those of the program */
    bool may_grow; /* the source is still written to: rows that further lines may change so much
                      that they would be others are not given, but counted (rows_waiting) */
    const struct hc_read_mark *go_on; /* of formats that mark: where to begin; NULL: at the start */
    const char *log; /* with go_on: the path that names its log, where rotation gave the source
                        another; NULL: the name of the source */
};

struct hc_format {
    const char *name;        /* "step-parquet" */
    const char *description; /* one line for `hindcast formats` */
    /* How to make such a file, for `hindcast formats NAME`: lines of at most 80 columns, the last
     * one ended. NULL: whoever has one knows. */
    const char *recipe;
    int version;        /* raised when the same bytes are read differently */
    bool hides_waiting; /* communication is shown from its transfer on, without the wait for the
                           last participant: launch delays cannot be told */
    bool is_lines; /* a log or dump that is written line by line: what stands behind the last line
                      feed may be half a line */
    const struct hc_table_def
        *table; /* what its batches hold: the main table of its kind of input */

    /* How sure the format is, 0 (no) to 100, from the first bytes (decompressed where the file is
     * gzip, zstd or xz) and the path. */
    int (*probe)(const unsigned char *head, size_t length, const char *path);

    /* Open and check the container and schema. The source and options stay valid until close. */
    enum hc_status (*open)(void **parser, const struct hc_source *source,
                           const struct hc_parse_options *options, struct hc_error *err);

    /* Append rows to a table (of its def) up to its capacity; none appended is the end. Bad rows
     * are counted in report and left out; damage is an error. NULL where next_tables is there. */
    enum hc_status (*next_batch)(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err);

    /* In place of next_batch and further, where the rows of several tables come mixed: append rows
     * to tables, one for each table of the kind and in the order of its list, until one of them is
     * full or enough was read. No row appended to any of them is the end. */
    enum hc_status (*next_tables)(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err);

    /* After the last batch: another table of its kind, of this def, which is made here. NULL where
     * the kind has one table only, or its guard makes the others. */
    enum hc_status (*further)(void *parser, const struct hc_table_def *def, struct hc_table *table,
                              struct hc_error *err);

    /* Of files that grow by lines: after the last batch, the last place where reading can go on
     * later (parsers/io/read_mark.h). mark->state has room for state_size bytes. Offset 0: there is
     * none behind that where it began. NULL: such a file is always read from its start. */
    void (*mark)(const void *parser, struct hc_read_mark *mark);
    size_t state_size;
    const struct hc_record_def *state_record; /* by which the state is kept; NULL: there is none */

    /* How many rows the container says that there are, known before the first; NULL when it does
     * not say. */
    int64_t (*n_rows)(const void *parser);

    /* Bytes of the source consumed so far, for progress. */
    int64_t (*position)(const void *parser);

    /* Free; parser may be NULL. */
    void (*close)(void *parser);
};

#endif
