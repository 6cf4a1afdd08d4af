/* fleet_report.h - what the views of a fleet show: the rows of its jobs, and where they come from.
 *
 * A view is a function of this struct alone: no clock, no environment, no thread count. So the same
 * rows give the same bytes, whether one process filled them or sixteen shards did. The figures over
 * all jobs are found once, by the caller, for all views of a report.
 */
#ifndef HC_REPORTS_FLEET_FLEET_REPORT_H
#define HC_REPORTS_FLEET_FLEET_REPORT_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "sim/fleet/fleet_row.h"
#include "sim/fleet/fleet_summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HC_FLEET_SCHEMA       "hindcast-fleet"
#define HC_FLEET_SCHEMA_MAJOR 1
#define HC_FLEET_SCHEMA_MINOR 3
#define HC_FLEET_TOP          20 /* jobs in the ranking when top is 0 */

struct hc_fleet_report {
    const struct hc_fleet_row *rows; /* in the order of hc_fleet_row_compare */
    size_t n_rows;
    const struct hc_fleet_summary *summary; /* hc_fleet_summarise of these rows */
    const char *archive;                    /* path as it is to be shown, or NULL */
    const char *options; /* those of the analysis, in words or as flags, or NULL */
    const char *run_id;  /* where it is one of several files: what all of them carry; or NULL */

    /* The limits that the funnel was made with, to be named beside its counts. */
    int32_t max_attempts;   /* more: restarted (15) */
    int32_t min_steps;      /* fewer: few steps */
    double max_discrepancy; /* above: discarded (0.05) */

    size_t top; /* jobs in the ranking of text and HTML; 0: HC_FLEET_TOP */

    /* Pages of jobs, for links: the directory as seen from the HTML file ("jobs"), or NULL for no
     * links. has_page[n_rows] says which rows have one; NULL: every analysed job. */
    const char *pages;
    const bool *has_page;
};

/* The file name of the page of a job: of its id and attempt, with what is not fit for a file name
 * or a link replaced, and a piece of the hash of its whole key, so that no two jobs share one. */
#define HC_FLEET_PAGE_NAME 128
const char *hc_fleet_page_name(const struct hc_fleet_row *row, char name[HC_FLEET_PAGE_NAME]);

/* Each: HC_INTERNAL without memory, HC_IO when the stream failed. */
enum hc_status hc_fleet_write_text(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err);
enum hc_status hc_fleet_write_json(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err);
enum hc_status hc_fleet_write_html(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err);
/* Add jobs.csv, funnel.csv, quantiles.csv, causes.csv, types.csv, sizes.csv and their index to the
 * set, in a directory, which is made when it is not there. run_id is needed. */
enum hc_status hc_fleet_write_csv(struct hc_outset *set, const char *directory,
                                  const struct hc_fleet_report *report, struct hc_error *err);

/* One of them alone: jobs.csv. */
enum hc_status hc_fleet_write_csv_jobs(FILE *stream, const struct hc_fleet_report *report,
                                       struct hc_error *err);

#endif
