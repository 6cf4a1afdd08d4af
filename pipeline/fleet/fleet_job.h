/* fleet_job.h - one job of an archive as a row of the fleet: from the cache, or by loading and
 * analysing it. */
#ifndef HC_PIPELINE_FLEET_FLEET_JOB_H
#define HC_PIPELINE_FLEET_FLEET_JOB_H

#include "core/base/status.h"
#include "core/base/step_ranges.h"
#include "reports/whatif/whatif_report.h"
#include "sim/fleet/fleet_row.h"
#include "store/archive/archive.h"

#include <stdbool.h>
#include <stdint.h>

/* What is done with every job. */
struct hc_fleet_analysis {
    const struct hc_archive *archive;
    const struct hc_step_ranges *steps;
    bool keeps_outliers; /* steps that stand apart (hc_replay_options.leaves_out_outliers) */
    double threshold;
    struct hc_fleet_limits limits;
    bool use_cache;
    const char *inputs; /* canonical text of method and options: part of the cache's key */
    unsigned depth; /* of the replays: HC_FLEET_DEPTH, or 0 for the figures of the paper alone */
    /* When set, take is called with the full result of each job that ends up as analysed and of
     * which wants says so, even when its row was kept. From any thread. */
    bool (*wants)(const struct hc_fleet_row *row, void *context);
    enum hc_status (*take)(const struct hc_fleet_row *row, const struct hc_whatif_report *report,
                           void *context, struct hc_error *err);
    void *context;
};

struct hc_fleet_job {
    const struct hc_manifest_entry *entry;
    int64_t n_attempts; /* of its job in the archive */
};

/* Rows of its timeline. */
int64_t hc_fleet_job_rows(const struct hc_fleet_job *job);

/* Fill what is known of a job without its ops: sizes, GPUs, whole steps among those asked for and
 * their GPU-hours. row is initialised. */
enum hc_status hc_fleet_job_peek(struct hc_fleet_row *row, const struct hc_archive *archive,
                                 const struct hc_fleet_job *job, const struct hc_step_ranges *steps,
                                 struct hc_error *err);

/* What else became of a job. */
struct hc_fleet_job_outcome {
    bool hit;            /* the row was kept from before */
    bool put_failed;     /* the row could not be kept */
    struct hc_error why; /* of that */
    bool take_failed;    /* what take fails with is no fate of the job */
};

/* The canonical text of what changes the figures of a row, besides its segment: the caller frees
 * it. */
char *hc_fleet_inputs(const struct hc_step_ranges *steps, bool keeps_outliers, double threshold,
                      unsigned depth, struct hc_error *err);

/* Fill row, which is initialised with the key of the job; threads are what the analysis may use.
 * What is wrong with the job, also that memory is short for it, is a fate of the row; an error is
 * only that take could not write. */
enum hc_status hc_fleet_job_row(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                                const struct hc_fleet_job *job, int threads,
                                struct hc_fleet_job_outcome *outcome, struct hc_error *err);

#endif
