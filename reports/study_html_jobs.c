/* The jobs that share a pool, of the scenario as it stands. */
#include "reports/study_html_parts.h"

#define MAX_JOBS 100

static const char *const shown[] = {"ettr", "wall_d", "recovery_gpu_h", "total_gpu_h"};
#define N_SHOWN (sizeof shown / sizeof *shown)

static void write_job(struct hc_html_table *table, const struct hc_study_result *result,
                      const struct hc_study_job *job)
{
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    hc_html_row(table);
    hc_html_cell(table, "%s", job->name);
    hc_html_cell(table, "%s", hc_format_count(job->config->job.nodes, number));
    hc_html_cell(table, "%d", (int)job->config->job.priority);
    for (size_t i = 0; i < N_SHOWN; i++) {
        size_t c = hc_study_html_column(result, shown[i]);
        hc_html_cell(table, "%s",
                     c == HC_STUDY_NONE
                         ? "-"
                         : hc_study_html_value(&job->value[c], result->column[c].unit, text));
    }
}

static void write_sum(struct hc_html_table *table, const char *name,
                      const struct hc_study_value *gpu_h)
{
    char text[HC_STUDY_TEXT];
    hc_html_row(table);
    hc_html_cell(table, "%s", name);
    for (size_t i = 0; i < N_SHOWN + 1; i++)
        hc_html_cell(table, "%s", "");
    hc_html_cell(table, "%s", hc_study_html_value(gpu_h, "GPU-h", text));
}

bool hc_study_html_has_jobs(const struct hc_study_result *result)
{
    return result->run[0].jobs != NULL;
}

enum hc_status hc_study_html_jobs(FILE *stream, const struct hc_study_result *result,
                                  struct hc_error *err)
{
    static const struct hc_html_column columns[] = {
        {"job", false}, {"nodes", true},    {"priority", true}, {"ETTR", true},
        {"wall", true}, {"recovery", true}, {"GPU-hours", true}};
    const struct hc_study_jobs *jobs = result->run[0].jobs;
    struct hc_html_table table;
    (void)err;
    if (!jobs)
        return HC_OK;
    hc_html_section_start(stream, "jobs", "Jobs on the pool");
    hc_html_paragraph(stream, NULL,
                      "Each job of the scenario as it stands (base), and the free nodes that they "
                      "share. The rest of this page is about the first, with these free nodes.");
    hc_html_table_start(&table, stream, NULL, columns, sizeof columns / sizeof *columns);
    size_t n = jobs->n_jobs < MAX_JOBS ? jobs->n_jobs : MAX_JOBS;
    for (size_t i = 0; i < n; i++)
        write_job(&table, result, &jobs->job[i]);
    write_sum(&table, "free nodes of the pool", &jobs->pool_idle_gpu_h);
    write_sum(&table, "all", &jobs->total_gpu_h);
    hc_html_table_end(&table);
    hc_study_html_left_out(stream, jobs->n_jobs, n, "jobs");
    hc_html_section_end(stream);
    return HC_OK;
}
