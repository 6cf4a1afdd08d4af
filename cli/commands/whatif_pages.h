/* whatif_pages.h - what `hindcast whatif` writes of one job besides its text or JSON: CSV tables,
 * an HTML page, figures; and how deep the analysis goes for them. Private to this wing. */
#ifndef HC_CLI_COMMANDS_WHATIF_PAGES_H
#define HC_CLI_COMMANDS_WHATIF_PAGES_H

#include "cli/frame/options.h"
#include "cli/options/report_options.h"
#include "core/base/status.h"
#include "core/files/outset.h"
#include "reports/whatif/whatif_report.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>

struct hc_whatif_page_options {
    struct hc_report_options report; /* html is a file */
    struct hc_step_ranges picture_step;
    bool quick;
};
extern const struct hc_option hc_whatif_page_options[];

/* HC_USAGE for options that contradict each other or the number of jobs. */
enum hc_status hc_whatif_page_options_check(const struct hc_whatif_page_options *options,
                                            size_t n_jobs, struct hc_error *err);

/* Set what the analysis finds for them: depth and picture_step. */
void hc_whatif_page_depth(const struct hc_whatif_page_options *options,
                          struct hc_whatif_options *whatif);

/* Add the pages of a job that were asked for to the set. is_one: it is the only job of the command;
 * else its tables and figures have a directory of their own within that of --csv and --figures.
 * report->run_id is needed. */
enum hc_status hc_whatif_write_pages(struct hc_outset *set,
                                     const struct hc_whatif_page_options *options, bool is_one,
                                     const struct hc_whatif_report *report, struct hc_error *err);

#endif
