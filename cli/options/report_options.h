/* report_options.h - where a report goes besides standard output, and when it is a finding: the
 * same options with the same meaning in every command that makes a report (docs/command-line.md).
 *
 * The report itself goes where -o of the common options says, as text or with --json as JSON.
 */
#ifndef HC_CLI_OPTIONS_REPORT_OPTIONS_H
#define HC_CLI_OPTIONS_REPORT_OPTIONS_H

#include "cli/frame/options.h"
#include "cli/options/figure_options.h"

struct hc_report_options {
    const char *html; /* page, or NULL */
    const char *csv;  /* directory of tables, "-" for one in place of the text, or NULL */
    struct hc_figure_options figures;
    struct hc_words fail_on; /* conditions */
};
extern const struct hc_option hc_report_options[];

/* Of reports that have neither page nor figures. */
extern const struct hc_option hc_table_report_options[];

/* Whether the report is to be one table as CSV: --csv -. */
bool hc_report_is_csv(const struct hc_report_options *options);

/* The directory of --csv, or NULL. */
const char *hc_report_csv_directory(const struct hc_report_options *options);

/* HC_USAGE for options that contradict each other. */
enum hc_status hc_report_options_check(const struct hc_report_options *options,
                                       const struct hc_common_options *common,
                                       struct hc_error *err);

#endif
