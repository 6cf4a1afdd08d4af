/* The account as a tree: what, and below it why; and the time that each cause cost. */
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"

#include <math.h>
#include <string.h>

#define LABEL_WIDTH 36

static void put_leaf(FILE *stream, int depth, const char *label, double gpu_h, double share)
{
    char number[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    fprintf(stream, "  %*s%-*s %16s %9s\n", 2 * depth, "", LABEL_WIDTH - 2 * depth, label,
            gpu_h < 9.5 ? hc_format_fixed(gpu_h, 2, number)
                        : hc_format_count(llround(gpu_h), number),
            hc_format_percent(share, percent));
}

void hc_study_text_account(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    if (!(life->gpu_h > 0))
        return;
    fprintf(stream, "\n%-*s %16s %9s\n", LABEL_WIDTH + 2, "where the GPU-hours of a life went",
            "GPU-h", "share");
    for (size_t i = 0; i < life->n_branches; i++) {
        const struct hc_life_branch *branch = &life->branch[i];
        put_leaf(stream, branch->depth, branch->name, branch->gpu_h, branch->share);
    }
    put_leaf(stream, 0, "all", life->gpu_h, 1);
}

/* ---- by cause, and jobs on the pool ---- */

void hc_study_text_causes(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    struct hc_study_listing table;
    if (!(life->unproductive_s > 0))
        return;
    fputc('\n', stream);
    hc_study_causes_table(&table, life);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
}

static void put_sum(const char *name, const struct hc_study_value *gpu_h, FILE *stream)
{
    char text[HC_STUDY_NUMBER];
    fprintf(stream, "  %-99s%s\n", name, hc_study_value_text(gpu_h, text));
}

void hc_study_text_jobs(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_jobs *jobs = hc_life_findings_of(&result->run[0])->jobs;
    struct hc_study_listing table;
    if (!jobs)
        return;
    fputc('\n', stream);
    hc_study_jobs_table(&table, result, jobs, NULL);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
    put_sum("free nodes of the pool", &jobs->pool_idle_gpu_h, stream);
    put_sum("all", &jobs->total_gpu_h, stream);
}
