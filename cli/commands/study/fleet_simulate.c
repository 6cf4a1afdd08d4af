#include "cli/commands/study/fleet_simulate.h"

#include "cli/options/report_output.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "pipeline/study/study_jobs.h"
#include "reports/study/replay/replay_jobs_views.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 100 /* lacking jobs on standard error */

HC_FIGURE_WRITERS(hc_replay_jobs, "hindcast-simulate-jobs");

/* ---- a directory ---- */

struct folder {
    struct hc_outset *set;
    const char *directory;
    const struct hc_replay_jobs *jobs;
};

static enum hc_status add_file(const struct folder *folder, const char *name,
                               struct hc_output *output, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", folder->directory, name);
    enum hc_status status =
        path ? hc_outset_add(folder->set, path, &output->stream, err) : err->status;
    free(path);
    return status;
}

static enum hc_status add_tables(const struct folder *folder, struct hc_error *err)
{
    const struct hc_item root = {.record = folder->jobs};
    struct hc_output output = {.path = folder->directory};
    for (size_t i = 0; i < HC_REPLAY_JOBS_TABLES; i++) {
        char *path = hc_new_text(err, "%s/%s", folder->directory, hc_replay_jobs_tables[i].name);
        enum hc_status status =
            path ? hc_outset_add_table(folder->set, path, &output.stream, err) : err->status;
        free(path);
        if (status)
            return status;
        hc_record_csv_table(output.stream, &hc_replay_jobs_record, &hc_replay_jobs_tables[i].table,
                            &root);
    }
    return HC_OK;
}

static enum hc_status add_views(const struct folder *folder, struct hc_error *err)
{
    struct hc_output output = {.path = folder->directory};
    if (add_file(folder, "summary.txt", &output, err) ||
        hc_replay_jobs_write_text(folder->jobs, output.stream, err) ||
        add_file(folder, "report.html", &output, err) ||
        hc_replay_jobs_write_html(folder->jobs, output.stream, err) ||
        add_file(folder, "result.json", &output, err))
        return err->status;
    return write_json(&output, folder->jobs, err);
}

static enum hc_status fill_directory(const struct folder *folder, struct hc_error *err)
{
    if (hc_outset_directory(folder->set, folder->directory, err) ||
        hc_outset_index_begin(folder->set, folder->directory, HC_OUTSET_INDEX, folder->jobs->run_id,
                              err))
        return err->status;
    enum hc_status status = add_tables(folder, err);
    if (!status)
        status = add_views(folder, err);
    hc_outset_index_end(folder->set);
    return status;
}

/* The files first, which all have the id of the run; the report then goes to standard output, too.
 */
static enum hc_status write_directory(struct hc_replay_jobs *jobs, const char *name,
                                      struct hc_error *err)
{
    const struct hc_common_options common = {.output = "-"};
    struct hc_output output;
    char run_id[HC_RUN_ID];
    char *directory = hc_copy_text(name, err);
    if (!directory)
        return err->status;
    for (size_t n = strlen(directory); n > 1 && directory[n - 1] == '/'; n--)
        directory[n - 1] = '\0';
    enum hc_status status = hc_output_open(&output, &common, true, err);
    if (!status) {
        status = hc_output_run_id(run_id, write_json, jobs, err);
        jobs->run_id = run_id;
        if (!status)
            status = fill_directory(&(struct folder){output.set, directory, jobs}, err);
        jobs->run_id = NULL;
        status = hc_output_end(&output, status, err);
    }
    free(directory);
    return status;
}

/* ---- how it ends ---- */

static void name_lacking(const struct hc_replay_jobs *jobs, size_t n_lacking)
{
    size_t n_named = 0;
    for (size_t j = 0; j < jobs->n_jobs && n_named < MOST_NAMED; j++) {
        const struct hc_replay_job *job = &jobs->job[j];
        if (!hc_job_is_lacking(job->fate))
            continue;
        hc_warn("job '%s/%s' attempt %d is lacking: %s", job->cluster, job->job_id,
                (int)job->attempt, job->detail);
        n_named++;
    }
    if (n_lacking > n_named)
        hc_warn("and %zu jobs more are lacking, which the report lists", n_lacking - n_named);
}

static enum hc_status tell_fates(const struct hc_replay_jobs *jobs, struct hc_error *err)
{
    const size_t *n = jobs->n_of;
    size_t n_lacking = n[HC_JOB_UNREADABLE] + n[HC_JOB_DAMAGED] + n[HC_JOB_NO_MEMORY];
    name_lacking(jobs, n_lacking);
    if (n_lacking)
        return hc_fail(err,
                       n[HC_JOB_UNREADABLE]  ? HC_IO
                       : n[HC_JOB_NO_MEMORY] ? HC_INTERNAL
                                             : HC_FINDING,
                       "the report lacks %zu of %zu jobs: %zu could not be read, %zu damaged "
                       "(see 'hindcast check'), %zu out of memory",
                       n_lacking, jobs->n_jobs, n[HC_JOB_UNREADABLE], n[HC_JOB_DAMAGED],
                       n[HC_JOB_NO_MEMORY]);
    if (n[HC_JOB_ANSWERED])
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "none of the %zu jobs has an answer; of '%s/%s': %s",
                   jobs->n_jobs, jobs->job[0].cluster, jobs->job[0].job_id, jobs->job[0].detail);
}

/* ---- the command ---- */

static enum hc_status write_result(const struct hc_fleet_simulation *simulation,
                                   struct hc_replay_jobs *jobs, struct hc_error *err)
{
    const char *output = simulation->common->output;
    struct hc_common_options common = *simulation->common;
    bool to_directory = output[strlen(output) - 1] == '/';
    if (to_directory && write_directory(jobs, output, err))
        return err->status;
    if (to_directory)
        common.output = "-";
    return hc_report_output_write(
        &(struct hc_report_output){&writers, jobs, &jobs->run_id, simulation->report, &common},
        false, err);
}

static enum hc_status choose(struct hc_fleet_choice *choice, const struct hc_study_jobs *run,
                             struct hc_error *err)
{
    enum hc_status status = hc_study_jobs_choose(choice, run, err);
    return status ? status : hc_scenario_errors_status(&run->scenario->errors, err);
}

static enum hc_status run_jobs(const struct hc_fleet_simulation *simulation,
                               const struct hc_study_jobs *run, struct hc_error *err)
{
    struct hc_fleet_choice choice = {.n = 0};
    struct hc_replay_jobs jobs = {.n_jobs = 0};
    enum hc_status status = choose(&choice, run, err);
    if (!status)
        status = hc_study_jobs_run(&jobs, run, &choice, err);
    if (!status)
        status = write_result(simulation, &jobs, err);
    if (!status)
        status = tell_fates(&jobs, err);
    hc_replay_jobs_fini(&jobs);
    free(choice.jobs);
    return status;
}

enum hc_status hc_fleet_simulate(const struct hc_fleet_simulation *simulation, struct hc_error *err)
{
    struct hc_study_jobs run = {.scenario = simulation->scenario,
                                .study = simulation->study,
                                .threads = (int)simulation->common->threads};
    if (simulation->report->fail_on.n)
        return hc_fail(err, HC_USAGE, "--fail-on is for a scenario on one job");
    if (hc_archive_open(&run.archive, simulation->archive_path, false, err))
        return err->status;
    enum hc_status status = run_jobs(simulation, &run, err);
    hc_archive_close(run.archive);
    return status;
}

enum hc_status hc_fleet_simulate_check(struct hc_scenario *scenario, const struct hc_study *study,
                                       const char *archive_path, size_t *n_jobs,
                                       struct hc_error *err)
{
    struct hc_study_jobs run = {.scenario = scenario, .study = study};
    struct hc_fleet_choice choice = {.n = 0};
    if (hc_archive_open(&run.archive, archive_path, false, err))
        return err->status;
    enum hc_status status = hc_study_jobs_choose(&choice, &run, err);
    if (!status && !scenario->errors.n)
        status = hc_study_jobs_check(&run, &choice, err);
    *n_jobs = choice.n;
    free(choice.jobs);
    hc_archive_close(run.archive);
    return status;
}
