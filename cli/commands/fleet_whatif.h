/* fleet_whatif.h - `hindcast whatif --all`: all jobs of an archive, or a shard of them.
 * Private to this wing. */
#ifndef HC_CLI_COMMANDS_FLEET_WHATIF_H
#define HC_CLI_COMMANDS_FLEET_WHATIF_H

#include "cli/commands/whatif_pages.h"
#include "cli/frame/options.h"
#include "cli/options/choice_options.h"
#include "cli/options/fleet_options.h"
#include "core/base/status.h"

struct hc_fleet_request {
    const struct hc_common_options *common;
    const struct hc_archive_options *archive;
    const struct hc_fleet_options *fleet;
    const struct hc_choice_options *choice;
    const struct hc_words *names; /* of jobs; none: all */
    const struct hc_step_ranges *steps;
    bool keeps_outliers; /* steps that stand apart */
    double threshold;
    const struct hc_whatif_page_options *pages; /* csv and html are directories */
};

enum hc_status hc_fleet_whatif(const struct hc_fleet_request *request, struct hc_error *err);

#endif
