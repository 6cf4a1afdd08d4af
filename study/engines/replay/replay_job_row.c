/* What became of one of many jobs, as a row. */
#include "study/engines/replay/replay_jobs.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "study/engines/replay/replay_wing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hc_job_fate_key(int fate)
{
    static const char *const keys[HC_N_JOB_FATES] = {
        [HC_JOB_ANSWERED] = "answered",   [HC_JOB_UNREADABLE] = "unreadable",
        [HC_JOB_DAMAGED] = "damaged",     [HC_JOB_NO_MEMORY] = "no_memory",
        [HC_JOB_NO_REPLAY] = "no_replay", [HC_JOB_DISCREPANCY] = "discrepancy",
        [HC_JOB_REFUSED] = "refused"};
    return keys[fate];
}

void hc_replay_job_discard(struct hc_replay_job *job, enum hc_job_fate fate, const char *why)
{
    job->fate = fate;
    hc_show_copy(job->detail, sizeof job->detail, why);
}

/* ---- before a run ---- */

static const struct hc_replay_base *base_of(const struct hc_scenario *one)
{
    const struct hc_data_source *source = one->sources;
    while (source && !(source->kind == HC_DATA_TIMELINE && source->timeline))
        source = source->next;
    const struct hc_replay_input *input = source ? source->timeline : NULL;
    return input ? input->steps : NULL;
}

static double sum_of(const int64_t *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return sum;
}

void hc_replay_job_know(struct hc_replay_job *job, const struct hc_scenario *one)
{
    const struct hc_replay_base *base = base_of(one);
    if (!base)
        return;
    size_t n = base->lanes.n_steps;
    double span_ns = sum_of(base->span_ns, n);
    job->n_gpus = base->n_gpus;
    job->dp_size = base->lanes.dp_size;
    job->n_stages = base->lanes.n_stages;
    job->n_steps = (int64_t)n;
    job->discrepancy = base->discrepancy;
    job->untouched_s = span_ns / ((double)n * 1e9);
    job->untouched_slowdown = span_ns / sum_of(base->ideal_end_ns, n);
    job->gpu_h = base->n_gpus ? (double)base->n_gpus * (span_ns * 1e-9) / 3600 : NAN;
}

/* The first mistake by its key: its place in the file is the same for every job. */
void hc_replay_job_refuse(struct hc_replay_job *job, const struct hc_scenario *one)
{
    const struct hc_scenario_error *first = &one->errors.error[0];
    bool is_off = strcmp(first->pointer, "/input/max_discrepancy") == 0;
    bool has_steps = base_of(one) != NULL;
    char why[sizeof job->detail];
    if (has_steps && !is_off)
        snprintf(why, sizeof why, "%s: %s", first->pointer, first->what);
    else
        snprintf(why, sizeof why, "%s", first->what);
    hc_replay_job_discard(job,
                          is_off      ? HC_JOB_DISCREPANCY
                          : has_steps ? HC_JOB_REFUSED
                                      : HC_JOB_NO_REPLAY,
                          why);
}

/* ---- what was found ---- */

static struct hc_study_value value_of(const struct hc_study_result *result, size_t run,
                                      const char *figure)
{
    for (size_t c = 0; c < result->n_columns; c++)
        if (strcmp(result->column[c].name, figure) == 0)
            return result->run[run].value[c];
    return (struct hc_study_value){NAN, NAN, NAN, NAN};
}

static void take_run(struct hc_replay_job *job, size_t r, const struct hc_study_result *result)
{
    struct hc_replay_job_run *run = &job->run[r];
    const struct hc_replay_detail *detail = result->run[r].detail;
    run->is_untouched = detail->config->n_edits == 0;
    run->step_s = value_of(result, r, "step_s");
    run->change = value_of(result, r, "change");
    run->slowdown = value_of(result, r, "slowdown");
    run->recovered = value_of(result, r, "recovered");
    run->gained_gpu_h = job->n_gpus ? value_of(result, r, "gained_gpu_h")
                                    : (struct hc_study_value){NAN, NAN, NAN, NAN};
}

/* Where the scenario shows the untouched job, its figures are those of that run to the last digit.
 */
static void take_untouched(struct hc_replay_job *job)
{
    if (!job->run[0].is_untouched)
        return;
    job->untouched_s = job->run[0].step_s.mean;
    job->untouched_slowdown = job->run[0].slowdown.mean;
}

/* Edits that select nothing, in whatever runs apply them. */
static void note_empty(struct hc_replay_job *job, const struct hc_replay_jobs *jobs,
                       const struct hc_replay_findings *found)
{
    for (size_t i = 0; i < found->n_effects; i++)
        for (size_t e = 0; e < jobs->n_edits && !found->effect[i].n_selected; e++)
            if (strcmp(jobs->edit_name[e], found->effect[i].name) == 0)
                job->empty[e / 64] |= (uint64_t)1 << e % 64;
}

enum hc_status hc_replay_job_take(struct hc_replay_job *job, const struct hc_replay_jobs *jobs,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    job->run = hc_new_array(result->n_runs, sizeof *job->run, err);
    if (!job->run)
        return err->status;
    for (size_t r = 0; r < result->n_runs; r++) {
        take_run(job, r, result);
        note_empty(job, jobs, hc_replay_run_findings(&result->run[r]));
    }
    take_untouched(job);
    job->fate = HC_JOB_ANSWERED;
    return HC_OK;
}
