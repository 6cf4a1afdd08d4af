/* fleet_output.h - the views of a whole fleet, the same for `whatif --all` and `merge`.
 * Private to this wing. */
#ifndef HC_CLI_COMMANDS_FLEET_OUTPUT_H
#define HC_CLI_COMMANDS_FLEET_OUTPUT_H

#include "cli/frame/output.h"
#include "cli/options/report_options.h"
#include "core/base/status.h"
#include "pipeline/fleet/fleet_partial.h"

#include <stdbool.h>

/* Where the views go besides the output of the command. */
struct hc_fleet_views {
    bool json;
    const struct hc_report_options *report; /* html is a directory */
    bool leaves_pages;                      /* those of html that wait stay when the report fails */
};

/* Open the output of the command: that of the views that have no file comes after the files. */
enum hc_status hc_fleet_output_open(struct hc_output *output,
                                    const struct hc_common_options *common,
                                    const struct hc_fleet_views *views, struct hc_error *err);

/* Write all views of a fleet, files to the set of the output; its rows must be sorted. */
enum hc_status hc_fleet_output_write(const struct hc_output *output,
                                     const struct hc_fleet_views *views,
                                     const struct hc_fleet_partial *fleet, struct hc_error *err);

/* How a command ends whose output is written: HC_OK for a fleet that is whole. Where jobs are
 * lacking, each is named on standard error, also with --quiet, and the status is that of the worst:
 * HC_IO where something could not be read, else HC_INTERNAL where memory was short, else HC_FINDING
 * where something is damaged. Then, for a fleet that is whole, HC_FINDING with a message when one
 * of the conditions holds. */
enum hc_status hc_fleet_output_verdict(const struct hc_fleet_partial *fleet,
                                       const struct hc_words *fail_on, struct hc_error *err);

/* "300 jobs: 280 analysed, 12 few steps, 8 discrepancy" on standard error. */
void hc_fleet_output_note(const struct hc_fleet_partial *fleet, size_t n_cached);

#endif
