/* night_installed.h - where the installed GPU-time of the days that are reported went.
 * Private to this wing. */
#ifndef HC_CLI_COMMANDS_NIGHT_NIGHT_INSTALLED_H
#define HC_CLI_COMMANDS_NIGHT_NIGHT_INSTALLED_H

#include "cli/commands/night/night_options.h"
#include "pipeline/capacity/capacity_input.h"

struct hc_night_installed {
    bool is_known; /* not of several clusters together */
    struct hc_capacity_records records;
    struct hc_capacity_result result;
};

/* From one time to another, none of it later than what is known. The caller's to
 * hc_night_installed_fini whatever the result. */
enum hc_status hc_night_installed_load(struct hc_night_installed *installed,
                                       const struct hc_night_inputs *inputs, const char *cluster,
                                       const int64_t window_ns[2], struct hc_error *err);
void hc_night_installed_fini(struct hc_night_installed *installed);

#endif
