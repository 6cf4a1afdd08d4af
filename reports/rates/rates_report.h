/* rates_report.h - the views of `hindcast report reliability --records`. */
#ifndef HC_REPORTS_RATES_RATES_REPORT_H
#define HC_REPORTS_RATES_RATES_REPORT_H

#include "core/files/outset.h"
#include "core/text/json_writer.h"
#include "models/account/rates/failure_rates.h"

#include <stdio.h>

struct hc_rates_report {
    const struct hc_failure_rates *rates;
    const struct hc_night_days *days;
    const char *archive, *cluster, *zone; /* cluster: NULL: all */
    int64_t n_installed;
    bool is_installed_given; /* else: nodes that attempts name */
    size_t top;
    const char *run_id; /* while files are written */
};

enum hc_status hc_rates_write_text(const struct hc_rates_report *report, FILE *stream,
                                   struct hc_error *err);
void hc_rates_write_json(const struct hc_rates_report *report, struct hc_json_writer *json);
void hc_rates_write_csv(const struct hc_rates_report *report, FILE *stream);
enum hc_status hc_rates_write_tables(struct hc_outset *set, const char *directory,
                                     const struct hc_rates_report *report, struct hc_error *err);

#endif
