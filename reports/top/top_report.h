/* top_report.h - the views of `hindcast top lost`. */
#ifndef HC_REPORTS_TOP_TOP_REPORT_H
#define HC_REPORTS_TOP_TOP_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/top/leaf_top.h"
#include "reports/figure/figure.h"

#include <stdio.h>

struct hc_top_report {
    const struct hc_top *top;
    const char *archive, *cluster; /* cluster: NULL: all */
    const char *zone, *leaf;
    const char *first_day, *last_day;
    int64_t as_of_ns;
    size_t rows;        /* of a table in text */
    const char *run_id; /* while files are written */
};

enum hc_status hc_top_write_text(const struct hc_top_report *report, FILE *stream,
                                 struct hc_error *err);
enum hc_status hc_top_write_html(const struct hc_top_report *report, FILE *stream,
                                 struct hc_error *err);
enum hc_status hc_top_put_figures(const struct hc_figure_sink *sink,
                                  const struct hc_top_report *report, struct hc_error *err);
void hc_top_write_json(const struct hc_top_report *report, struct hc_json_writer *json);
void hc_top_write_csv(const struct hc_top_report *report, FILE *stream);
enum hc_status hc_top_write_tables(struct hc_outset *set, const char *directory,
                                   const struct hc_top_report *report, struct hc_error *err);

#endif
