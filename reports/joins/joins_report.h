/* joins_report.h - the views of joined records: what joined and how, and the runs. */
#ifndef HC_REPORTS_JOINS_JOINS_REPORT_H
#define HC_REPORTS_JOINS_JOINS_REPORT_H

#include "core/text/json_writer.h"
#include "models/evidence/recorded.h"
#include "models/joins/joins.h"

#include <stdio.h>

struct hc_joins_report {
    const struct hc_joins *joins;
    const struct hc_recorded *recorded; /* incidents, joined */
    const char *archive, *cluster;      /* cluster: NULL: all */
    size_t top;                         /* rows of a table in text */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_joins_write_text(const struct hc_joins_report *report, FILE *stream,
                                   struct hc_error *err);
enum hc_status hc_runs_write_text(const struct hc_joins_report *report, FILE *stream,
                                  struct hc_error *err);

/* Members of the object that is open: the same document for both. */
void hc_joins_write_json(const struct hc_joins_report *report, struct hc_json_writer *json);

/* All cycles, or all runs, a row each. */
void hc_joins_write_csv(const struct hc_joins_report *report, FILE *stream);
void hc_runs_write_csv(const struct hc_joins_report *report, FILE *stream);

#endif
