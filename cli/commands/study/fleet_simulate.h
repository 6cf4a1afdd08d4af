/* fleet_simulate.h - `hindcast simulate` of a scenario on many jobs of an archive (/input/jobs).
 */
#ifndef HC_CLI_COMMANDS_STUDY_FLEET_SIMULATE_H
#define HC_CLI_COMMANDS_STUDY_FLEET_SIMULATE_H

#include "cli/frame/options.h"
#include "cli/options/report_options.h"
#include "core/base/status.h"
#include "study/grammar/scenario_study.h"

struct hc_fleet_simulation {
    const struct hc_common_options *common; /* output: a file, or a directory by its last '/' */
    const char *archive_path;
    const struct hc_report_options *report;
    struct hc_scenario *scenario; /* read, with its study, and without mistakes */
    const struct hc_study *study;
};

/* Run it and write what it gave. The exit is that of `whatif --all`: jobs that could not be read,
 * are damaged or found no memory are named on standard error, and decide the status, after all is
 * written. HC_BAD_INPUT where the scenario means nothing in any of the jobs. */
enum hc_status hc_fleet_simulate(const struct hc_fleet_simulation *simulation,
                                 struct hc_error *err);

/* For `scenario check`: whether it chooses jobs and can be run on one of them; mistakes are in the
 * scenario. */
enum hc_status hc_fleet_simulate_check(struct hc_scenario *scenario, const struct hc_study *study,
                                       const char *archive_path, size_t *n_jobs,
                                       struct hc_error *err);

#endif
