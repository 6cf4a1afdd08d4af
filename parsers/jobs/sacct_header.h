/* sacct_header.h - which column of a dump of sacct is which: by its header, or by the order in
 * which XDMoD's shredder asks for them. Private to this wing. */
#ifndef HC_PARSERS_JOBS_SACCT_HEADER_H
#define HC_PARSERS_JOBS_SACCT_HEADER_H

#include "parsers/jobs/sacct_columns.h"
#include "parsers/jobs/sacct_records.h"

/* Lines before a header in which it is looked for: what a command said on standard error. */
#define HC_SACCT_MOST_BEFORE 20

struct hc_sacct_header {
    size_t n;
    size_t job_id;                                              /* which column it is */
    const struct hc_sacct_column *column[HC_SACCT_MOST_FIELDS]; /* NULL: not read */
    bool is_text[HC_SACCT_MOST_FIELDS]; /* may hold anything, delimiters too */
};

/* What stands between the first two names of a header: at most HC_SACCT_MOST_DELIMITER bytes, or
 * none where the line does not begin with two names of sacct's columns. *is_quoted: the names stand
 * between quotes, as in a CSV. */
struct hc_span hc_sacct_delimiter(struct hc_span line, bool *is_quoted);

/* Whether a line is a header behind other lines: one that has JobID. */
bool hc_sacct_is_late_header(struct hc_span line);

/* The columns of these names. line: of the header, for messages. */
enum hc_status hc_sacct_header_set(struct hc_sacct_header *header, const struct hc_span *names,
                                   size_t n, const char *file, int64_t line, struct hc_error *err);

/* The columns of a record without a header: of the orders of XDMoD, the newest first, the one in
 * which each value can be read. False: none is. */
bool hc_sacct_header_guess(struct hc_sacct_header *header, const struct hc_span *fields, size_t n);

/* Of a record with too many fields, find the text that holds the delimiter: the last column, or
 * else the only one with which every other value can be read. fields becomes the header's; false:
 * there is none, or several. */
bool hc_sacct_header_fit(const struct hc_sacct_header *header, struct hc_span *fields, size_t n);

#endif
