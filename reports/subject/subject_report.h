/* subject_report.h - the views of `hindcast report run`, `report job` and `report node`. */
#ifndef HC_REPORTS_SUBJECT_SUBJECT_REPORT_H
#define HC_REPORTS_SUBJECT_SUBJECT_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/subject/subject.h"
#include "models/joins/history.h"

#include <stdio.h>

struct hc_subject_report {
    const struct hc_subject *subject;
    const struct hc_failures *failures;
    const char *archive, *cluster; /* cluster: NULL: all */
    const double *ettr;            /* by enum hc_ettr, of a run; NULL: it is none */
    const struct hc_history *slow; /* jobs in which a node is slow, by time; NULL: it is none */
    size_t top;
    const char *run_id; /* while files are written */
};

enum hc_status hc_subject_write_text(const struct hc_subject_report *report, FILE *stream,
                                     struct hc_error *err);
enum hc_status hc_subject_write_html(const struct hc_subject_report *report, FILE *stream,
                                     struct hc_error *err);
void hc_subject_write_json(const struct hc_subject_report *report, struct hc_json_writer *json);
void hc_subject_write_csv(const struct hc_subject_report *report, FILE *stream);
enum hc_status hc_subject_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_subject_report *report,
                                       struct hc_error *err);

#endif
