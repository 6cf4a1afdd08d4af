/* Several jobs on one pool: one line each, and the pool. */
#include "reports/study/study_text_sections.h"

#include "core/base/text_layout.h"

#include <string.h>

#define NAME_WIDTH  16
#define VALUE_WIDTH 20

static const struct {
    const char *column, *title;
} shown[] = {{"ettr", "ETTR"}, {"wall_d", "wall, d"}, {"recovery_gpu_h", "recovery, GPU-h"}};

static void put_job(const struct hc_study_result *result, const struct hc_study_job *job,
                    FILE *stream)
{
    char text[HC_STUDY_NUMBER], number[HC_NUMBER_TEXT];
    fprintf(stream, "  ");
    hc_study_text_cell(stream, job->name, NAME_WIDTH);
    fprintf(stream, "%9s %9d ", hc_format_count(job->nodes, number), (int)job->priority);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const struct hc_study_value *value =
            hc_study_text_value(result, job->value, shown[i].column);
        hc_study_text_number(stream, value ? hc_study_value_text(value, text) : "-", VALUE_WIDTH);
        fprintf(stream, " ");
    }
    const struct hc_study_value *total = hc_study_text_value(result, job->value, "total_gpu_h");
    fprintf(stream, "%s\n", total ? hc_study_value_text(total, text) : "-");
}

static void put_sum(const char *name, const struct hc_study_value *gpu_h, FILE *stream)
{
    char text[HC_STUDY_NUMBER];
    fprintf(stream, "  ");
    hc_study_text_cell(stream, name, NAME_WIDTH + 20 + (VALUE_WIDTH + 1) * 3);
    fprintf(stream, "%s\n", hc_study_value_text(gpu_h, text));
}

void hc_study_text_jobs(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_jobs *jobs = hc_life_findings_of(&result->run[0])->jobs;
    if (!jobs)
        return;
    fprintf(stream, "\n  ");
    hc_study_text_cell(stream, "jobs on the pool", NAME_WIDTH);
    fprintf(stream, "%9s %9s ", "nodes", "priority");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        hc_study_text_cell(stream, shown[i].title, VALUE_WIDTH);
        fprintf(stream, " ");
    }
    fprintf(stream, "GPU-h\n");
    for (size_t i = 0; i < jobs->n_jobs; i++)
        put_job(result, &jobs->job[i], stream);
    put_sum("free nodes of the pool", &jobs->pool_idle_gpu_h, stream);
    put_sum("all", &jobs->total_gpu_h, stream);
}
