#include "pipeline/study/study_jobs.h"

#include "pipeline/fleet/fleet_work.h"
#include "pipeline/inputs/study_data.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"

#include <unistd.h>

/* ---- which jobs ---- */

static enum hc_status parse_where(struct hc_query_condition **condition,
                                  struct hc_scenario *scenario, struct hc_error *err)
{
    const struct hc_node *where = hc_replay_jobs_where(scenario);
    struct hc_error why;
    enum hc_status status =
        hc_query_condition_parse(condition, where ? where->text : NULL, &hc_fleet_choice_def, &why);
    if (status == HC_USAGE)
        hc_scenario_complain(&scenario->errors, &where->place, "/input/jobs/where", "%s",
                             why.message);
    else if (status)
        *err = why;
    return status == HC_USAGE ? HC_OK : status;
}

static void complain_of_none(const struct hc_study_jobs *run, const struct hc_fleet_choice *choice)
{
    const struct hc_node *where = hc_replay_jobs_where(run->scenario),
                         *jobs = hc_replay_asks_jobs(run->scenario);
    struct hc_scenario_errors *errors = &run->scenario->errors;
    if (!choice->n_in_archive)
        hc_scenario_complain(errors, &jobs->key_place, "/input/jobs",
                             "there is no job with a step timeline in the archive '%s'",
                             run->archive->path);
    else
        hc_scenario_complain(errors, &where->place, "/input/jobs/where",
                             "none of the %zu jobs of the archive '%s' meets it",
                             choice->n_in_archive, run->archive->path);
}

enum hc_status hc_study_jobs_choose(struct hc_fleet_choice *choice, const struct hc_study_jobs *run,
                                    struct hc_error *err)
{
    struct hc_query_condition *condition = NULL;
    *choice = (struct hc_fleet_choice){.n = 0};
    enum hc_status status = parse_where(&condition, run->scenario, err);
    if (!status && !run->scenario->errors.n) {
        status = hc_fleet_choose(choice, run->archive, condition, run->threads, err);
        if (!status && !choice->n)
            complain_of_none(run, choice);
    }
    hc_query_condition_free(condition);
    return status;
}

/* ---- one of them ---- */

/* The scenario on one job, with the memory of its document. */
struct one {
    struct hc_arena arena;
    struct hc_study_data data;
    struct hc_scenario scenario;
    struct hc_study study;
};

static enum hc_status bind_one(struct one *one, const struct hc_study_jobs *run,
                               const struct hc_manifest_entry *entry, struct hc_error *err)
{
    char name[512];
    *one = (struct one){.data = {.archive_path = run->archive->path,
                                 .archive = run->archive,
                                 .is_lent = true,
                                 .job = entry}};
    snprintf(name, sizeof name, "%s/%s", entry->cluster, entry->job_id);
    const struct hc_data_provider provider = hc_study_data_provider(&one->data);
    const struct hc_node *document = hc_replay_job_document(run->scenario, name, &one->arena, err);
    const struct hc_scenario_request request = {.path = run->scenario->path,
                                                .document = document,
                                                .engines = run->scenario->engines,
                                                .data = &provider};
    return document ? hc_scenario_prepare(&one->scenario, &one->study, &request, err) : err->status;
}

static void release_one(struct one *one)
{
    hc_scenario_fini(&one->scenario);
    hc_arena_fini(&one->arena);
}

/* Whether the file of the segment is the one of the manifest, as `whatif --all` looks at it. */
static enum hc_status verify(const struct hc_archive *archive,
                             const struct hc_manifest_entry *entry, struct hc_error *err)
{
    int fd = -1;
    enum hc_status status = hc_archive_open_file(archive, entry, &fd, err);
    if (!status)
        status = hc_archive_verify_file(archive, entry, fd, err);
    if (fd >= 0)
        close(fd);
    return status;
}

static void lack(struct hc_replay_job *row, const struct hc_error *why)
{
    hc_replay_job_discard(row,
                          why->status == HC_IO         ? HC_JOB_UNREADABLE
                          : why->status == HC_INTERNAL ? HC_JOB_NO_MEMORY
                                                       : HC_JOB_DAMAGED,
                          why->message);
}

/* A mistake that only the replay finds, as a duration below 0, is one of the edits. */
static enum hc_status answer_bound(struct hc_replay_job *row, const struct hc_replay_jobs *result,
                                   struct one *one, int threads, struct hc_error *err)
{
    struct hc_study_answer answer;
    enum hc_status status = hc_study_run(&answer, &one->scenario, &one->study, threads, err);
    if (!status)
        status = hc_replay_job_take(row, result, &answer.result, err);
    hc_study_answer_fini(&answer);
    if (status != HC_BAD_INPUT)
        return status;
    hc_replay_job_discard(row, HC_JOB_REFUSED, err->message);
    return HC_OK;
}

static enum hc_status answer_one(struct hc_replay_job *row, const struct hc_replay_jobs *result,
                                 struct one *one, int threads, struct hc_error *err)
{
    hc_replay_job_know(row, &one->scenario);
    enum hc_status status = hc_scenario_errors_status(&one->scenario.errors, err);
    if (!status)
        return answer_bound(row, result, one, threads, err);
    if (status != HC_BAD_INPUT)
        return status;
    hc_replay_job_refuse(row, &one->scenario);
    return HC_OK;
}

/* ---- all of them ---- */

struct running {
    const struct hc_study_jobs *run;
    const struct hc_fleet_choice *choice;
    struct hc_replay_jobs *result;
};

static enum hc_status run_job(void *context, size_t job, int threads, struct hc_error *err)
{
    const struct running *running = context;
    const struct hc_manifest_entry *entry = running->choice->jobs[job].entry;
    struct hc_replay_job *row = &running->result->job[job];
    struct one one = {.arena = {NULL}};
    row->cluster = entry->cluster;
    row->job_id = entry->job_id;
    row->attempt = entry->attempt;
    row->segment_sha256 = entry->sha256;
    enum hc_status status = verify(running->run->archive, entry, err);
    if (!status)
        status = bind_one(&one, running->run, entry, err);
    if (!status)
        status = answer_one(row, running->result, &one, threads, err);
    release_one(&one);
    if (status)
        lack(row, err);
    return HC_OK;
}

enum hc_status hc_study_jobs_run(struct hc_replay_jobs *result, const struct hc_study_jobs *run,
                                 const struct hc_fleet_choice *choice, struct hc_error *err)
{
    struct running running = {run, choice, result};
    const struct hc_fleet_work work = {choice->jobs, choice->n, run->threads, run_job, &running};
    if (hc_replay_jobs_init(result, run->scenario, run->study, choice->n, err))
        return err->status;
    result->archive = run->archive->path;
    result->n_in_archive = choice->n_in_archive;
    if (hc_fleet_work_run(&work, err))
        return err->status;
    return hc_replay_jobs_sum(result, err);
}

/* ---- without a run ---- */

/* The mistakes that the scenario has on a job are its own: places are those of its file. */
static void take_mistakes(struct hc_scenario *scenario, const struct hc_scenario *one,
                          const char *job)
{
    for (size_t i = 0; i < one->errors.n; i++) {
        const struct hc_scenario_error *error = &one->errors.error[i];
        hc_scenario_complain(&scenario->errors, &error->place, error->pointer,
                             "%s (job '%s', the first of those that it cannot be run on)",
                             error->what, job);
    }
}

/* Whether the scenario is right on a job; its mistakes are taken over where into is not NULL. */
static bool is_right(const struct hc_study_jobs *run, const struct hc_manifest_entry *entry,
                     struct hc_scenario *into, struct hc_error *err)
{
    struct one one = {.arena = {NULL}};
    enum hc_status status = bind_one(&one, run, entry, err);
    bool is_right = !status && !one.scenario.errors.n;
    if (!status && into)
        take_mistakes(into, &one.scenario, entry->job_id);
    release_one(&one);
    return is_right;
}

enum hc_status hc_study_jobs_check(const struct hc_study_jobs *run,
                                   const struct hc_fleet_choice *choice, struct hc_error *err)
{
    struct hc_error why = {.status = HC_OK};
    for (size_t j = 0; j < choice->n; j++)
        if (is_right(run, choice->jobs[j].entry, NULL, &why))
            return HC_OK;
    for (size_t j = 0; j < choice->n && !run->scenario->errors.n; j++)
        is_right(run, choice->jobs[j].entry, run->scenario, &why);
    if (run->scenario->errors.n || !choice->n)
        return HC_OK;
    *err = why; /* none of them can be read */
    return err->status;
}
