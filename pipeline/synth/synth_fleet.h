/* synth_fleet.h - a directory of synthetic jobs with their truth: traces as Parquet, their
 * metadata, and truth.csv (docs/formats/fleet-truth.md). */
#ifndef HC_PIPELINE_SYNTH_SYNTH_FLEET_H
#define HC_PIPELINE_SYNTH_SYNTH_FLEET_H

#include "core/base/status.h"
#include "sim/synth/fleet_synth.h"

#include <stdbool.h>

struct hc_synth_fleet {
    const char *directory; /* empty, or not there */
    struct hc_fleet_synth_options drawn;
    bool float32; /* times as the published traces have them */
};

/* Write the fleet to its directory, which is there whole or not at all. HC_USAGE when something is
 * in it. */
enum hc_status hc_synth_fleet_write(const struct hc_synth_fleet *fleet, struct hc_error *err);

#endif
