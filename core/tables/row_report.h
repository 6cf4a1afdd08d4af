/* row_report.h - what was read, what was skipped and why: nothing is dropped without a count. */
#ifndef HC_CORE_TABLES_ROW_REPORT_H
#define HC_CORE_TABLES_ROW_REPORT_H

#include "core/base/int_map.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum hc_bad_reason {
    HC_BAD_FIELDS, /* wrong number of fields */
    HC_BAD_NUMBER, /* a field that is not a number */
    HC_BAD_RANGE,  /* a number that its column cannot hold */
    HC_BAD_TEXT,   /* a text that its column cannot hold: control bytes, too long, no such word */
    HC_BAD_NULL,   /* a field that must be there is empty */
    HC_BAD_DUPLICATE, /* (op, step, dp rank) was there already */
    HC_BAD_ABSENT,    /* a row that other dp ranks of the step have */
    HC_BAD_CLIPPED,   /* a duration a little below 0, taken as 0: the row is kept */
    HC_BAD_UNCLEAN,   /* a text with control bytes or too long, cleaned or cut: the row is kept */
    HC_N_BAD_REASONS
};

struct hc_row_report {
    int64_t rows_read;    /* rows of the source, good and bad */
    int64_t rows_ignored; /* rows whose op type the metadata declares as ignored */
    int64_t count[HC_N_BAD_REASONS];
    char example[HC_N_BAD_REASONS][200]; /* the first of each: place, field, value */
    struct hc_int_map bad_steps;         /* step -> rows of it that could not be read */
    int64_t rows_waiting; /* of a source that is still written to: not given yet, since what they
                             lack may come */
    /* Of a part of the source that was read earlier: they count for --max-bad, nowhere else. */
    int64_t rows_before, bad_before;
    int64_t bad_without_step; /* bad rows whose step could not be read either */
};

/* "duplicate rows", ... for messages. */
const char *hc_bad_reason_text(enum hc_bad_reason reason);
/* What happened to such rows: "skipped", "absent" for those that were never there, "clipped", or
 * "cleaned". */
const char *hc_bad_reason_outcome(enum hc_bad_reason reason);
/* Whether such rows were read and dropped: --max-bad limits those. */
bool hc_bad_reason_is_skipped(enum hc_bad_reason reason);
/* "duplicate", ... for JSON keys. */
const char *hc_bad_reason_key(enum hc_bad_reason reason);

/* Count one bad row; step is HC_MISSING_I32 when it is not known. The formatted text (file, line or
 * row, field, value) is kept for the first of its reason. */
enum hc_status hc_row_report_bad(struct hc_row_report *report, enum hc_bad_reason reason,
                                 int32_t step, struct hc_error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Count one row that is kept with a value taken as another; the text is as in hc_row_report_bad. */
void hc_row_report_clipped(struct hc_row_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hc_row_report_unclean(struct hc_row_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rows that were read and dropped. Absent rows are not among them: they were never read. */
int64_t hc_row_report_total_bad(const struct hc_row_report *report);

/* HC_BAD_INPUT with a message that names the reasons and first examples when more than max_bad of
 * the rows read are bad, else HC_OK. Absent rows do not count: they cost their step only. */
enum hc_status hc_row_report_limit(const struct hc_row_report *report, double max_bad,
                                   struct hc_error *err);

/* The same while rows are still coming: whether more are bad than max_bad allows of n_rows, all
 * that will come. n_duplicates are those that the receiver found, which are not in the report yet.
 */
enum hc_status hc_row_report_limit_early(const struct hc_row_report *report, int64_t n_duplicates,
                                         int64_t n_rows, double max_bad, struct hc_error *err);

/* A zeroed struct is an empty report. */
void hc_row_report_fini(struct hc_row_report *report);

#endif
