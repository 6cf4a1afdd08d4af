/* fleet_truth.h - truth.csv: what was planted in each job of a synthetic fleet. */
#ifndef HC_PIPELINE_FLEET_FLEET_TRUTH_H
#define HC_PIPELINE_FLEET_FLEET_TRUTH_H

#include "core/base/status.h"
#include "sim/synth/fleet_synth.h"

#include <stddef.h>

/* Write path, by docs/formats/fleet-truth.md; n_ops has the rows of each trace. */
enum hc_status hc_fleet_truth_write(const char *path, const struct hc_fleet_synth_job *jobs,
                                    const int64_t *n_ops, size_t n_jobs, struct hc_error *err);

#endif
