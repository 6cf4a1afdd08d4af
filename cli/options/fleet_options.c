#include "cli/options/fleet_options.h"

const struct hc_option hc_fleet_options[] = {
    {.name = "all",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_fleet_options, all),
     .help = "one report on every job of the archive, or on those that are named, each by its "
             "newest attempt"},
    {.name = "where",
     .kind = HC_OPTION_TEXT,
     .argument = "CONDITION",
     .target = offsetof(struct hc_fleet_options, where),
     .unset = "every job",
     .help = "with --all: jobs that are wanted, as \"gpus >= 64 and slowdown > 1.1\"; columns are "
             "those of simulate --where"},
    {.name = "max-attempts",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_fleet_options, max_attempts),
     .value = HC_FLEET_TEXT(HC_FLEET_MAX_ATTEMPTS),
     .low = 1,
     .high = INT32_MAX,
     .help = "with --all: discard jobs with more attempts than N in the archive"},
    {.name = "min-steps",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct hc_fleet_options, min_steps),
     .value = HC_FLEET_TEXT(HC_FLEET_MIN_STEPS),
     .low = 1,
     .high = INT32_MAX,
     .help = "with --all: discard jobs with fewer whole steps than N"},
    {.name = "max-discrepancy",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = offsetof(struct hc_fleet_options, max_discrepancy),
     .value = "5%",
     .help = "with --all: discard jobs whose replay differs more from the trace, other than by "
             "late launches, as 0.05 or 5%"},
    {.name = "shard",
     .kind = HC_OPTION_CALLBACK,
     .argument = "I/N",
     .target = offsetof(struct hc_fleet_options, shard),
     .parse = hc_shard_parse,
     .unset = "the whole fleet",
     .help =
         "with --all: do the I-th of N parts of the work, and write what 'hindcast merge' joins "
         "to -o FILE"},
    {.name = "no-cache",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_fleet_options, no_cache),
     .help = "with --all: neither use nor keep results in the archive"},
    HC_OPTION_END,
};

struct hc_fleet_limits hc_fleet_options_limits(const struct hc_fleet_options *options)
{
    return (struct hc_fleet_limits){.max_attempts = (int32_t)options->max_attempts,
                                    .min_steps = (int32_t)options->min_steps,
                                    .max_discrepancy = options->max_discrepancy};
}
