/* capacity_report.h - the views of the installed GPU-time of a cluster, and of what waited for it.
 */
#ifndef HC_REPORTS_CAPACITY_CAPACITY_REPORT_H
#define HC_REPORTS_CAPACITY_CAPACITY_REPORT_H

#include "core/base/zone.h"
#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/capacity/capacity_result.h"
#include "reports/figure/figure.h"

#include <stdio.h>

struct hc_capacity_report {
    const struct hc_capacity_result *result;
    const char *archive, *cluster;
    const struct hc_zone *zone; /* of the days */
    const char *zone_name;
    size_t top;         /* rows of a table in text */
    const char *run_id; /* while files are written */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_capacity_write_text(const struct hc_capacity_report *report, FILE *stream,
                                      struct hc_error *err);
enum hc_status hc_capacity_write_html(const struct hc_capacity_report *report, FILE *stream,
                                      struct hc_error *err);

/* Members of the object that is open. */
void hc_capacity_write_json(const struct hc_capacity_report *report, struct hc_json_writer *json);

/* All days, a row each; in a directory, days.csv, and partitions.csv, nodes.csv, waits.csv and
 * demand.csv beside it. */
void hc_capacity_write_csv(const struct hc_capacity_report *report, FILE *stream);
enum hc_status hc_capacity_write_tables(struct hc_outset *set, const char *directory,
                                        const struct hc_capacity_report *report,
                                        struct hc_error *err);

/* Installed GPU-time in all, by day and by partition; nodes that were free as a whole; backlog;
 * waits by size. */
enum hc_status hc_capacity_put_figures(const struct hc_figure_sink *sink,
                                       const struct hc_capacity_report *report,
                                       struct hc_error *err);

#endif
