#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/study/replay/replay_jobs_tables.h"
#include "reports/study/replay/replay_jobs_views.h"
#include "study/run/study_numbers.h"

#include <math.h>
#include <stdlib.h>

#define MOST_JOBS 200 /* rows of a table; JSON and CSV have all */

/* ---- what is read first ---- */

/* Of the variants the one by which all jobs together gain most; HC_STUDY_NONE: none is known to. */
static size_t find_best(const struct hc_replay_jobs *jobs)
{
    size_t best = HC_STUDY_NONE;
    for (size_t r = 0; r < jobs->n_runs; r++)
        if (hc_replay_jobs_shows(jobs, r) && jobs->total[r].change < 0 &&
            (best == HC_STUDY_NONE || jobs->total[r].change < jobs->total[best].change))
            best = r;
    return best;
}

static void put_best(FILE *stream, const struct hc_replay_jobs *jobs, size_t best)
{
    const struct hc_replay_jobs_total *total = &jobs->total[best];
    char title[256], gained[HC_NUMBER_TEXT], hours[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    snprintf(title, sizeof title, "%s gains %s of %s GPU-hours (%s)", jobs->run_name[best],
             hc_study_number_text(total->gained_gpu_h, gained),
             hc_study_number_text(jobs->gpu_h, hours), hc_format_percent(-total->change, share));
    hc_html_callout_start(stream, HC_TONE_GOOD, title);
    hc_html_paragraph(stream, "lead",
                      "%zu of the %zu jobs are faster by it, %zu are slower; of %zu the interval "
                      "of the change holds nought.",
                      total->n_faster, jobs->n_of[HC_JOB_ANSWERED], total->n_slower, total->n_open);
    hc_html_callout_end(stream);
}

static void put_answer(FILE *stream, const struct hc_replay_jobs *jobs)
{
    size_t best = find_best(jobs), n = jobs->n_of[HC_JOB_ANSWERED];
    if (best != HC_STUDY_NONE) {
        put_best(stream, jobs, best);
        return;
    }
    hc_html_callout_start(stream, n ? HC_TONE_PLAIN : HC_TONE_BAD,
                          n ? "No variant is known to gain GPU-hours" : "No job has an answer");
    hc_html_paragraph(stream, NULL, "The tables below say why.");
    hc_html_callout_end(stream);
}

static void put_tiles(FILE *stream, const struct hc_replay_jobs *jobs)
{
    char value[HC_NUMBER_TEXT], note[128], count[HC_NUMBER_TEXT];
    hc_html_tiles_start(stream);
    snprintf(note, sizeof note, "of %s in the archive",
             hc_format_count((int64_t)jobs->n_in_archive, count));
    hc_html_tile(stream, HC_TONE_PLAIN, "jobs chosen",
                 hc_format_count((int64_t)jobs->n_jobs, value), note);
    for (int fate = 0; fate < HC_N_JOB_FATES; fate++)
        if (jobs->n_of[fate] || fate == HC_JOB_ANSWERED)
            hc_html_tile(stream,
                         hc_job_is_lacking((enum hc_job_fate)fate) ? HC_TONE_BAD : HC_TONE_PLAIN,
                         hc_job_fate_text((enum hc_job_fate)fate),
                         hc_format_count((int64_t)jobs->n_of[fate], value), NULL);
    hc_html_tile(stream, HC_TONE_PLAIN, "GPU-hours of their steps",
                 hc_study_number_text(
                     jobs->n_gpus_unknown < jobs->n_of[HC_JOB_ANSWERED] ? jobs->gpu_h : NAN, value),
                 NULL);
    hc_html_tiles_end(stream);
}

/* ---- sections ---- */

static enum hc_status put_totals(FILE *stream, const struct hc_replay_jobs *jobs,
                                 struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    hc_html_section_start(stream, "totals", "All of them");
    enum hc_status status = hc_section_print_html(stream, hc_replay_jobs_totals_table(jobs), err);
    if (jobs->n_gpus_unknown)
        hc_html_paragraph(stream, "note",
                          "The GPUs of %zu of the jobs are not known: they count as jobs, and in "
                          "no figure by GPU-hours.",
                          jobs->n_gpus_unknown);
    for (size_t e = 0; e < jobs->n_edits; e++)
        if (jobs->n_empty[e])
            hc_html_paragraph(stream, "note", "The edit '%s' selects nothing in %zu of the jobs.",
                              jobs->edit_name[e], jobs->n_empty[e]);
    hc_html_grid_start(stream);
    if (!status)
        status = hc_replay_jobs_put_figures(&page, jobs, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_run(FILE *stream, const struct hc_replay_jobs *jobs, size_t run,
                              struct hc_error *err)
{
    size_t n = 0, *order = hc_replay_jobs_order(jobs, run, &n, err);
    char anchor[32], title[256];
    if (!order)
        return err->status;
    size_t most = n < MOST_JOBS ? n : MOST_JOBS;
    snprintf(anchor, sizeof anchor, "run-%zu", run);
    snprintf(title, sizeof title, "Jobs: %s", jobs->run_name[run]);
    struct hc_section table = hc_replay_jobs_run_table(jobs, run, order, most);
    if (n > most)
        hc_section_note(&table, "And %zu more, which JSON and CSV list.", n - most);
    enum hc_status status = hc_section_print_headed(stream, anchor, title, table, err);
    free(order);
    return status;
}

static void put_source(FILE *stream, const struct hc_replay_jobs *jobs)
{
    hc_html_section_start(stream, "scenario", "Scenario");
    hc_html_facts_start(stream);
    hc_html_fact(stream, "jobs", "%s", jobs->where ? jobs->where : "all of the archive");
    hc_html_fact(stream, "intervals", "%g %%", 100 * jobs->confidence);
    hc_html_fact(stream, "document", "%s", jobs->scenario);
    hc_html_facts_end(stream);
    hc_html_section_end(stream);
}

static enum hc_status put_sections(FILE *stream, const struct hc_replay_jobs *jobs,
                                   struct hc_error *err)
{
    bool is_answered = jobs->n_of[HC_JOB_ANSWERED] > 0;
    enum hc_status status = is_answered ? put_totals(stream, jobs, err) : HC_OK;
    for (size_t r = 0; r < jobs->n_runs && is_answered && !status; r++)
        if (hc_replay_jobs_shows(jobs, r))
            status = put_run(stream, jobs, r, err);
    return status ? status
                  : hc_section_print_headed(stream, "unanswered", "Jobs without an answer",
                                            hc_replay_jobs_unanswered_table(jobs, MOST_JOBS), err);
}

enum hc_status hc_replay_jobs_write_html(const struct hc_replay_jobs *jobs, FILE *stream,
                                         struct hc_error *err)
{
    const struct hc_html_input archive = {.label = "archive", .path = jobs->archive};
    hc_html_start(stream, &(struct hc_html_head){"scenario on many jobs", jobs->name,
                                                 jobs->question, jobs->run_id, NULL, NULL});
    put_answer(stream, jobs);
    put_tiles(stream, jobs);
    enum hc_status status = put_sections(stream, jobs, err);
    put_source(stream, jobs);
    hc_html_end(stream, &archive, 1);
    return hc_html_written(stream, status, "the page of the scenario", err);
}
