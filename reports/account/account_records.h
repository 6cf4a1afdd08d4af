/* account_records.h - the fields of the account of GPU-time. */
#ifndef HC_REPORTS_ACCOUNT_ACCOUNT_RECORDS_H
#define HC_REPORTS_ACCOUNT_ACCOUNT_RECORDS_H

#include "core/tables/record.h"

/* A struct hc_account_report. */
extern const struct hc_record_def hc_account_record;

#endif
