/* fleet_run.h - analysing many jobs at once, within the memory of the largest. */
#ifndef HC_PIPELINE_FLEET_FLEET_RUN_H
#define HC_PIPELINE_FLEET_FLEET_RUN_H

#include "core/base/status.h"
#include "pipeline/fleet/fleet_job.h"
#include "sim/fleet/fleet_row.h"

#include <stddef.h>
#include <stdint.h>

struct hc_fleet_rows {
    size_t n;
    struct hc_fleet_row *rows;
    size_t n_cached;            /* rows that were kept from before */
    size_t n_unkept;            /* rows that could not be kept */
    struct hc_error why_unkept; /* the first of these */
};

/* The rows of n jobs, in their order (pipeline/fleet/fleet_work.h). rows is filled on success only;
 * its array and each row in it (hc_fleet_row_fini) are then the caller's. What is wrong with a job,
 * or memory that is short for it, is the fate of its row; where a page of it cannot be written, the
 * others are still done (and kept) before that is reported. */
enum hc_status hc_fleet_run(struct hc_fleet_rows *rows, const struct hc_fleet_analysis *analysis,
                            const struct hc_fleet_job *jobs, size_t n, int threads,
                            struct hc_error *err);

void hc_fleet_rows_fini(struct hc_fleet_rows *rows);

#endif
