/* fit_report.h - the views of parameters that were fitted, and of how they foretell. */
#ifndef HC_REPORTS_FIT_FIT_REPORT_H
#define HC_REPORTS_FIT_FIT_REPORT_H

#include "core/tables/record.h"
#include "core/text/json_writer.h"
#include "models/fit/backtest.h"
#include "models/fit/fit_parameter.h"

#include <stdio.h>

struct hc_fit_report {
    const struct hc_fit_parameters *parameters;
    const char *archive, *cluster, *run; /* cluster: NULL: all; run: NULL: of none */
    const char *from, *to;               /* ISO-8601 */
    double node_days;
};

struct hc_backtest_report {
    const struct hc_backtest *backtest;
    const char *archive, *cluster;
    double hit_share;
};

/* A part of a scenario (docs/scenario.md) with comments on each number: how many times or incidents
 * are behind it, and what they do not tell. */
void hc_fit_write_scenario(const struct hc_fit_report *report, FILE *stream);

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_fit_write_text(const struct hc_fit_report *report, FILE *stream,
                                 struct hc_error *err);
enum hc_status hc_backtest_write_text(const struct hc_backtest_report *report, FILE *stream,
                                      struct hc_error *err);

/* Of the JSON documents. */
extern const struct hc_record_def hc_fit_record, hc_backtest_record;
void hc_fit_write_json(const struct hc_fit_report *report, struct hc_json_writer *json);
void hc_backtest_write_json(const struct hc_backtest_report *report, struct hc_json_writer *json);

#endif
