/* Several jobs on one pool: a table for each run, one line each job, and the pool. */
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_sections.h"

#define MAX_RUNS 24 /* tables */

static enum hc_status write_run(FILE *stream, const struct hc_study_run *run,
                                const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_study_jobs *jobs = hc_life_run_findings(run)->jobs;
    struct hc_study_listing table;
    char text[HC_STUDY_TEXT], all[HC_STUDY_TEXT];
    hc_study_jobs_table(&table, result, jobs, run->name);
    hc_section_note(&table.section, "Free nodes of the pool: %s. All jobs and the pool: %s.",
                    hc_study_html_value(&jobs->pool_idle_gpu_h, "GPU-h", text),
                    hc_study_html_value(&jobs->total_gpu_h, "GPU-h", all));
    return hc_section_print_html(stream, table.section, err);
}

bool hc_study_html_has_jobs(const struct hc_study_result *result)
{
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    return life && life->jobs;
}

enum hc_status hc_study_html_jobs(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    size_t n = 0, n_shown = 0;
    enum hc_status status = HC_OK;
    if (!hc_study_html_has_jobs(result))
        return HC_OK;
    hc_html_section_start(stream, "jobs", "Jobs on the pool");
    hc_html_paragraph(stream, NULL,
                      "Each job by itself. The rest of the page is about the first one, whose "
                      "account has the free nodes of the pool in it as well; here they stand "
                      "apart.");
    for (size_t r = 0; r < result->n_runs; r++) {
        if (!hc_life_run_findings(&result->run[r])->jobs || n++ >= MAX_RUNS)
            continue;
        n_shown++;
        if (status == HC_OK)
            status = write_run(stream, &result->run[r], result, err);
    }
    hc_study_html_remainder(stream, n, n_shown, "runs");
    hc_html_section_end(stream);
    return status;
}
