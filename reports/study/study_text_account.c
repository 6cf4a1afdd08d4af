/* The account as a tree: what, and below it why; and the time that each cause cost. */
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

/* ---- by cause ---- */

static void put_cause(FILE *stream, const char *name, const char *faults, double unproductive_s,
                      double share)
{
    char hours_text[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    fprintf(stream, "  ");
    hc_study_text_cell(stream, name, LABEL_WIDTH - 8);
    fprintf(stream, " %10s %12s %9s\n", faults,
            hc_format_fixed(unproductive_s / 3600, 2, hours_text),
            hc_format_percent(share, percent));
}

void hc_study_text_causes(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    char number[HC_NUMBER_TEXT];
    if (!(life->unproductive_s > 0))
        return;
    fprintf(stream, "\n%-*s %10s %12s %9s\n", LABEL_WIDTH - 6, "unproductive time of a life",
            "faults", "h", "share");
    for (size_t i = 0; i < life->n_causes; i++)
        put_cause(stream, life->cause[i].name,
                  hc_format_fixed(life->cause[i].faults.mean, 2, number),
                  life->cause[i].unproductive_s, life->cause[i].share);
    put_cause(stream, "first start, plans, saves", "", life->other_unproductive_s,
              life->other_share);
}
