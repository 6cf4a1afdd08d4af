/* compare_nights.h - `hindcast compare --nights` and `hindcast compare --runs`. */
#ifndef HC_CLI_COMMANDS_NIGHT_COMPARE_NIGHTS_H
#define HC_CLI_COMMANDS_NIGHT_COMPARE_NIGHTS_H

#include "cli/commands/night/night_options.h"
#include "cli/options/report_options.h"

struct hc_compare_nights {
    const struct hc_common_options *common;
    const struct hc_archive_options *archive;
    const struct hc_night_options *night;
    const struct hc_report_options *report;
    const char *sides[2]; /* "2026-03-01", "2026-03-01..2026-03-07", a run, or a document */
};

enum hc_status hc_compare_nights_run(const struct hc_compare_nights *compare, struct hc_error *err);
/* The same of two runs of the archive, or two documents of them, whose names end with ".json".
 * HC_USAGE: there are no such runs, or A and B are one. */
enum hc_status hc_compare_runs_run(const struct hc_compare_nights *compare, struct hc_error *err);

/* Whether a text is a day, as 2026-03-01, or days, as 2026-03-01..2026-03-07. */
bool hc_compare_is_days(const char *text);

#endif
