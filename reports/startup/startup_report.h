/* startup_report.h - the views of `hindcast report startup`. */
#ifndef HC_REPORTS_STARTUP_STARTUP_REPORT_H
#define HC_REPORTS_STARTUP_STARTUP_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/startup/startup_result.h"
#include "reports/figure/figure.h"

#include <stdio.h>

struct hc_startup_report {
    const struct hc_startup_result *result;
    const char *archive, *cluster; /* cluster: NULL: all */
    const char *zone;
    const char *first_day, *last_day;
    int64_t as_of_ns;
    size_t top;         /* rows of a table in text */
    const char *run_id; /* while files are written */
};

enum hc_status hc_startup_write_text(const struct hc_startup_report *report, FILE *stream,
                                     struct hc_error *err);
enum hc_status hc_startup_write_html(const struct hc_startup_report *report, FILE *stream,
                                     struct hc_error *err);
enum hc_status hc_startup_put_figures(const struct hc_figure_sink *sink,
                                      const struct hc_startup_report *report, struct hc_error *err);
void hc_startup_write_json(const struct hc_startup_report *report, struct hc_json_writer *json);
void hc_startup_write_csv(const struct hc_startup_report *report, FILE *stream);
enum hc_status hc_startup_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_startup_report *report,
                                       struct hc_error *err);

#endif
