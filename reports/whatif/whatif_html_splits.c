#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BARS 24 /* more groups are drawn as a line */

bool hc_whatif_html_has_splits(const struct hc_whatif_result *result)
{
    return result->blocking[HC_BY_OP_TYPE].n_groups > 0 || result->depth.shapley.done ||
           result->launch[HC_BY_OP_TYPE].n_groups > 0;
}

/* A bar with the texts that it points to. */
struct named_bar {
    char name[HC_MEMBER_TEXT], text[96];
};

/* ---- slowdowns as bars ---- */

static void name_bar(struct hc_figure_row *bar, struct named_bar *texts,
                     const struct hc_split_group *group, const char *kind)
{
    char number[HC_NUMBER_TEXT];
    if (group->name)
        snprintf(texts->name, sizeof texts->name, "%s", group->name);
    else
        snprintf(texts->name, sizeof texts->name, "%s %" PRId32, kind, group->id);
    snprintf(texts->text, sizeof texts->text, "%s", hc_format_fixed(group->slowdown, 3, number));
    *bar = (struct hc_figure_row){
        .name = texts->name, .text = texts->text, .value = group->slowdown, .color = HC_BLUE};
}

/* What a figure of a split is called: its files, its title; "stage" in the names of its groups. */
struct split_words {
    const char *name, *title, *kind;
};

static enum hc_status split_bars(const struct hc_figure_sink *sink, const struct hc_split *split,
                                 const struct split_words *words, struct hc_error *err)
{
    struct hc_figure_row *bars = hc_new_array(split->n_groups, sizeof *bars, err);
    struct named_bar *texts = bars ? hc_new_array(split->n_groups, sizeof *texts, err) : NULL;
    size_t *order = texts ? hc_split_descending(split, err) : NULL;
    enum hc_status status = order ? HC_OK : err->status;
    for (size_t i = 0; order && i < split->n_groups; i++) {
        /* Op types by size, ranks and stages in their own order. */
        size_t group = split->groups[0].name ? order[i] : i;
        name_bar(&bars[i], &texts[i], &split->groups[group], words->kind);
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = words->name,
        .title = words->title,
        .x = {.title = "slowdown"},
        .base = 1,
        .n_rows = split->n_groups,
        .rows = bars,
    };
    if (order)
        status = hc_figure_put(sink, &figure, err);
    free(order);
    free(texts);
    free(bars);
    return status;
}

/* ---- slowdowns as a line, where there are many ---- */

static enum hc_status split_line(const struct hc_figure_sink *sink, const struct hc_split *split,
                                 const struct split_words *words, struct hc_error *err)
{
    size_t n = split->n_groups;
    double *xs = hc_new_array(n, 2 * sizeof *xs, err);
    if (!xs)
        return err->status;
    double *ys = xs + n;
    for (size_t i = 0; i < n; i++) {
        xs[i] = split->groups[i].id;
        ys[i] = split->groups[i].slowdown;
    }
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = words->name,
        .title = words->title,
        .x = {.title = words->kind, .high = (double)(n - 1), .is_counts = true},
        .y = {.title = "slowdown", .low = 1, .high = HC_STRAGGLING},
        .n_series = 1,
        .series = &(struct hc_figure_series){
            .kind = HC_SERIES_LINE, .color = HC_BLUE, .n = n, .x = xs, .y = ys}};
    hc_axis_widen(&figure.y, ys, n);
    hc_axis_round(&figure.y, 6);
    enum hc_status status = hc_figure_put(sink, &figure, err);
    free(xs);
    return status;
}

static enum hc_status split_figure(const struct hc_figure_sink *sink, const struct hc_split *split,
                                   const struct split_words *words, struct hc_error *err)
{
    if (split->n_groups == 0)
        return HC_OK;
    bool is_line = split->n_groups > MAX_BARS && !split->groups[0].name;
    return is_line ? split_line(sink, split, words, err) : split_bars(sink, split, words, err);
}

/* ---- Shapley values ---- */

static void shapley_bar(struct hc_figure_row *bar, struct named_bar *texts,
                        const struct hc_shapley_share *share)
{
    char seconds[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    hc_shapley_name(share, texts->name);
    snprintf(texts->text, sizeof texts->text, "%s, %s", hc_format_seconds(share->seconds, seconds),
             hc_format_percent(share->share, percent));
    *bar = (struct hc_figure_row){
        .name = texts->name, .text = texts->text, .value = share->seconds, .color = HC_GREEN};
}

static enum hc_status draw_shapley(const struct hc_figure_sink *sink,
                                   const struct hc_whatif_result *result, const char *note,
                                   struct hc_error *err)
{
    const struct hc_shapley *shapley = &result->depth.shapley;
    size_t n = shapley->n_groups;
    struct hc_figure_row *bars = hc_new_array(n, sizeof *bars, err);
    struct named_bar *texts = bars ? hc_new_array(n, sizeof *texts, err) : NULL;
    enum hc_status status = texts ? HC_OK : err->status;
    for (size_t g = 0; texts && g < n; g++)
        shapley_bar(&bars[g], &texts[g], &shapley->groups[g]);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "shapley-op-types",
        .title = "Shapley values by op type",
        .says = "Shapley value of each op type",
        .note = note,
        .x = {.title = "share of the excess", .unit = "s a step"},
        .n_rows = n,
        .rows = bars,
    };
    if (texts)
        status = hc_figure_put(sink, &figure, err);
    free(texts);
    free(bars);
    return status;
}

static enum hc_status shapley_figure(const struct hc_figure_sink *sink,
                                     const struct hc_whatif_result *result, struct hc_error *err)
{
    const struct hc_shapley *shapley = &result->depth.shapley;
    char note[320], excess[HC_NUMBER_TEXT], sweeps[HC_NUMBER_TEXT];
    if (!shapley->done || shapley->n_groups == 0)
        return HC_OK;
    snprintf(note, sizeof note,
             "Shares of what a step takes beyond the ideal (%s). These do add up. From all %s "
             "coalitions of types.",
             hc_format_seconds(result->findings.shapley_s, excess),
             hc_format_count(shapley->n_sweeps + 2, sweeps));
    return draw_shapley(sink, result, note, err);
}

/* ---- all of it ---- */

enum hc_status hc_whatif_split_figures(const struct hc_figure_sink *sink,
                                       const struct hc_whatif_report *report, struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    const struct {
        const struct hc_split *split;
        struct split_words words;
    } figures[] = {
        {&result->blocking[HC_BY_OP_TYPE], {"split-op-types", "By op type", ""}},
        {&result->blocking[HC_BY_STAGE], {"split-stages", "By stage", "stage"}},
        {&result->blocking[HC_BY_DP_RANK], {"split-dp-ranks", "By dp rank", "dp rank"}},
        {&result->launch[HC_BY_OP_TYPE], {"launch-op-types", "Launch delays, by op type", ""}},
        {&result->launch[HC_BY_STAGE], {"launch-stages", "Launch delays, by stage", "stage"}},
    };
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && status == HC_OK; i++) {
        status = split_figure(sink, figures[i].split, &figures[i].words, err);
        if (status == HC_OK && i == 0)
            status = shapley_figure(sink, result, err);
    }
    return status;
}

enum hc_status hc_whatif_html_splits(FILE *stream, const struct hc_whatif_report *report,
                                     struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    if (!hc_whatif_html_has_splits(report->result))
        return HC_OK;
    hc_html_section_start(stream, "splits", "Where it comes from");
    hc_html_paragraph(stream, NULL,
                      "Slowdown with one group of ops as recorded and all others ideal. Each bar "
                      "is a replay of its own: these slowdowns do not add up.");
    hc_html_grid_start(stream);
    enum hc_status status = hc_whatif_split_figures(&page, report, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
