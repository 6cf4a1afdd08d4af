#include "pipeline/fleet/fleet_run.h"

#include "core/base/memory.h"
#include "pipeline/fleet/fleet_work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct hc_fleet_analysis *analysis;
    const struct hc_fleet_job *jobs;
    pthread_mutex_t mutex; /* of what the rows count together */
    struct hc_fleet_rows *rows;
};

void hc_fleet_rows_fini(struct hc_fleet_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        hc_fleet_row_fini(&rows->rows[i]);
    free(rows->rows);
    memset(rows, 0, sizeof *rows);
}

/* Give every job its row before any is analysed: if memory runs short later, the job that it hits
 * has a row in which that can be recorded as its fate, and the others go on. */
static enum hc_status init_rows(struct hc_fleet_rows *rows, const struct hc_fleet_job *jobs,
                                size_t n, struct hc_error *err)
{
    memset(rows, 0, sizeof *rows);
    rows->rows = hc_new_array(n, sizeof *rows->rows, err);
    if (!rows->rows)
        return err->status;
    for (; rows->n < n; rows->n++) {
        const struct hc_manifest_entry *entry = jobs[rows->n].entry;
        if (hc_fleet_row_init(&rows->rows[rows->n], entry->cluster, entry->job_id, entry->attempt,
                              err))
            return err->status;
    }
    return HC_OK;
}

/* ---- one of them ---- */

static void note_cache(struct run *run, const struct hc_fleet_job_outcome *outcome)
{
    struct hc_fleet_rows *rows = run->rows;
    pthread_mutex_lock(&run->mutex);
    rows->n_cached += outcome->hit;
    if (outcome->put_failed && rows->n_unkept++ == 0)
        rows->why_unkept = outcome->why;
    pthread_mutex_unlock(&run->mutex);
}

static enum hc_status fill_row(void *context, size_t job, int threads, struct hc_error *err)
{
    struct run *run = context;
    struct hc_fleet_job_outcome outcome;
    enum hc_status status = hc_fleet_job_row(&run->rows->rows[job], run->analysis, &run->jobs[job],
                                             threads, &outcome, err);
    note_cache(run, &outcome);
    return status;
}

enum hc_status hc_fleet_run(struct hc_fleet_rows *rows, const struct hc_fleet_analysis *analysis,
                            const struct hc_fleet_job *jobs, size_t n, int threads,
                            struct hc_error *err)
{
    struct run run = {
        .analysis = analysis, .jobs = jobs, .mutex = PTHREAD_MUTEX_INITIALIZER, .rows = rows};
    const struct hc_fleet_work work = {jobs, n, threads, fill_row, &run};
    enum hc_status status = init_rows(rows, jobs, n, err);
    if (status == HC_OK)
        status = hc_fleet_work_run(&work, err);
    if (status)
        hc_fleet_rows_fini(rows);
    return status;
}
