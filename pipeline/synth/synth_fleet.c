#include "pipeline/synth/synth_fleet.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "core/process/temporary_files.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "pipeline/fleet/fleet_truth.h"
#include "pipeline/synth/empty_directory.h"
#include "reports/export/metadata_writer.h"
#include "reports/export/step_parquet_writer.h"
#include "sim/synth/fleet_synth.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH_ROWS 16384

struct fleet {
    struct hc_fleet_synth_job *jobs;
    size_t n_jobs, n_done;
    int64_t *n_ops;
    char *directory; /* where it is made; then it is renamed */
    char **paths;    /* of a trace and its metadata each: on the list of the signal handler */
    bool float32;
    struct hc_progress progress;
    size_t failed; /* first job that failed, or n_jobs */
    struct hc_error *err;
};

/* --- the directory ---------------------------------------------------------------------------- */

/* A directory beside path, which then takes its name. */
static enum hc_status make_beside(const char *path, char **made, struct hc_error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *plain = hc_new_text(err, "%.*s", (int)length, path);
    *made = plain ? hc_outfile_unused_name(plain, err) : NULL;
    free(plain);
    if (!*made)
        return err->status;
    hc_temporary_add(*made);
    if (mkdir(*made, 0777) == 0)
        return HC_OK;
    hc_fail_errno(err, "cannot make the fleet in", path);
    hc_temporary_forget(*made);
    free(*made);
    *made = NULL;
    return err->status;
}

/* Once the directory has its name. */
static void forget_paths(struct fleet *fleet)
{
    for (size_t i = 0; fleet->paths && i < 2 * fleet->n_jobs; i++) {
        hc_temporary_forget(fleet->paths[i]);
        free(fleet->paths[i]);
    }
    free(fleet->paths);
    hc_temporary_forget(fleet->directory);
    free(fleet->directory);
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}

/* --- one job ---------------------------------------------------------------------------------- */

static enum hc_status write_rows(struct hc_synth_steps *generator, struct hc_step_parquet *parquet,
                                 struct hc_error *err)
{
    struct hc_table ops;
    if (hc_table_init(&ops, &hc_ops_def, BATCH_ROWS, err))
        return err->status;
    enum hc_status status;
    do {
        ops.n_rows = 0;
        status = hc_synth_steps_next(generator, &ops, err);
        if (status == HC_OK)
            status = hc_step_parquet_write(parquet, &ops, err);
    } while (status == HC_OK && ops.n_rows > 0);
    hc_table_fini(&ops);
    return status == HC_OK ? hc_step_parquet_finish(parquet, err) : status;
}

/* Files of the fleet are not synced one by one: its directory has its name only at the end. */
static enum hc_status close_file(FILE *stream, const char *path, enum hc_status status,
                                 struct hc_error *err)
{
    bool failed = ferror(stream);
    failed |= fclose(stream) != 0;
    return failed && status == HC_OK ? hc_fail_errno(err, "cannot write", path) : status;
}

static enum hc_status write_meta(const struct hc_job *job, const char *path, struct hc_error *err)
{
    FILE *stream = fopen(path, "we");
    if (!stream)
        return hc_fail_errno(err, "cannot write", path);
    hc_metadata_print(job, stream);
    return close_file(stream, path, HC_OK, err);
}

static enum hc_status write_trace(const struct fleet *fleet, struct hc_synth_steps *generator,
                                  const char *path, struct hc_error *err)
{
    const struct hc_step_parquet_options options = {.float32_times = fleet->float32};
    struct hc_step_parquet *parquet = NULL;
    FILE *stream = fopen(path, "wbe");
    if (!stream)
        return hc_fail_errno(err, "cannot write", path);
    enum hc_status status = hc_step_parquet_open(&parquet, stream, path, &options, err);
    if (status == HC_OK)
        status = write_rows(generator, parquet, err);
    hc_step_parquet_close(parquet);
    return close_file(stream, path, status, err);
}

static enum hc_status write_job(const struct fleet *fleet, size_t j, struct hc_error *err)
{
    const struct hc_fleet_synth_job *job = &fleet->jobs[j];
    struct hc_synth_steps *generator = NULL;
    char *trace = fleet->paths[2 * j] =
        hc_new_text(err, "%s/trace-%s.parquet", fleet->directory, job->id);
    char *meta = fleet->paths[2 * j + 1] =
        trace ? hc_new_text(err, "%s/meta-%s.yaml", fleet->directory, job->id) : NULL;
    enum hc_status status = HC_INTERNAL;
    if (trace && meta) {
        hc_temporary_add(trace);
        hc_temporary_add(meta);
        status = hc_synth_steps_open(&generator, &job->options, err);
    }
    if (status == HC_OK) {
        fleet->n_ops[j] = hc_synth_steps_rows(generator);
        status = write_trace(fleet, generator, trace, err);
    }
    if (status == HC_OK)
        status = write_meta(hc_synth_steps_job(generator), meta, err);
    hc_synth_steps_close(generator);
    return status ? hc_context(err, "job '%s'", job->id) : HC_OK;
}

/* --- the fleet -------------------------------------------------------------------------------- */

static void note_done(struct fleet *fleet, size_t j, enum hc_status status,
                      const struct hc_error *err)
{
    if (status && j < fleet->failed) {
#pragma omp atomic write
        fleet->failed = j; /* read by others outside of the critical section */
        *fleet->err = *err;
    }
    hc_progress_update(&fleet->progress, (int64_t)++fleet->n_done);
}

static enum hc_status write_jobs(struct fleet *fleet)
{
    fleet->failed = fleet->n_jobs;
    hc_progress_start(&fleet->progress, "synth steps", "jobs", (int64_t)fleet->n_jobs);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t j = 0; j < fleet->n_jobs; j++) {
        struct hc_error err = {0};
        size_t failed;
#pragma omp atomic read
        failed = fleet->failed;
        enum hc_status status = failed < j ? HC_OK : write_job(fleet, j, &err);
#pragma omp critical(synth_fleet)
        note_done(fleet, j, status, &err);
    }
    hc_progress_end(&fleet->progress);
    return fleet->failed < fleet->n_jobs ? fleet->err->status : HC_OK;
}

static enum hc_status write_truth(const struct fleet *fleet, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/truth.csv", fleet->directory);
    if (!path)
        return err->status;
    enum hc_status status =
        hc_fleet_truth_write(path, fleet->jobs, fleet->n_ops, fleet->n_jobs, err);
    free(path);
    return status;
}

static enum hc_status make_fleet(struct fleet *fleet, const char *path, struct hc_error *err)
{
    if (make_beside(path, &fleet->directory, err))
        return err->status;
    fleet->paths = hc_new_array(2 * fleet->n_jobs, sizeof *fleet->paths, err);
    enum hc_status status = fleet->paths ? write_jobs(fleet) : err->status;
    hc_temporary_hold(); /* truth.csv is on no list */
    if (status == HC_OK)
        status = write_truth(fleet, err);
    if (status == HC_OK && rename(fleet->directory, path))
        status = hc_fail_errno(err, "cannot make the fleet in", path);
    if (status)
        remove_directory(fleet->directory);
    forget_paths(fleet);
    hc_temporary_release();
    return status;
}

enum hc_status hc_synth_fleet_write(const struct hc_synth_fleet *plan, struct hc_error *err)
{
    if (hc_check_empty(plan->directory, "fleet", err))
        return err->status;
    struct fleet fleet = {
        .n_jobs = (size_t)plan->drawn.n_jobs, .float32 = plan->float32, .err = err};
    char jobs[HC_NUMBER_TEXT], ops[HC_NUMBER_TEXT];
    enum hc_status status = hc_fleet_synth_new(&fleet.jobs, &plan->drawn, err);
    if (status == HC_OK && !(fleet.n_ops = hc_new_array(fleet.n_jobs, sizeof *fleet.n_ops, err)))
        status = err->status;
    if (status == HC_OK)
        status = make_fleet(&fleet, plan->directory, err);
    if (status == HC_OK) {
        int64_t total = 0;
        for (size_t j = 0; j < fleet.n_jobs; j++)
            total += fleet.n_ops[j];
        hc_note("wrote %s jobs with %s ops to '%s'", hc_format_count(plan->drawn.n_jobs, jobs),
                hc_format_count(total, ops), plan->directory);
    }
    free(fleet.n_ops);
    free(fleet.jobs);
    return status;
}
