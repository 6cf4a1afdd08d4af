#include "reports/compare/compare_figures.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/compare/compare_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MOST_ROWS 24

/* ---- steps ---- */

/* What is drawn of A and of B over the numbers of their steps. */
struct step_lines {
    size_t n[2];
    double *steps[2], *values[2];
};

static void lines_fini(struct step_lines *lines)
{
    free(lines->steps[0]);
    free(lines->steps[1]);
}

static enum hc_status lines_init(struct step_lines *lines, const struct hc_comparison *c,
                                 struct hc_error *err)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    *lines = (struct step_lines){.n = {c->a->n_steps, c->b->n_steps}};
    for (int i = 0; i < 2; i++) {
        lines->steps[i] = hc_new_array(lines->n[i], 2 * sizeof *lines->steps[i], err);
        if (!lines->steps[i])
            return err->status;
        lines->values[i] = lines->steps[i] + lines->n[i];
        for (size_t s = 0; s < lines->n[i]; s++)
            lines->steps[i][s] = sides[i]->steps[s];
    }
    return HC_OK;
}

static enum hc_status put_lines(const struct hc_figure_sink *sink, struct hc_figure *figure,
                                const struct step_lines *lines, struct hc_error *err)
{
    static const char *const names[2] = {"A", "B"};
    static const enum hc_color colors[2] = {HC_VERMILLION, HC_BLUE};
    struct hc_figure_series series[4];
    figure->kind = HC_FIGURE_CHART;
    figure->x =
        (struct hc_axis){.title = "step", .low = INFINITY, .high = -INFINITY, .is_counts = true};
    for (int i = 0; i < 2; i++) {
        hc_axis_widen(&figure->x, lines->steps[i], lines->n[i]);
        hc_axis_widen(&figure->y, lines->values[i], lines->n[i]);
        series[i] = (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                              .color = colors[i],
                                              .name = names[i],
                                              .n = lines->n[i],
                                              .x = lines->steps[i],
                                              .y = lines->values[i]};
    }
    if (figure->x.low == figure->x.high)
        hc_axis_round(&figure->x, 4);
    hc_axis_round(&figure->y, 6);
    figure->n_series = 2;
    figure->series = series;
    return hc_figure_put(sink, figure, err);
}

enum hc_status hc_compare_step_figures(const struct hc_figure_sink *sink,
                                       const struct hc_compare_report *report, struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    struct step_lines lines;
    struct hc_figure times = {.name = "compare-step-time",
                              .title = "Time of each step",
                              .says = "recorded time of each step of A and of B",
                              .y = {.title = "step time", .unit = "s"}};
    struct hc_figure slowdowns = {.name = "compare-step-slowdown",
                                  .title = "Slowdown step by step",
                                  .says = "slowdown S of each step of A and of B",
                                  .y = {.title = "slowdown S", .low = 1, .high = HC_STRAGGLING},
                                  .n_rules = 1,
                                  .rules = &(struct hc_figure_rule){.at = HC_STRAGGLING}};
    enum hc_status status = lines_init(&lines, c, err);
    for (int i = 0; i < 2 && status == HC_OK; i++)
        for (size_t s = 0; s < lines.n[i]; s++)
            lines.values[i][s] = (double)sides[i]->traced_ns[s] * 1e-9;
    if (status == HC_OK)
        status = put_lines(sink, &times, &lines, err);
    for (int i = 0; i < 2 && status == HC_OK; i++)
        for (size_t s = 0; s < lines.n[i]; s++)
            lines.values[i][s] = sides[i]->step_slowdown[s];
    if (status == HC_OK)
        status = put_lines(sink, &slowdowns, &lines, err);
    lines_fini(&lines);
    return status;
}

/* ---- changes, a dot with its interval each ---- */

/* Rows of a figure of changes, with room for their texts. */
struct change_rows {
    size_t n;
    struct hc_figure_row rows[MOST_ROWS];
    char names[MOST_ROWS][HC_CHANGE_TEXT], texts[MOST_ROWS][HC_CHANGE_TEXT];
};

static void add_row(struct change_rows *rows, const char *name, const struct hc_change *change,
                    enum hc_change_unit unit)
{
    bool is_time = unit == HC_CHANGE_OF_TIME;
    size_t n = rows->n;
    if (n == MOST_ROWS || !isfinite(is_time ? change->relative : change->difference))
        return;
    snprintf(rows->names[n], sizeof rows->names[n], "%s", name);
    rows->rows[n] = (struct hc_figure_row){
        .name = rows->names[n],
        .text = hc_change_text(change, unit, rows->texts[n]),
        .value = is_time ? change->relative : change->difference,
        .low = is_time ? change->relative_low : change->low,
        .high = is_time ? change->relative_high : change->high,
        .color = change->sign == HC_CHANGE_UP     ? HC_VERMILLION
                 : change->sign == HC_CHANGE_DOWN ? HC_BLUE
                                                  : HC_GREY,
    };
    rows->n++;
}

static enum hc_status put_rows(const struct hc_figure_sink *sink, struct hc_figure *figure,
                               const struct change_rows *rows, struct hc_error *err)
{
    static const struct hc_figure_rule no_change = {.is_x = true, .at = 0};
    if (rows->n == 0)
        return HC_OK;
    figure->kind = HC_FIGURE_RANGES;
    figure->n_rows = rows->n;
    figure->rows = rows->rows;
    figure->n_rules = 1;
    figure->rules = &no_change;
    return hc_figure_put(sink, figure, err);
}

enum hc_status hc_compare_part_figures(const struct hc_figure_sink *sink,
                                       const struct hc_compare_report *report, struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    struct change_rows types = {.n = 0}, stages = {.n = 0};
    char name[HC_CHANGE_TEXT];
    struct hc_figure by_type = {
        .name = "compare-op-types",
        .title = "Mean duration of an op, by op type",
        .note = "B over A, with 95 % intervals; grey where the steps show no change.",
        .x = {.title = "change of the mean duration", .is_share = true}};
    struct hc_figure by_stage = {
        .name = "compare-stages",
        .title = "Mean duration of a pass, by stage",
        .note = "B over A, with 95 % intervals; grey where the steps show no change.",
        .x = {.title = "change of the mean duration", .is_share = true}};
    for (size_t i = 0; i < c->n_types; i++)
        add_row(&types, hc_op_type_name(c->types[i].op_type), &c->types[i].duration_s,
                HC_CHANGE_OF_TIME);
    for (size_t i = 0; i < c->n_stages; i++) {
        snprintf(name, sizeof name, "stage %" PRId32 ", forward", c->stages[i].stage);
        add_row(&stages, name, &c->stages[i].forward_s, HC_CHANGE_OF_TIME);
        snprintf(name, sizeof name, "stage %" PRId32 ", backward", c->stages[i].stage);
        add_row(&stages, name, &c->stages[i].backward_s, HC_CHANGE_OF_TIME);
    }
    enum hc_status status = put_rows(sink, &by_type, &types, err);
    return status == HC_OK ? put_rows(sink, &by_stage, &stages, err) : status;
}

enum hc_status hc_compare_worker_figures(const struct hc_figure_sink *sink,
                                         const struct hc_compare_report *report,
                                         struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    struct change_rows rows = {.n = 0};
    char name[HC_CHANGE_TEXT];
    struct hc_figure figure = {
        .name = "compare-workers",
        .title = "Passes of a worker over those of its peers",
        .note = "B less A, of the workers that changed most, with 95 % intervals; grey where the "
                "steps show no change.",
        .x = {.title = "change of the ratio"}};
    if (c->n_workers == 0)
        return HC_OK;
    size_t *order = hc_compare_workers_by_change(c, err);
    if (!order)
        return err->status;
    for (size_t i = 0; i < c->n_workers; i++) {
        const struct hc_compared_worker *worker = &c->workers[order[i]];
        add_row(&rows, hc_compared_worker_text(worker, name), &worker->pass_ratio,
                HC_CHANGE_OF_RATIO);
    }
    free(order);
    return put_rows(sink, &figure, &rows, err);
}

enum hc_status hc_compare_put_figures(const struct hc_figure_sink *sink,
                                      const struct hc_compare_report *report, struct hc_error *err)
{
    if (hc_compare_step_figures(sink, report, err) || hc_compare_part_figures(sink, report, err))
        return err->status;
    return hc_compare_worker_figures(sink, report, err);
}
