/* ettr_report.h - the views of `hindcast report ettr`. */
#ifndef HC_REPORTS_ETTR_ETTR_REPORT_H
#define HC_REPORTS_ETTR_ETTR_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/ettr/ettr_result.h"
#include "reports/figure/figure.h"

#include <stdio.h>

struct hc_ettr_report {
    const struct hc_ettr_result *result;
    const char *archive, *cluster; /* cluster: NULL: all */
    const char *zone, *run;        /* run: that was asked for, or NULL */
    const char *from, *to;         /* first and last day that were asked for, or NULL */
    int64_t as_of_ns;
    int64_t least_gpus; /* of runs that count for the fleet */
    double least_hours;
    size_t top;         /* rows of a table in text */
    const char *run_id; /* while files are written */
};

enum hc_status hc_ettr_write_text(const struct hc_ettr_report *report, FILE *stream,
                                  struct hc_error *err);
enum hc_status hc_ettr_write_html(const struct hc_ettr_report *report, FILE *stream,
                                  struct hc_error *err);
enum hc_status hc_ettr_put_figures(const struct hc_figure_sink *sink,
                                   const struct hc_ettr_report *report, struct hc_error *err);
void hc_ettr_write_json(const struct hc_ettr_report *report, struct hc_json_writer *json);
void hc_ettr_write_csv(const struct hc_ettr_report *report, FILE *stream);
enum hc_status hc_ettr_write_tables(struct hc_outset *set, const char *directory,
                                    const struct hc_ettr_report *report, struct hc_error *err);

#endif
