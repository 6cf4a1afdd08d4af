/* fleet_work.h - work on many jobs at once, within the memory of the largest.
 *
 * Jobs run on threads of their own, the largest first. A job counts its rows against the larger of
 * what the largest job has and HC_FLEET_SMALL_ROWS a thread, and may use a share of the threads as
 * large as its share of that: so the largest runs alone, on all of them. What is done with a job is
 * the caller's: `run` is called once for each, from any thread, and writes only what belongs to
 * that job, so that what comes out does not depend on threads.
 *
 *     const struct hc_fleet_work work = {jobs, n, threads, fill_row, &rows};
 *     if (hc_fleet_work_run(&work, err))
 *         return err->status;
 */
#ifndef HC_PIPELINE_FLEET_FLEET_WORK_H
#define HC_PIPELINE_FLEET_FLEET_WORK_H

#include "core/base/status.h"
#include "pipeline/fleet/fleet_job.h"

#include <stddef.h>

/* A job of up to so many rows may run beside others whatever the largest job is; what it takes is
 * in docs/methods/fleet.md. */
#define HC_FLEET_SMALL_ROWS (1 << 20)

/* Work on the job at a place of the array, with so many threads. */
typedef enum hc_status hc_fleet_job_work(void *context, size_t job, int threads,
                                         struct hc_error *err);

struct hc_fleet_work {
    const struct hc_fleet_job *jobs;
    size_t n;
    int threads; /* 0: as OpenMP says */
    hc_fleet_job_work *run;
    void *context;
};

/* All jobs, with a progress over their rows. After one that fails the others are still done; the
 * error is that of the first in the order of the array, whoever is faster. */
enum hc_status hc_fleet_work_run(const struct hc_fleet_work *work, struct hc_error *err);

#endif
