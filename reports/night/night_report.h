/* night_report.h - the views of the account of a cluster's days. */
#ifndef HC_REPORTS_NIGHT_NIGHT_REPORT_H
#define HC_REPORTS_NIGHT_NIGHT_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/night/night_context.h"
#include "models/account/night/night_restated.h"
#include "models/account/night/night_result.h"
#include "models/account/tree/straggler_split.h"
#include "models/capacity/capacity_result.h"
#include "reports/figure/figure.h"
#include "reports/night/findings_report.h"

#include <stdio.h>

struct hc_night_page_list; /* reports/night/night_pages.h */

struct hc_night_report {
    const struct hc_night_result *result;
    const char *archive, *cluster; /* cluster: NULL: all */
    const char *zone;              /* of the days */
    const char *site_sha256;       /* of the site file; NULL: there is none */
    int64_t as_of_ns;              /* what came later is not known */
    const struct hc_night_names *names;
    size_t top; /* rows of a table in text */
    const struct hc_timeline_use *timelines;
    const struct hc_capacity_result *installed; /* of the same days; NULL: it is not known */
    const struct hc_restated *restated;         /* NULL: it was not looked for */
    const struct hc_findings_view *findings;    /* NULL: they were not looked for */
    const char *run_id;                         /* while files are written */
    const struct hc_night_context *context;     /* NULL: it was not looked at */
    const struct hc_night_page_list *pages;     /* that stand beside it; NULL: none */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_night_write_text(const struct hc_night_report *report, FILE *stream,
                                   struct hc_error *err);
/* One self-contained page. */
enum hc_status hc_night_write_html(const struct hc_night_report *report, FILE *stream,
                                   struct hc_error *err);
enum hc_status hc_night_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_night_report *report, struct hc_error *err);
/* Members of the object that is open. */
void hc_night_write_json(const struct hc_night_report *report, struct hc_json_writer *json);
/* The leaves, a row each; in a directory, a file a table. */
void hc_night_write_csv(const struct hc_night_report *report, FILE *stream);
/* The tables one by one: the file name of the i-th ("leaves.csv"), NULL behind the last; and its
 * content. */
const char *hc_night_table_name(size_t i);
void hc_night_write_table(const struct hc_night_report *report, size_t i, FILE *stream);
enum hc_status hc_night_write_tables(struct hc_outset *set, const char *directory,
                                     const struct hc_night_report *report, struct hc_error *err);

#endif
