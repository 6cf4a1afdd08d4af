/* timings_report.h - the views of logs of timed collectives: who arrived last, how long the others
 * waited, and how fast the data moved. */
#ifndef HC_REPORTS_TIMINGS_TIMINGS_REPORT_H
#define HC_REPORTS_TIMINGS_TIMINGS_REPORT_H

#include "core/files/outset.h"
#include "core/tables/job.h"
#include "core/text/json_writer.h"
#include "models/timings/timed_result.h"

#include <stdio.h>

/* A log that was read. */
struct hc_timings_file {
    const char *path, *sha256, *segment; /* segment: of an archive, or NULL */
    int64_t size, n_records, n_dropped;
};

struct hc_timings_report {
    const struct hc_job *job;
    const char *archive; /* or NULL */
    const struct hc_timed_set *set;
    const struct hc_timed_result *result;
    size_t n_files;
    const struct hc_timings_file *files;
    int64_t n_twins, n_left_out; /* files that are copies of others, and that are no such logs */
    const char *baseline;        /* where the expected bandwidths come from, or NULL */
    double below;                /* share of them */
    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_timings_write_text(const struct hc_timings_report *report, FILE *stream,
                                     struct hc_error *err);
enum hc_status hc_timings_write_html(const struct hc_timings_report *report, FILE *stream,
                                     struct hc_error *err);

/* Members of the object that is open. */
void hc_timings_write_json(const struct hc_timings_report *report, struct hc_json_writer *json);

/* The main table: the collectives. */
void hc_timings_write_csv(const struct hc_timings_report *report, FILE *stream);

/* Add the tables to the set as files of a directory; report->run_id is needed. */
enum hc_status hc_timings_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_timings_report *report,
                                       struct hc_error *err);

#endif
