/* fleet_options.h - the options of `whatif --all`, and those of its result that merge shares. */
#ifndef HC_CLI_OPTIONS_FLEET_OPTIONS_H
#define HC_CLI_OPTIONS_FLEET_OPTIONS_H

#include "cli/frame/options.h"
#include "pipeline/fleet/fleet_jobs.h"
#include "sim/fleet/fleet_row.h"

#include <stdbool.h>
#include <stdint.h>

/* What `whatif` takes besides the options of a single job. */
struct hc_fleet_options {
    bool all, no_cache;
    const char *where; /* condition on jobs (pipeline/fleet/fleet_choice.h), or NULL: all */
    struct hc_shard shard;
    int64_t max_attempts, min_steps;
    double max_discrepancy;
};
extern const struct hc_option hc_fleet_options[];

struct hc_fleet_limits hc_fleet_options_limits(const struct hc_fleet_options *options);

#endif
