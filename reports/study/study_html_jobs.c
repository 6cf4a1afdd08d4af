/* Several jobs on one pool: a table for each run, one line each job, and the pool. */
#include "reports/study/study_sections.h"

#define MAX_RUNS 24 /* tables */

static const struct {
    const char *column, *title;
} shown[] = {{"ettr", "ETTR"},
             {"wall_d", "wall time"},
             {"queue_h", "in the queue"},
             {"recovery_gpu_h", "recovery, waits for nodes too"},
             {"interruptions", "stops"},
             {"standby_idle_gpu_h", "idle standbys"},
             {"total_gpu_h", "GPU-hours held"}};
enum { N_SHOWN = sizeof shown / sizeof shown[0], N_COLUMNS = 3 + N_SHOWN };

static void write_job(struct hc_html_table *table, const struct hc_study_result *result,
                      const struct hc_study_job *job)
{
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    hc_html_row(table);
    hc_html_cell(table, "%s", job->name);
    hc_html_cell(table, "%d", (int)job->config->job.priority);
    hc_html_cell(table, "%s", hc_format_count(job->config->job.nodes, number));
    for (size_t i = 0; i < N_SHOWN; i++) {
        size_t c = hc_study_column_at(result, shown[i].column);
        hc_html_cell(table, "%s",
                     c == HC_STUDY_NONE
                         ? "-"
                         : hc_study_html_value(&job->value[c], result->column[c].unit, text));
    }
}

/* A line that has nothing but GPU-hours. */
static void write_sum(struct hc_html_table *table, const char *name,
                      const struct hc_study_value *gpu_h)
{
    char text[HC_STUDY_TEXT];
    hc_html_row(table);
    hc_html_cell(table, "%s", name);
    for (size_t i = 2; i < N_COLUMNS; i++)
        hc_html_cell(table, "%s", "");
    hc_html_cell(table, "%s", hc_study_html_value(gpu_h, "GPU-h", text));
}

static void write_run(FILE *stream, const struct hc_study_result *result,
                      const struct hc_study_run *run)
{
    struct hc_html_column columns[N_COLUMNS] = {
        {"job", false}, {"priority", true}, {"nodes", true}};
    struct hc_html_table table;
    for (size_t i = 0; i < N_SHOWN; i++)
        columns[3 + i] = (struct hc_html_column){shown[i].title, true};
    hc_html_table_start(&table, stream, run->name, columns, N_COLUMNS);
    for (size_t i = 0; i < hc_life_of(run)->jobs->n_jobs; i++)
        write_job(&table, result, &hc_life_of(run)->jobs->job[i]);
    write_sum(&table, "free nodes of the pool", &hc_life_of(run)->jobs->pool_idle_gpu_h);
    write_sum(&table, "all", &hc_life_of(run)->jobs->total_gpu_h);
    hc_html_table_end(&table);
}

bool hc_study_html_has_jobs(const struct hc_study_result *result)
{
    const struct hc_life_detail *life = hc_life_of(&result->run[0]);
    return life && life->jobs;
}

enum hc_status hc_study_html_jobs(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    size_t n = 0, n_shown = 0;
    (void)err;
    if (!hc_study_html_has_jobs(result))
        return HC_OK;
    hc_html_section_start(stream, "jobs", "Jobs on the pool");
    hc_html_paragraph(stream, NULL,
                      "Each job by itself. The rest of the page is about the first one, whose "
                      "account has the free nodes of the pool in it as well; here they stand "
                      "apart.");
    for (size_t r = 0; r < result->n_runs; r++) {
        if (!hc_life_of(&result->run[r])->jobs || n++ >= MAX_RUNS)
            continue;
        n_shown++;
        write_run(stream, result, &result->run[r]);
    }
    hc_study_html_left_out(stream, n, n_shown, "runs");
    hc_html_section_end(stream);
    return HC_OK;
}
