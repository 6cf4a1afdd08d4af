/* history_report.h - the views of all that is known of a job, a run or a node. */
#ifndef HC_REPORTS_JOINS_HISTORY_REPORT_H
#define HC_REPORTS_JOINS_HISTORY_REPORT_H

#include "core/text/json_writer.h"
#include "models/joins/history.h"

#include <stdio.h>

struct hc_history_report {
    const struct hc_history *history;
    const char *archive, *what, *name; /* what: "job", "run", "node" */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_history_write_text(const struct hc_history_report *report, FILE *stream,
                                     struct hc_error *err);
/* Members of the object that is open. */
void hc_history_write_json(const struct hc_history_report *report, struct hc_json_writer *json);

#endif
