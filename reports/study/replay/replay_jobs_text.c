#include "reports/study/replay/replay_jobs_tables.h"
#include "reports/study/replay/replay_jobs_views.h"

#include "core/base/text_layout.h"
#include "reports/write/text_line.h"
#include "study/run/study_numbers.h"

#include <stdlib.h>

#define MOST_JOBS 20 /* rows of a table; JSON and CSV have all */

/* ---- what was asked, and of whom ---- */

static void put_question(const struct hc_replay_jobs *jobs, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], shown[4 * HC_TEXT_WIDTH];
    if (jobs->question)
        hc_text_wrap(stream, jobs->question, 0, 0, HC_TEXT_WIDTH);
    hc_line_add(&line, "%s: on %s of %s job%s of the archive%s%s; intervals of %g %%", jobs->name,
                hc_format_count((int64_t)jobs->n_jobs, a),
                hc_format_count((int64_t)jobs->n_in_archive, b), jobs->n_in_archive == 1 ? "" : "s",
                jobs->where ? ", where " : "", jobs->where ? jobs->where : "",
                100 * jobs->confidence);
    hc_line_put(stream, "scenario", &line);
    hc_line_add(
        &line, "%s",
        hc_text_tail(shown, sizeof shown, jobs->archive, HC_TEXT_WIDTH - HC_LABEL_WIDTH - 1));
    hc_line_put(stream, "archive", &line);
}

static void put_fates(const struct hc_replay_jobs *jobs, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    for (int fate = 0; fate < HC_N_JOB_FATES; fate++)
        if (jobs->n_of[fate] || fate == HC_JOB_ANSWERED)
            hc_line_add(&line, "%s%s %s", line.used ? ", " : "",
                        hc_format_count((int64_t)jobs->n_of[fate], number),
                        hc_job_fate_text((enum hc_job_fate)fate));
    hc_line_put(stream, "jobs", &line);
}

static void put_hours(const struct hc_replay_jobs *jobs, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (jobs->n_gpus_unknown < jobs->n_of[HC_JOB_ANSWERED])
        hc_line_add(&line, "%s, of the steps replayed", hc_study_number_text(jobs->gpu_h, number));
    if (jobs->n_gpus_unknown)
        hc_line_add(&line, "%snot known for %s of the jobs, which count as jobs only",
                    line.used ? "; " : "", hc_format_count((int64_t)jobs->n_gpus_unknown, number));
    if (line.used)
        hc_line_put(stream, "GPU-hours", &line);
}

/* A selector that matches nothing is told once, however many jobs it is in. */
static void put_empty(const struct hc_replay_jobs *jobs, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    for (size_t e = 0; e < jobs->n_edits; e++) {
        if (!jobs->n_empty[e])
            continue;
        hc_line_add(&line, "the edit '%s' selects nothing in %s of the %s jobs answered",
                    jobs->edit_name[e], hc_format_count((int64_t)jobs->n_empty[e], a),
                    hc_format_count((int64_t)jobs->n_of[HC_JOB_ANSWERED], b));
        hc_line_put(stream, "note", &line);
    }
}

/* ---- tables ---- */

static enum hc_status put_totals(const struct hc_replay_jobs *jobs, FILE *stream,
                                 struct hc_error *err)
{
    fputs("\nall of them: step time by GPU-hours; jobs faster and slower, where the interval of "
          "the change\nleaves out nought; over jobs the median, least and most change\n",
          stream);
    return hc_section_print(stream, hc_replay_jobs_totals_table(jobs), err);
}

static enum hc_status put_run(const struct hc_replay_jobs *jobs, size_t run, FILE *stream,
                              struct hc_error *err)
{
    size_t n = 0, *order = hc_replay_jobs_order(jobs, run, &n, err);
    char number[HC_NUMBER_TEXT];
    if (!order)
        return err->status;
    size_t most = n < MOST_JOBS ? n : MOST_JOBS;
    fprintf(stream, "\n%s: jobs by the GPU-hours gained\n", jobs->run_name[run]);
    enum hc_status status =
        hc_section_print(stream, hc_replay_jobs_run_table(jobs, run, order, most), err);
    if (n > most)
        fprintf(stream, "  and %s more jobs, which --json and --csv list\n",
                hc_format_count((int64_t)(n - most), number));
    free(order);
    return status;
}

static enum hc_status put_unanswered(const struct hc_replay_jobs *jobs, FILE *stream,
                                     struct hc_error *err)
{
    size_t n = jobs->n_jobs - jobs->n_of[HC_JOB_ANSWERED];
    char number[HC_NUMBER_TEXT];
    if (!n)
        return HC_OK;
    fputs("\njobs without an answer\n", stream);
    enum hc_status status =
        hc_section_print(stream, hc_replay_jobs_unanswered_table(jobs, MOST_JOBS), err);
    if (n > MOST_JOBS)
        fprintf(stream, "  and %s more, which --json and --csv list\n",
                hc_format_count((int64_t)(n - MOST_JOBS), number));
    return status;
}

enum hc_status hc_replay_jobs_write_text(const struct hc_replay_jobs *jobs, FILE *stream,
                                         struct hc_error *err)
{
    put_question(jobs, stream);
    put_fates(jobs, stream);
    put_hours(jobs, stream);
    put_empty(jobs, stream);
    bool is_answered = jobs->n_of[HC_JOB_ANSWERED] > 0;
    enum hc_status status = is_answered ? put_totals(jobs, stream, err) : HC_OK;
    for (size_t r = 0; r < jobs->n_runs && is_answered && !status; r++)
        if (hc_replay_jobs_shows(jobs, r))
            status = put_run(jobs, r, stream, err);
    return status ? status : put_unanswered(jobs, stream, err);
}
