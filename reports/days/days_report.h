/* days_report.h - the views of `hindcast compare --nights` and `--runs`. */
#ifndef HC_REPORTS_DAYS_DAYS_REPORT_H
#define HC_REPORTS_DAYS_DAYS_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/compare/day_compare.h"

#include <stdio.h>

struct hc_days_report {
    const struct hc_day_compare *result;
    const char *archive, *cluster, *zone; /* NULL: of documents; cluster: NULL: all */
    const char *names[2];                 /* "2026-03-01 to 2026-03-07", a run, or a document */
    const struct hc_compared_run *runs;   /* A and B; NULL: they are days */
    bool has_other_site;                  /* documents that were made by different site files */
    const char *run_id;                   /* while files are written */
};

enum hc_status hc_days_write_text(const struct hc_days_report *report, FILE *stream,
                                  struct hc_error *err);
enum hc_status hc_days_write_html(const struct hc_days_report *report, FILE *stream,
                                  struct hc_error *err);
void hc_days_write_json(const struct hc_days_report *report, struct hc_json_writer *json);
void hc_days_write_csv(const struct hc_days_report *report, FILE *stream);
enum hc_status hc_days_write_tables(struct hc_outset *set, const char *directory,
                                    const struct hc_days_report *report, struct hc_error *err);

#endif
