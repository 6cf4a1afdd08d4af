/* compare_report.h - the views of a comparison of two step timelines. */
#ifndef HC_REPORTS_COMPARE_COMPARE_REPORT_H
#define HC_REPORTS_COMPARE_COMPARE_REPORT_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "sim/compare/compare.h"

#include <stdint.h>
#include <stdio.h>

/* Where A or B was read from. */
struct hc_compared_input {
    const char *argument;                    /* as it was given */
    const char *source_path, *source_sha256; /* the trace that was read, first hand */
    const char *archive, *segment;           /* NULL for a file */
    const char *steps;                       /* as given, or NULL */
};

struct hc_compare_report {
    const struct hc_comparison *comparison;
    struct hc_compared_input a, b;
    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_compare_write_text(const struct hc_compare_report *report, FILE *stream,
                                     struct hc_error *err);

/* The page. HC_INTERNAL as before, HC_IO when the stream fails. */
enum hc_status hc_compare_write_html(const struct hc_compare_report *report, FILE *stream,
                                     struct hc_error *err);

/* Members of the object that is open. */
void hc_compare_write_json(const struct hc_compare_report *report, struct hc_json_writer *json);

/* Add the tables to the set as files of a directory; report->run_id is needed. */
enum hc_status hc_compare_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_compare_report *report,
                                       struct hc_error *err);

/* The main table: the figures of the job as a whole. */
void hc_compare_write_csv(const struct hc_compare_report *report, FILE *stream);

#endif
