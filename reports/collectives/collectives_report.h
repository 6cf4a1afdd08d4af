/* collectives_report.h - the views of a diagnosis of collectives. */
#ifndef HC_REPORTS_COLLECTIVES_COLLECTIVES_REPORT_H
#define HC_REPORTS_COLLECTIVES_COLLECTIVES_REPORT_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/collectives/collective_diagnosis.h"

#include <stdio.h>

/* A file of which not all could be used. */
struct hc_dump_note {
    const char *path;
    const char *outcome; /* "cut", "empty", "unreadable", "copy", "foreign" */
    const char *why;     /* or NULL */
};

struct hc_collectives_report {
    const struct hc_collective_diagnosis *diagnosis;
    const struct hc_collective_set *set;
    int64_t n_cut, n_empty, n_unreadable, n_twins, n_foreign; /* files, by what became of them */
    int64_t n_without_entries;                                /* dumps that were read */
    size_t n_notes;
    const struct hc_dump_note *notes;
    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_collectives_write_text(const struct hc_collectives_report *report, FILE *stream,
                                         struct hc_error *err);
enum hc_status hc_collectives_write_html(const struct hc_collectives_report *report, FILE *stream,
                                         struct hc_error *err);

/* Members of the object that is open. */
void hc_collectives_write_json(const struct hc_collectives_report *report,
                               struct hc_json_writer *json);

/* The main table: where ranks wait. */
void hc_collectives_write_csv(const struct hc_collectives_report *report, FILE *stream);

/* Add the tables to the set as files of a directory; report->run_id is needed. */
enum hc_status hc_collectives_write_tables(struct hc_outset *set, const char *directory,
                                           const struct hc_collectives_report *report,
                                           struct hc_error *err);

#endif
