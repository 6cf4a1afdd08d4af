/* reliability_of_records.h - `hindcast report reliability --records`. */
#ifndef HC_CLI_COMMANDS_NIGHT_RELIABILITY_OF_RECORDS_H
#define HC_CLI_COMMANDS_NIGHT_RELIABILITY_OF_RECORDS_H

#include "cli/commands/night/night_options.h"
#include "cli/options/report_options.h"

struct hc_reliability_records {
    const struct hc_common_options *common;
    const struct hc_archive_options *archive;
    const struct hc_night_options *night;
    const struct hc_report_options *report;
    const struct hc_moment *from, *to; /* days; to: the first that is left out */
    int64_t nodes;                     /* installed; 0: those that jobs name */
};

enum hc_status hc_reliability_records_run(const struct hc_reliability_records *records,
                                          struct hc_error *err);

#endif
