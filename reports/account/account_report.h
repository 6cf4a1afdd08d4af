/* account_report.h - the views of the account of GPU-time that the records of a scheduler give. */
#ifndef HC_REPORTS_ACCOUNT_ACCOUNT_REPORT_H
#define HC_REPORTS_ACCOUNT_ACCOUNT_REPORT_H

#include "core/text/json_writer.h"
#include "models/account/account_result.h"
#include "models/account/usage_check.h"

#include <stdio.h>

struct hc_account_report {
    const struct hc_account_result *result;
    const struct hc_usage_check *check; /* against the scheduler's own report; NULL: none */
    const char *archive, *cluster;      /* cluster: NULL: all */
    const char *currency;               /* of prices; NULL: the site names none */
    size_t n_segments, n_clusters;
    const char *first_day, *last_day; /* of submission */
    size_t top;                       /* rows of a table in text */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_account_write_text(const struct hc_account_report *report, FILE *stream,
                                     struct hc_error *err);

/* Members of the object that is open. */
void hc_account_write_json(const struct hc_account_report *report, struct hc_json_writer *json);

/* All groups, a row each. */
void hc_account_write_csv(const struct hc_account_report *report, FILE *stream);

#endif
