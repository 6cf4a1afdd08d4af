/* failures_report.h - the views of the failures of a cluster's attempts. */
#ifndef HC_REPORTS_EVIDENCE_FAILURES_REPORT_H
#define HC_REPORTS_EVIDENCE_FAILURES_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/evidence/failures.h"

#include <stdio.h>

struct hc_failures_report {
    const struct hc_failures *failures;
    const char *archive, *cluster; /* cluster: NULL: all */
    int64_t n_own_unjoined;        /* events in logs of jobs that joined no attempt */
    size_t top;                    /* rows of a table in text */
    const char *run_id;            /* while files are written */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_failures_write_text(const struct hc_failures_report *report, FILE *stream,
                                      struct hc_error *err);

/* Members of the object that is open. */
void hc_failures_write_json(const struct hc_failures_report *report, struct hc_json_writer *json);

/* All failures, a row each; in a directory, failures.csv, and corrections.csv beside it. */
void hc_failures_write_csv(const struct hc_failures_report *report, FILE *stream);
enum hc_status hc_failures_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_failures_report *report,
                                        struct hc_error *err);

#endif
