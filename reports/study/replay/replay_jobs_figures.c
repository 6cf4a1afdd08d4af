/* The change of each job with its interval, a figure for each variant. */
#include "reports/study/replay/replay_jobs_views.h"

#include "core/base/memory.h"
#include "reports/study/replay/replay_jobs_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_ROWS 40

struct row_text {
    char name[HC_JOB_NAME], change[HC_JOB_CHANGE];
};

static enum hc_color color_of(const struct hc_study_value *change)
{
    return change->high < 0 ? HC_GREEN : change->low > 0 ? HC_VERMILLION : HC_GREY;
}

static void fill_row(struct hc_figure_row *row, struct row_text *text,
                     const struct hc_replay_job *job, size_t run)
{
    const struct hc_study_value *change = &job->run[run].change;
    *row = (struct hc_figure_row){.name = hc_job_name(job, text->name),
                                  .text = hc_job_change_text(change, text->change),
                                  .value = change->mean,
                                  .low = change->low,
                                  .high = change->high,
                                  .color = color_of(change)};
}

static enum hc_status put_run(const struct hc_figure_sink *sink, const struct hc_replay_jobs *jobs,
                              size_t run, struct hc_error *err)
{
    size_t n = 0, *order = hc_replay_jobs_order(jobs, run, &n, err);
    size_t most = n < MOST_ROWS ? n : MOST_ROWS;
    struct hc_figure_row *rows = order ? hc_new_array(most, sizeof *rows, err) : NULL;
    struct row_text *texts = rows ? hc_new_array(most, sizeof *texts, err) : NULL;
    char title[160], note[160] = "";
    enum hc_status status = texts ? HC_OK : err->status;
    for (size_t i = 0; i < most && !status; i++)
        fill_row(&rows[i], &texts[i], &jobs->job[order[i]], run);
    snprintf(title, sizeof title, "Change of the step time of each job: %s", jobs->run_name[run]);
    if (n > most)
        snprintf(note, sizeof note, "The %zu of %zu jobs that gain most GPU-hours.", most, n);
    const struct hc_figure figure = {.kind = HC_FIGURE_RANGES,
                                     .name = "change-of-jobs",
                                     .title = title,
                                     .note = *note ? note : NULL,
                                     .is_wide = true,
                                     .x = {.title = "change of the step time",
                                           .low = INFINITY,
                                           .high = -INFINITY,
                                           .is_share = true,
                                           .factor = 1},
                                     .n_rules = 1,
                                     .rules = &(struct hc_figure_rule){.is_x = true, .at = 0},
                                     .n_rows = most,
                                     .rows = rows};
    if (!status && most)
        status = hc_figure_put(sink, &figure, err);
    free(texts);
    free(rows);
    free(order);
    return status;
}

enum hc_status hc_replay_jobs_put_figures(const struct hc_figure_sink *sink,
                                          const struct hc_replay_jobs *jobs, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t r = 0; r < jobs->n_runs && !status; r++)
        if (hc_replay_jobs_shows(jobs, r))
            status = put_run(sink, jobs, r, err);
    return status;
}
