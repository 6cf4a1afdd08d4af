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

/* Characters of the name of a what before its point: "startup" of "startup.load". */
static size_t group_length(enum hc_what what)
{
    return strcspn(hc_what_name(what), ".");
}

static bool is_of_group(enum hc_what what, enum hc_what first)
{
    size_t length = group_length(first);
    return group_length(what) == length &&
           strncmp(hc_what_name(what), hc_what_name(first), length) == 0;
}

struct tree {
    FILE *stream;
    const struct hc_account *account;
    double n, total; /* replicas, GPU-hours of one */
};

static double hours(const struct tree *tree, hc_gpu_ns gpu_ns)
{
    return hc_gpu_hours(gpu_ns) / tree->n;
}

static void put_sum(const struct tree *tree, int depth, const char *label, hc_gpu_ns gpu_ns)
{
    double gpu_h = hours(tree, gpu_ns);
    put_leaf(tree->stream, depth, label, gpu_h, gpu_h / tree->total);
}

static void put_whys(const struct tree *tree, enum hc_what what, int depth)
{
    for (int why = 0; why < HC_WHY_COUNT; why++)
        if (why != HC_WHY_NONE && tree->account->leaf[what][why])
            put_sum(tree, depth, hc_why_name((enum hc_why)why), tree->account->leaf[what][why]);
}

static void put_group(const struct tree *tree, enum hc_what first)
{
    hc_gpu_ns sum = 0;
    int n = 0;
    char name[64];
    for (int what = first; what < HC_WHAT_COUNT; what++) {
        hc_gpu_ns part = hc_account_what(tree->account, (enum hc_what)what);
        if (is_of_group((enum hc_what)what, first)) {
            sum += part;
            n += part != 0;
        }
    }
    if (!sum)
        return;
    snprintf(name, sizeof name, "%.*s", (int)group_length(first), hc_what_name(first));
    if (n > 1)
        put_sum(tree, 0, name, sum);
    for (int what = first; what < HC_WHAT_COUNT; what++) {
        hc_gpu_ns part = hc_account_what(tree->account, (enum hc_what)what);
        if (!part || !is_of_group((enum hc_what)what, first))
            continue;
        put_sum(tree, n > 1, hc_what_name((enum hc_what)what), part);
        put_whys(tree, (enum hc_what)what, 1 + (n > 1));
    }
}

void hc_study_text_account(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_lifetime_summary *summary = &hc_life_of(&result->run[0])->summary;
    struct tree tree = {stream, &summary->account, (double)summary->n, 0};
    tree.total = hours(&tree, hc_account_total(&summary->account));
    if (!(tree.total > 0))
        return;
    fprintf(stream, "\n%-*s %16s %9s\n", LABEL_WIDTH + 2, "where the GPU-hours of a life went",
            "GPU-h", "share");
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        bool is_first = true;
        for (int before = 0; before < what; before++)
            is_first = is_first && !is_of_group((enum hc_what)before, (enum hc_what)what);
        if (is_first)
            put_group(&tree, (enum hc_what)what);
    }
    put_leaf(stream, 0, "all", tree.total, 1);
}

/* ---- by cause ---- */

static void put_cause(FILE *stream, const char *name, const char *faults, double unproductive_s,
                      double all_s)
{
    char hours_text[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    fprintf(stream, "  ");
    hc_study_text_cell(stream, name, LABEL_WIDTH - 8);
    fprintf(stream, " %10s %12s %9s\n", faults,
            hc_format_fixed(unproductive_s / 3600, 2, hours_text),
            hc_format_percent(unproductive_s / all_s, percent));
}

void hc_study_text_causes(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_detail *life = hc_life_of(&result->run[0]);
    const struct hc_lifetime_summary *summary = &life->summary;
    double all_s = summary->unproductive_s[HC_LIFETIME_MAX_FAULTS].mean;
    char number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < life->config->n_faults; i++)
        all_s += summary->unproductive_s[i].mean;
    if (!(all_s > 0))
        return;
    fprintf(stream, "\n%-*s %10s %12s %9s\n", LABEL_WIDTH - 6, "unproductive time of a life",
            "faults", "h", "share");
    for (size_t i = 0; i < life->config->n_faults; i++)
        put_cause(stream, life->config->fault[i].name,
                  hc_format_fixed(summary->faults[i].mean, 2, number),
                  summary->unproductive_s[i].mean, all_s);
    put_cause(stream, "first start, plans, saves", "",
              summary->unproductive_s[HC_LIFETIME_MAX_FAULTS].mean, all_s);
}
