#include "reports/whatif/whatif_sections.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/figure/svg_bars.h"
#include "reports/figure/svg_chart.h"
#include "reports/page/html_page.h"
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

static void name_bar(struct hc_svg_bar *bar, struct named_bar *texts,
                     const struct hc_split_group *group, const char *kind)
{
    char number[HC_NUMBER_TEXT];
    if (group->name)
        snprintf(texts->name, sizeof texts->name, "%s", group->name);
    else
        snprintf(texts->name, sizeof texts->name, "%s %" PRId32, kind, group->id);
    snprintf(texts->text, sizeof texts->text, "%s", hc_format_fixed(group->slowdown, 3, number));
    *bar = (struct hc_svg_bar){
        .name = texts->name, .text = texts->text, .value = group->slowdown, .class = "s1"};
}

static enum hc_status split_bars(FILE *stream, const struct hc_split *split, const char *kind,
                                 const char *label, struct hc_error *err)
{
    struct hc_svg_bar *bars = hc_new_array(split->n_groups, sizeof *bars, err);
    struct named_bar *texts = bars ? hc_new_array(split->n_groups, sizeof *texts, err) : NULL;
    size_t *order = texts ? hc_split_descending(split, err) : NULL;
    enum hc_status status = order ? HC_OK : err->status;
    for (size_t i = 0; order && i < split->n_groups; i++) {
        /* Op types by size, ranks and stages in their own order. */
        size_t group = split->groups[0].name ? order[i] : i;
        name_bar(&bars[i], &texts[i], &split->groups[group], kind);
    }
    if (order)
        hc_svg_bars(stream, label, &(struct hc_axis){.title = "slowdown"}, 1, bars,
                    split->n_groups);
    free(order);
    free(texts);
    free(bars);
    return status;
}

/* ---- slowdowns as a line, where there are many ---- */

static enum hc_status split_line(FILE *stream, const struct hc_split *split, const char *kind,
                                 const char *label, struct hc_error *err)
{
    size_t n = split->n_groups;
    double *xs = hc_new_array(n, 2 * sizeof *xs, err);
    if (!xs)
        return err->status;
    double *ys = xs + n;
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    chart.x = (struct hc_axis){.title = kind, .high = (double)(n - 1), .is_counts = true};
    chart.y = (struct hc_axis){.title = "slowdown", .low = 1, .high = HC_STRAGGLING};
    for (size_t i = 0; i < n; i++) {
        xs[i] = split->groups[i].id;
        ys[i] = split->groups[i].slowdown;
        chart.y.low = fmin(chart.y.low, ys[i]);
        chart.y.high = fmax(chart.y.high, ys[i]);
    }
    hc_axis_round(&chart.y, 6);
    hc_svg_chart_start(&chart, stream, label);
    hc_svg_chart_line(&chart, "s1", xs, ys, n);
    hc_svg_chart_end(&chart);
    free(xs);
    return HC_OK;
}

static enum hc_status split_figure(FILE *stream, const struct hc_split *split, const char *kind,
                                   const char *title, struct hc_error *err)
{
    if (split->n_groups == 0)
        return HC_OK;
    bool is_line = split->n_groups > MAX_BARS && !split->groups[0].name;
    hc_html_figure_start(stream, title, false);
    enum hc_status status = is_line ? split_line(stream, split, kind, title, err)
                                    : split_bars(stream, split, kind, title, err);
    hc_html_figure_end(stream, NULL);
    return status;
}

/* ---- Shapley values ---- */

static void shapley_bar(struct hc_svg_bar *bar, struct named_bar *texts,
                        const struct hc_shapley_share *share)
{
    char seconds[HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT];
    hc_shapley_name(share, texts->name);
    snprintf(texts->text, sizeof texts->text, "%s, %s", hc_format_seconds(share->seconds, seconds),
             hc_format_percent(share->share, percent));
    *bar = (struct hc_svg_bar){
        .name = texts->name, .text = texts->text, .value = share->seconds, .class = "s3"};
}

static enum hc_status draw_shapley(FILE *stream, const struct hc_whatif_result *result,
                                   struct hc_error *err)
{
    const struct hc_shapley *shapley = &result->depth.shapley;
    size_t n = shapley->n_groups;
    struct hc_svg_bar *bars = hc_new_array(n, sizeof *bars, err);
    struct named_bar *texts = bars ? hc_new_array(n, sizeof *texts, err) : NULL;
    for (size_t g = 0; texts && g < n; g++)
        shapley_bar(&bars[g], &texts[g], &shapley->groups[g]);
    if (texts)
        hc_svg_bars(stream, "Shapley value of each op type",
                    &(struct hc_axis){.title = "share of the excess (s a step)"}, 0, bars, n);
    enum hc_status status = texts ? HC_OK : err->status;
    free(texts);
    free(bars);
    return status;
}

static enum hc_status write_shapley(FILE *stream, const struct hc_whatif_result *result,
                                    struct hc_error *err)
{
    const struct hc_shapley *shapley = &result->depth.shapley;
    char note[320], excess[HC_NUMBER_TEXT], sweeps[HC_NUMBER_TEXT];
    if (!shapley->done || shapley->n_groups == 0)
        return HC_OK;
    hc_html_figure_start(stream, "Shapley values by op type", false);
    enum hc_status status = draw_shapley(stream, result, err);
    snprintf(note, sizeof note,
             "Shares of what a step takes beyond the ideal (%s). These do add up. From all %s "
             "coalitions of types.",
             hc_format_seconds(result->findings.shapley_s, excess),
             hc_format_count(shapley->n_sweeps + 2, sweeps));
    hc_html_figure_end(stream, note);
    return status;
}

enum hc_status hc_whatif_html_splits(FILE *stream, const struct hc_whatif_report *report,
                                     struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    const struct hc_split *blocking = result->blocking, *launch = result->launch;
    if (!hc_whatif_html_has_splits(result))
        return HC_OK;
    hc_html_section_start(stream, "splits", "Where it comes from");
    hc_html_paragraph(stream, NULL,
                      "Slowdown with one group of ops as recorded and all others ideal. Each bar "
                      "is a replay of its own: these slowdowns do not add up.");
    hc_html_grid_start(stream);
    enum hc_status status = split_figure(stream, &blocking[HC_BY_OP_TYPE], "", "By op type", err);
    if (status == HC_OK)
        status = write_shapley(stream, result, err);
    if (status == HC_OK)
        status = split_figure(stream, &blocking[HC_BY_STAGE], "stage", "By stage", err);
    if (status == HC_OK)
        status = split_figure(stream, &blocking[HC_BY_DP_RANK], "dp rank", "By dp rank", err);
    if (status == HC_OK)
        status = split_figure(stream, &launch[HC_BY_OP_TYPE], "", "Launch delays, by op type", err);
    if (status == HC_OK)
        status =
            split_figure(stream, &launch[HC_BY_STAGE], "stage", "Launch delays, by stage", err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    return status;
}
