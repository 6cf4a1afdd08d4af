#include "pipeline/fleet/fleet_kept.h"

#include "core/base/missing.h"
#include "core/text/number_format.h"
#include "pipeline/fleet/fleet_cache.h"
#include "pipeline/fleet/fleet_jobs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "slow in job default/AR from step 114 on, in 2 stretches, to the end of the trace; 3.21 GPU-hours
 * lost by it". */
static enum hc_status add_host(struct hc_history *history, const struct hc_fleet_row *row,
                               const struct hc_fleet_host *host, const char *file,
                               struct hc_error *err)
{
    char text[1024], hours[HC_NUMBER_TEXT];
    int used = snprintf(text, sizeof text,
                        "slow by itself in job %.200s/%.200s#%" PRId32 " from step %" PRId32
                        " on, in %" PRId64 " stretch%s of steps%s",
                        row->cluster, row->job_id, row->attempt, host->since_step,
                        host->n_stretches, host->n_stretches == 1 ? "" : "es",
                        host->lasts ? ", to the end of the trace" : "");
    if (isfinite(host->gpu_hours_lost))
        snprintf(text + used, sizeof text - (size_t)used, ": %s GPU-hours lost",
                 hc_format_fixed(host->gpu_hours_lost, 2, hours));
    const struct hc_history_item item = {.time_ns = host->since_unix_ns,
                                         .table = "ops",
                                         .text = text,
                                         .source = (char *)(uintptr_t)file,
                                         .line = HC_MISSING_I64};
    return hc_history_add(history, &item, err);
}

static enum hc_status add_row(struct hc_history *history, const struct hc_fleet_row *row,
                              const char *node, const char *file, struct hc_error *err)
{
    for (size_t h = 0; row->fate == HC_FLEET_ANALYSED && h < row->n_hosts; h++)
        if (strcmp(row->hosts[h].name, node) == 0 &&
            row->hosts[h].since_unix_ns != HC_MISSING_I64 &&
            add_host(history, row, &row->hosts[h], file, err))
            return err->status;
    return HC_OK;
}

/* A row that is not kept, or not of the segment as it is now, tells nothing. */
static enum hc_status add_job(struct hc_history *history, const struct hc_fleet_analysis *analysis,
                              const struct hc_fleet_job *job, const char *node,
                              struct hc_error *err)
{
    const struct hc_manifest_entry *entry = job->entry;
    struct hc_segment_look look;
    struct hc_fleet_row row;
    struct hc_error why;
    bool is_new = false;
    if (hc_fleet_row_init(&row, entry->cluster, entry->job_id, entry->attempt, err))
        return err->status;
    snprintf(row.segment_sha256, sizeof row.segment_sha256, "%s", entry->sha256);
    enum hc_status status = HC_OK;
    if (hc_segment_look_begin(&look, analysis->archive, entry, &why) == HC_OK &&
        hc_fleet_cache_get(&row, analysis, job, &look, &is_new) && !is_new)
        status = add_row(history, &row, node, entry->file, err);
    hc_segment_look_end(&look);
    hc_fleet_row_fini(&row);
    return status;
}

enum hc_status hc_fleet_kept_history(struct hc_history *history, const struct hc_archive *archive,
                                     const char *node, struct hc_error *err)
{
    static const struct hc_step_ranges all_steps;
    struct hc_fleet_job *jobs = NULL;
    size_t n = 0;
    char *inputs = hc_fleet_inputs(&all_steps, false, HC_FLEET_THRESHOLD, HC_FLEET_DEPTH, err);
    const struct hc_fleet_analysis analysis = {
        .archive = archive, .steps = &all_steps, .inputs = inputs};
    enum hc_status status = inputs ? hc_fleet_jobs_list(archive, &jobs, &n, err) : err->status;
    for (size_t i = 0; status == HC_OK && i < n; i++)
        status = add_job(history, &analysis, &jobs[i], node, err);
    hc_history_sort(history);
    free(jobs);
    free(inputs);
    return status;
}
