/* All jobs of a scenario: their rows before the first of them is run, and sums over these in their
 * order after the last. */
#include "core/base/memory.h"
#include "core/base/select.h"
#include "models/stats/student.h"
#include "study/engines/replay/replay_jobs.h"
#include "study/engines/replay/replay_wing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ---- */

static enum hc_status name_runs(struct hc_replay_jobs *jobs, struct hc_arena *arena,
                                const struct hc_study *study, struct hc_error *err)
{
    const char **name = hc_arena_new(arena, study->n_variants * sizeof *name, err);
    if (!name)
        return err->status;
    for (size_t r = 0; r < study->n_variants; r++)
        name[r] = study->variant[r].name;
    jobs->n_runs = study->n_variants;
    jobs->run_name = name;
    return HC_OK;
}

static enum hc_status name_edits(struct hc_replay_jobs *jobs, struct hc_scenario *scenario,
                                 struct hc_error *err)
{
    const struct hc_node *edits = hc_node_member(scenario->root, "edits");
    size_t n = edits ? edits->n : 0;
    const char **name = hc_arena_new(&scenario->arena, (n + 1) * sizeof *name, err);
    if (!name)
        return err->status;
    for (const struct hc_node *edit = n ? edits->first : NULL; edit; edit = edit->next)
        name[jobs->n_edits++] = edit->key;
    jobs->edit_name = name;
    return HC_OK;
}

static enum hc_status list_inputs(struct hc_replay_jobs *jobs, struct hc_scenario *scenario,
                                  struct hc_error *err)
{
    size_t n = scenario->n_inputs;
    struct hc_study_input *input = hc_arena_new(&scenario->arena, (n + 1) * sizeof *input, err);
    if (!input)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        input[i].path = scenario->input[i].path;
        memcpy(input[i].sha256, scenario->input[i].sha256, sizeof input[i].sha256);
    }
    jobs->inputs = input;
    jobs->n_inputs = n;
    return HC_OK;
}

enum hc_status hc_replay_jobs_init(struct hc_replay_jobs *jobs, struct hc_scenario *scenario,
                                   const struct hc_study *study, size_t n_jobs,
                                   struct hc_error *err)
{
    const struct hc_node *where = hc_replay_jobs_where(scenario),
                         *level = hc_node_member(scenario->root, "confidence");
    struct hc_study_work work = {.scenario = scenario, .arena = &scenario->arena};
    *jobs = (struct hc_replay_jobs){.where = where ? where->text : NULL,
                                    .name = hc_study_name(&work, err),
                                    .question = study->question,
                                    .scenario = hc_study_source(&work, err),
                                    .confidence = level ? level->number : HC_CONFIDENCE};
    if (!jobs->name || !jobs->scenario || name_runs(jobs, &scenario->arena, study, err) ||
        name_edits(jobs, scenario, err) || list_inputs(jobs, scenario, err) ||
        !(jobs->job = hc_new_array(n_jobs, sizeof *jobs->job, err)))
        return err->status;
    for (; jobs->n_jobs < n_jobs; jobs->n_jobs++)
        jobs->job[jobs->n_jobs] = (struct hc_replay_job){.dp_size = HC_MISSING_I32,
                                                         .n_stages = HC_MISSING_I32,
                                                         .discrepancy = NAN,
                                                         .untouched_s = NAN,
                                                         .untouched_slowdown = NAN,
                                                         .gpu_h = NAN};
    return HC_OK;
}

/* ---- after ---- */

static void count_fates(struct hc_replay_jobs *jobs)
{
    for (size_t j = 0; j < jobs->n_jobs; j++) {
        const struct hc_replay_job *job = &jobs->job[j];
        jobs->n_of[job->fate]++;
        if (job->fate != HC_JOB_ANSWERED)
            continue;
        if (job->n_gpus)
            jobs->gpu_h += job->gpu_h;
        else
            jobs->n_gpus_unknown++;
        for (size_t e = 0; e < jobs->n_edits; e++)
            jobs->n_empty[e] += job->empty[e / 64] >> e % 64 & 1;
    }
}

/* Of equal ones the first job. */
static void hold_extremes(struct hc_replay_jobs_total *total, const struct hc_replay_jobs *jobs,
                          size_t run, size_t j)
{
    double change = jobs->job[j].run[run].change.mean;
    if (total->best == HC_STUDY_NONE || change < jobs->job[total->best].run[run].change.mean)
        total->best = j;
    if (total->worst == HC_STUDY_NONE || change > jobs->job[total->worst].run[run].change.mean)
        total->worst = j;
}

static void add_job(struct hc_replay_jobs_total *total, const struct hc_replay_job_run *run)
{
    total->is_untouched = total->is_untouched && run->is_untouched;
    total->n_faster += run->change.high < 0; /* NaN: too few steps for an interval */
    total->n_slower += run->change.low > 0;
    total->n_open += !(run->change.high < 0) && !(run->change.low > 0);
    if (isfinite(run->gained_gpu_h.mean))
        total->gained_gpu_h += run->gained_gpu_h.mean;
}

static double median_of(double *sorted, size_t n)
{
    hc_sort(sorted, n);
    return n ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : NAN;
}

/* room: for a change of each job. */
static void sum_run(struct hc_replay_jobs *jobs, size_t run, double *room)
{
    struct hc_replay_jobs_total *total = &jobs->total[run];
    size_t n = 0;
    *total = (struct hc_replay_jobs_total){
        .is_untouched = true, .best = HC_STUDY_NONE, .worst = HC_STUDY_NONE};
    for (size_t j = 0; j < jobs->n_jobs; j++) {
        if (jobs->job[j].fate != HC_JOB_ANSWERED)
            continue;
        add_job(total, &jobs->job[j].run[run]);
        hold_extremes(total, jobs, run, j);
        room[n++] = jobs->job[j].run[run].change.mean;
    }
    total->median_change = median_of(room, n);
    total->change = jobs->gpu_h > 0 ? (0 - total->gained_gpu_h) / jobs->gpu_h : NAN;
    if (n == jobs->n_gpus_unknown)
        total->gained_gpu_h = NAN;
}

enum hc_status hc_replay_jobs_sum(struct hc_replay_jobs *jobs, struct hc_error *err)
{
    double *room = hc_new_array(jobs->n_jobs, sizeof *room, err);
    jobs->total = hc_new_array(jobs->n_runs, sizeof *jobs->total, err);
    jobs->n_empty = hc_new_array(jobs->n_edits, sizeof *jobs->n_empty, err);
    enum hc_status status = room && jobs->total && jobs->n_empty ? HC_OK : err->status;
    if (!status)
        count_fates(jobs);
    for (size_t r = 0; r < jobs->n_runs && !status; r++)
        sum_run(jobs, r, room);
    free(room);
    return status;
}

void hc_replay_jobs_fini(struct hc_replay_jobs *jobs)
{
    for (size_t j = 0; j < jobs->n_jobs; j++)
        free(jobs->job[j].run);
    free(jobs->job);
    free(jobs->total);
    free(jobs->n_empty);
    *jobs = (struct hc_replay_jobs){.n_jobs = 0};
}
