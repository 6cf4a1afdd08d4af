/* sacct_records.h - the records that `sacct --parsable2` and its like write: fields between
 * delimiters, a record a line.
 *
 * Two things make lines and records differ. A field may hold line ends (comments, submit lines): a
 * line with too few fields goes on in the next ones. And a field may hold the delimiter (names of
 * jobs): which one it is shows in where the values of the others then are (sacct_header.h).
 *
 * Private to this wing. */
#ifndef HC_PARSERS_JOBS_SACCT_RECORDS_H
#define HC_PARSERS_JOBS_SACCT_RECORDS_H

#include "parsers/io/line_reader.h"
#include "parsers/jobs/slurm_values.h"

#define HC_SACCT_MOST_FIELDS    512
#define HC_SACCT_MOST_DELIMITER 8
/* Lines that one record may go on over. */
#define HC_SACCT_MOST_LINES 200

struct hc_sacct_record {
    size_t n_fields;        /* 0 at the end of the file; not n_columns: a record that is none */
    bool is_header;         /* the names of columns once more, where dumps were put together */
    struct hc_span *fields; /* valid until the next call */
    int64_t line;
    int64_t n_lines;
    bool is_ended;
};

/* Zeroed memory before hc_sacct_records_open. */
struct hc_sacct_records {
    struct hc_line_reader *lines;
    char delimiter[HC_SACCT_MOST_DELIMITER + 1];
    size_t delimiter_length;
    size_t n_columns;
    bool is_quoted;      /* fields may stand between quotes, as in a CSV */
    int64_t n_multiline; /* records over several lines */
    struct hc_span fields[HC_SACCT_MOST_FIELDS];
};

/* Read the next record. */
enum hc_status hc_sacct_records_next(struct hc_sacct_records *records,
                                     struct hc_sacct_record *record, struct hc_error *err);

/* Cut a line of a CSV into fields, quotes around them taken off; at most HC_SACCT_MOST_FIELDS. */
size_t hc_sacct_split_quoted(struct hc_span line, struct hc_span *fields);

/* Cut a line into fields; at most HC_SACCT_MOST_FIELDS, the last of which is then the rest. Reads
 * up to HC_TEXT_PADDING bytes behind the line (core/text/number_text.h). */
size_t hc_sacct_split(struct hc_span line, const char *delimiter, size_t delimiter_length,
                      struct hc_span *fields);

#endif
