/* Sections of the page of a study of step timelines: steps one by one, what they are made of, and
 * what the edits did. */
#include "reports/page/section_html.h"
#include "reports/study/replay/replay_tables.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ROWS    64   /* of a table */
#define MOST_BESIDE  12   /* runs that stand beside each other in a table */
#define MOST_BARS    16   /* of a chart */
#define MOST_POINTS  2000 /* of a line: more cannot be told apart */
#define MOST_EFFECTS 200

static const struct hc_replay_findings *findings_of(const struct hc_study_result *result,
                                                    size_t run)
{
    return hc_replay_run_findings(&result->run[run]);
}

static enum hc_status write_beside(FILE *stream, const struct hc_study_result *result,
                                   enum hc_replay_beside what, struct hc_error *err)
{
    struct hc_study_listing table;
    size_t n_left_out = hc_replay_beside_table(&table, result, what, MOST_BESIDE, 0);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, MOST_BESIDE + n_left_out, MOST_BESIDE, "variants");
    return status;
}

/* ---- steps ---- */

/* The lines of a chart of steps: the untouched job, then runs. */
struct lines {
    struct hc_figure_series series[HC_STUDY_N_LINES];
    size_t n, n_left_out;
    double *x, *y; /* [n_points], [HC_STUDY_N_LINES][n_points] */
    size_t n_points, stride;
};

static void add_line(struct lines *lines, const char *name, const double *values)
{
    if (lines->n == HC_STUDY_N_LINES) {
        lines->n_left_out++;
        return;
    }
    double *y = lines->y + lines->n * lines->n_points;
    for (size_t i = 0; i < lines->n_points; i++)
        y[i] = values[i * lines->stride];
    lines->series[lines->n] =
        (struct hc_figure_series){.kind = HC_SERIES_LINE,
                                  .color = lines->n ? hc_series_color(lines->n - 1) : HC_GREY,
                                  .name = name,
                                  .n = lines->n_points,
                                  .x = lines->x,
                                  .y = y};
    lines->n++;
}

static enum hc_status make_lines(struct lines *lines, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    const struct hc_replay_step_times *steps = &findings_of(result, 0)->steps;
    *lines = (struct lines){.stride = (steps->n + MOST_POINTS - 1) / MOST_POINTS};
    lines->n_points = (steps->n + lines->stride - 1) / lines->stride;
    lines->x = hc_new_array((1 + HC_STUDY_N_LINES) * lines->n_points, sizeof *lines->x, err);
    if (!lines->x)
        return err->status;
    lines->y = lines->x + lines->n_points;
    for (size_t i = 0; i < lines->n_points; i++)
        lines->x[i] = steps->number[i * lines->stride];
    add_line(lines, "untouched", steps->untouched_s);
    for (size_t r = 0; r < result->n_runs; r++)
        if (!hc_replay_is_untouched(&result->run[r]))
            add_line(lines, hc_replay_run_title(result, r), findings_of(result, r)->steps.run_s);
    return HC_OK;
}

static enum hc_status draw_steps(FILE *stream, const struct hc_figure_sink *figures,
                                 const struct hc_study_result *result, struct hc_error *err)
{
    struct lines lines;
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "steps",
        .title = "Step time, step by step",
        .note = "The axis of the step time does not begin at zero.",
        .is_wide = true,
        .x = {.title = "step", .is_counts = true},
        .y = {.title = "step time", .unit = "s", .low = INFINITY, .high = -INFINITY},
    };
    if (make_lines(&lines, result, err))
        return err->status;
    figure.x.low = lines.x[0];
    figure.x.high = fmax(lines.x[lines.n_points - 1], lines.x[0] + 1);
    figure.n_series = lines.n;
    figure.series = lines.series;
    for (size_t i = 0; i < lines.n; i++)
        hc_axis_widen(&figure.y, lines.series[i].y, lines.n_points);
    hc_axis_round(&figure.y, 5);
    enum hc_status status = hc_figure_put(figures, &figure, err);
    hc_study_html_remainder(stream, lines.n + lines.n_left_out, lines.n, "variants");
    free(lines.x);
    return status;
}

/* ---- S ---- */

/* S of each run over the ideal of the untouched job, with intervals. */
static enum hc_status draw_slowdowns(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_figure_row rows[MOST_BARS];
    char text[MOST_BARS][HC_STUDY_TEXT];
    size_t n = 0, c = hc_study_column_find(result, "slowdown");
    if (c == HC_STUDY_NONE)
        return HC_OK;
    if (!hc_replay_is_untouched(&result->run[0])) {
        double slowdown = findings_of(result, 0)->untouched_slowdown;
        rows[n++] = (struct hc_figure_row){.name = "untouched",
                                           .text = hc_study_html_number(slowdown, "", NAN, text[0]),
                                           .value = slowdown,
                                           .low = NAN,
                                           .high = NAN,
                                           .color = HC_GREY};
    }
    for (size_t r = 0; r < result->n_runs && n < MOST_BARS; r++, n++) {
        const struct hc_study_value *value = &result->run[r].value[c];
        rows[n] = (struct hc_figure_row){.name = hc_replay_run_title(result, r),
                                         .text = hc_study_html_value(value, "", text[n]),
                                         .value = value->mean,
                                         .low = value->low,
                                         .high = value->high,
                                         .color = HC_BLUE};
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_RANGES,
        .name = "slowdown",
        .title = "Slowdown S, over the ideal of the untouched job",
        .x = {.title = "slowdown S"},
        .n_rules = 1,
        .rules = &(struct hc_figure_rule){.at = 1},
        .n_rows = n,
        .rows = rows,
    };
    hc_html_grid_start(stream);
    enum hc_status status = hc_figure_put(figures, &figure, err);
    hc_html_grid_end(stream);
    hc_study_html_remainder(stream, result->n_runs, MOST_BARS, "variants");
    return status;
}

enum hc_status hc_replay_html_steps(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_replay_findings *found = findings_of(result, 0);
    struct hc_study_listing table;
    hc_html_section_start(stream, "steps", "Step by step");
    hc_html_paragraph(stream, NULL,
                      "The replay of the untouched job is %.2f %% off its trace; changes are "
                      "against this replay, so that what it is off cancels.",
                      1e2 * fabs(found->discrepancy));
    hc_replay_answer_table(&table, result, MOST_ROWS);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, result->n_runs, MOST_ROWS, "variants");
    if (status == HC_OK)
        status = draw_steps(stream, figures, result, err);
    if (status == HC_OK)
        status = draw_slowdowns(stream, figures, result, err);
    if (status == HC_OK)
        status = write_beside(stream, result, HC_BESIDE_RANKS, err);
    if (status == HC_OK)
        status = write_beside(stream, result, HC_BESIDE_GAIN, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- the critical path ---- */

static const enum hc_color group_colors[HC_REPLAY_N_GROUPS] = {
    [HC_GROUP_FORWARD] = HC_BLUE,         [HC_GROUP_BACKWARD] = HC_ORANGE,
    [HC_GROUP_BETWEEN_STAGES] = HC_SKY,   [HC_GROUP_ALL_GATHER] = HC_HATCHED_GREEN,
    [HC_GROUP_REDUCE_SCATTER] = HC_GREEN, [HC_GROUP_REDUCTIONS] = HC_PURPLE,
    [HC_GROUP_OPTIMIZER] = HC_YELLOW,     [HC_GROUP_GC] = HC_GREY,
    [HC_GROUP_DELAY] = HC_VERMILLION,     [HC_GROUP_EXTRA] = HC_BLACK};

struct bars {
    const char *names[MOST_BARS];
    double values[MOST_BARS * HC_REPLAY_N_GROUPS];
    size_t n, n_left_out;
};

static void add_bar(struct bars *bars, const char *name, const double group_s[HC_REPLAY_N_GROUPS])
{
    if (bars->n == MOST_BARS) {
        bars->n_left_out++;
        return;
    }
    bars->names[bars->n] = name;
    for (int group = 0; group < HC_REPLAY_N_GROUPS; group++)
        bars->values[bars->n * HC_REPLAY_N_GROUPS + (size_t)group] = group_s[group];
    bars->n++;
}

static enum hc_status draw_path(FILE *stream, const struct hc_figure_sink *figures,
                                const struct hc_study_result *result, struct hc_error *err)
{
    struct bars bars = {.n = 0};
    struct hc_figure_part parts[HC_REPLAY_N_GROUPS];
    add_bar(&bars, "untouched", findings_of(result, 0)->untouched_group_s);
    for (size_t r = 0; r < result->n_runs; r++)
        if (!hc_replay_is_untouched(&result->run[r]))
            add_bar(&bars, hc_replay_run_title(result, r), findings_of(result, r)->group_s);
    for (int group = 0; group < HC_REPLAY_N_GROUPS; group++)
        parts[group] = (struct hc_figure_part){hc_replay_group_name(findings_of(result, 0), group),
                                               group_colors[group]};
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = "critical-path",
        .title = "What a step is made of",
        .note = "The ops that each began when the one before it ended, mean over the steps: a bar "
                "is as long as the step. What is not in it runs beside it.",
        .is_wide = true,
        .x = {.title = "critical path", .unit = "s"},
        .n_rows = bars.n,
        .row_names = bars.names,
        .n_parts = HC_REPLAY_N_GROUPS,
        .parts = parts,
        .part_values = bars.values,
    };
    enum hc_status status = hc_figure_put(figures, &figure, err);
    hc_study_html_remainder(stream, bars.n + bars.n_left_out, bars.n, "variants");
    return status;
}

enum hc_status hc_replay_html_path(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    hc_html_section_start(stream, "critical-path", "Critical path");
    hc_html_paragraph(stream, NULL,
                      "A step lasts as long as the chain of ops that wait for each other. An op "
                      "that is not on it may take longer by its slack before the step does.");
    enum hc_status status = draw_path(stream, figures, result, err);
    if (status == HC_OK)
        status = write_beside(stream, result, HC_BESIDE_PARTS, err);
    if (status == HC_OK)
        status = write_beside(stream, result, HC_BESIDE_WORKERS, err);
    if (status == HC_OK && hc_replay_has_slack(result))
        status = write_beside(stream, result, HC_BESIDE_SLACK, err);
    if (status == HC_OK && hc_replay_has_slack(result))
        hc_html_paragraph(stream, "note",
                          "Workers are dp rank / stage. Their slack is the least of their ops in a "
                          "step, mean over the steps.");
    hc_html_section_end(stream);
    return status;
}

/* ---- edits ---- */

enum hc_status hc_replay_html_edits(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_study_listing table;
    (void)figures;
    if (!hc_replay_effects_table(&table, result, MOST_EFFECTS))
        return HC_OK;
    hc_html_section_start(stream, "edits", "Edits");
    hc_html_paragraph(stream, NULL,
                      "In the order in which they are applied: ops of all steps that each is for, "
                      "those whose duration it changed, and the time of these in the mean of a "
                      "step, over all workers.");
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_html_section_end(stream);
    return status;
}
