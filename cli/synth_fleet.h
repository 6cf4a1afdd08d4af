/* synth_fleet.h - `hindcast synth steps --fleet`: a directory of synthetic jobs with their truth.
 */
#ifndef HC_CLI_SYNTH_FLEET_H
#define HC_CLI_SYNTH_FLEET_H

#include "cli/synth_options.h"
#include "core/base/status.h"

/* Write the fleet of settings to its output directory, which is there whole or not at all. */
enum hc_status hc_synth_fleet_write(const struct hc_synth_settings *settings, struct hc_error *err);

#endif
