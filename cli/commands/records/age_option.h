/* age_option.h - `--older AGE` and `--table` of the commands that go by the days of records. */
#ifndef HC_CLI_COMMANDS_RECORDS_AGE_OPTION_H
#define HC_CLI_COMMANDS_RECORDS_AGE_OPTION_H

#include "core/base/status.h"
#include "core/tables/job.h"

/* "400d": that many days before today, UTC; or "2026-01-31": that day. HC_USAGE: neither. */
enum hc_status hc_age_find_day(char before[HC_DAY_TEXT], const char *text, struct hc_error *err);

/* HC_USAGE where table, unless NULL, is not the main table of records, which alone are by day. */
enum hc_status hc_age_check_table(const char *table, struct hc_error *err);

#endif
