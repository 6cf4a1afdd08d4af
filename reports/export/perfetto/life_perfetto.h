/* life_perfetto.h - one recorded life as Chrome trace JSON, which Perfetto opens
 * (docs/formats/perfetto.md, "One life"). Written as it goes: memory does not grow with the life.
 */
#ifndef HC_REPORTS_EXPORT_PERFETTO_LIFE_PERFETTO_H
#define HC_REPORTS_EXPORT_PERFETTO_LIFE_PERFETTO_H

#include "core/base/status.h"
#include "sim/lifetime/lifetime_trace.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hc_life_perfetto {
    const char *name;   /* of the scenario, or of its variant */
    const char *output; /* where it goes, for messages */
    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
    uint64_t replica;
    double window_s; /* of the sliding ETTR; 0: an hour where the life has at most ten days, else a
                        day */
    bool gzip;       /* compressed */
};

/* Write to stream, which stays the caller's. config is the one that was lived by. */
enum hc_status hc_life_perfetto_write(FILE *stream, const struct hc_lifetime_trace *trace,
                                      const struct hc_lifetime_config *config,
                                      const struct hc_life_perfetto *options, struct hc_error *err);

#endif
