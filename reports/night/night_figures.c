#include "reports/night/night_figures.h"

#include "core/base/memory.h"
#include "reports/night/night_sections.h"

#include <math.h>
#include <stdlib.h>

#define MOST_CAUSES 12

/* Parts of the picture, in the order in which they lie on each other. In grey they are told apart
 * by their hatches, and those without one by their lightness. */
enum part { PRODUCTIVE, STALLS, STARTUP, LOST, FAULTS, IDLE, UNKNOWN, N_PARTS };

static const struct hc_figure_part parts[N_PARTS] = {
    [PRODUCTIVE] = {"productive", HC_GREEN},
    [STALLS] = {"checkpoints, evaluation, data", HC_SKY},
    [STARTUP] = {"start-up", HC_YELLOW},
    [LOST] = {"lost work", HC_VERMILLION},
    [FAULTS] = {"failed start-up, detection, recovery", HC_PURPLE},
    [IDLE] = {"idle", HC_ORANGE},
    [UNKNOWN] = {"unknown", HC_HATCHED_GREY},
};

static void parts_of(const struct hc_group_row *row, double values[N_PARTS])
{
    values[PRODUCTIVE] = row->productive;
    values[STALLS] = row->stalls;
    values[STARTUP] = row->startup;
    values[LOST] = row->lost;
    values[FAULTS] = row->faults;
    values[IDLE] = row->idle;
    values[UNKNOWN] = row->unknown;
}

/* A stack of one row, whose legend has the GPU-hours of each part. */
static enum hc_status put_stack(const struct hc_figure_sink *sink, const struct hc_group_row *row,
                                bool only_unproductive, struct hc_error *err)
{
    double values[N_PARTS];
    char note[160], number[HC_NUMBER_TEXT], names[N_PARTS][80];
    struct hc_figure_part labelled[N_PARTS];
    parts_of(row, values);
    if (only_unproductive)
        values[PRODUCTIVE] = 0;
    for (int p = 0; p < N_PARTS; p++) {
        snprintf(names[p], sizeof names[p], "%s: %s", parts[p].name,
                 hc_night_hours(values[p], number));
        labelled[p] = (struct hc_figure_part){names[p], parts[p].color};
    }
    double all = row->gpu_hours - (only_unproductive ? row->productive : 0);
    snprintf(note, sizeof note, "100 %% is %s GPU-hours.", hc_night_hours(all, number));
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = only_unproductive ? "unproductive" : "account",
        .title = only_unproductive ? "GPU-hours without progress" : "All GPU-hours that were held",
        .note = note,
        .x = {.unit = "GPU-h"},
        .n_rows = 1,
        .n_parts = N_PARTS,
        .parts = labelled,
        .part_values = values,
        .is_share_of_row = true,
    };
    return all > 0 ? hc_figure_put(sink, &figure, err) : HC_OK;
}

enum hc_status hc_night_put_group_stack(const struct hc_figure_sink *sink,
                                        const struct hc_group_row *row, struct hc_error *err)
{
    return put_stack(sink, row, false, err);
}

enum hc_status hc_night_put_tree(const struct hc_figure_sink *sink,
                                 const struct hc_night_report *report, struct hc_error *err)
{
    const struct hc_night_result *result = report->result;
    struct hc_group_row sum = {.name = ""};
    for (size_t day = result->range.first; day <= result->range.last; day++) {
        const struct hc_group_row *row = &result->days[day].all;
        sum.gpu_hours += row->gpu_hours;
        sum.productive += row->productive;
        sum.stalls += row->stalls;
        sum.startup += row->startup;
        sum.lost += row->lost;
        sum.faults += row->faults;
        sum.idle += row->idle;
        sum.unknown += row->unknown;
    }
    return put_stack(sink, &sum, false, err) || put_stack(sink, &sum, true, err) ? err->status
                                                                                 : HC_OK;
}

/* ---- leaves ---- */

static enum part part_of(enum hc_what what)
{
    hc_gpu_ns one[HC_WHAT_COUNT] = {0};
    struct hc_group_row row;
    double values[N_PARTS];
    one[what] = INT64_C(3600000000000);
    hc_night_group_row(&row, "", one, NAN);
    parts_of(&row, values);
    enum part part = PRODUCTIVE;
    while (part < UNKNOWN && values[part] == 0)
        part++;
    return part;
}

enum hc_status hc_night_put_losses(const struct hc_figure_sink *sink,
                                   const struct hc_night_report *report, struct hc_error *err)
{
    const struct hc_night_result *result = report->result;
    struct hc_figure_row rows[HC_WHAT_COUNT];
    char texts[HC_WHAT_COUNT][80], number[2][HC_NUMBER_TEXT];
    size_t n = 0;
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *leaf = &result->leaves[i];
        if (leaf->why != HC_WHY_COUNT || leaf->gpu_ns == 0 ||
            hc_what_goodput(leaf->what) == HC_GOODPUT_PRODUCTIVE)
            continue;
        snprintf(texts[n], sizeof texts[n], "%s (%s)", hc_night_hours(leaf->gpu_hours, number[0]),
                 hc_format_percent(leaf->share, number[1]));
        rows[n] = (struct hc_figure_row){.name = hc_what_title(leaf->what),
                                         .text = texts[n],
                                         .value = leaf->gpu_hours,
                                         .color = parts[part_of(leaf->what)].color};
        n++;
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "losses",
        .title = "GPU-hours without progress, leaf by leaf",
        .note = "In brackets the share of all GPU-hours.",
        .x = {.title = "GPU-hours"},
        .n_rows = n,
        .rows = rows,
    };
    return n ? hc_figure_put(sink, &figure, err) : HC_OK;
}

/* ---- installed ---- */

enum hc_status hc_night_put_installed(const struct hc_figure_sink *sink,
                                      const struct hc_night_report *report, struct hc_error *err)
{
    /* As on the page of capacity. */
    static const enum hc_color colors[HC_N_CAPACITY_LEAVES] = {
        [HC_CAPACITY_ALLOCATED] = HC_BLUE,
        [HC_CAPACITY_DOWN] = HC_VERMILLION,
        [HC_CAPACITY_DRAINED] = HC_ORANGE,
        [HC_CAPACITY_MAINTENANCE] = HC_PURPLE,
        [HC_CAPACITY_RESERVED] = HC_SKY,
        [HC_CAPACITY_IDLE_DEMAND] = HC_BLACK,
        [HC_CAPACITY_IDLE_NO_DEMAND] = HC_PALE_GREY,
        [HC_CAPACITY_IDLE_UNKNOWN] = HC_HATCHED_GREY};
    const struct hc_capacity_result *installed = report->installed;
    struct hc_figure_part of[HC_N_CAPACITY_LEAVES];
    char note[160], number[HC_NUMBER_TEXT];
    if (!installed || installed->begins_at_allocated)
        return HC_OK;
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        of[leaf] = (struct hc_figure_part){hc_capacity_leaf_title((enum hc_capacity_leaf)leaf),
                                           colors[leaf]};
    snprintf(note, sizeof note, "100 %% is %s GPU-hours.",
             hc_night_hours(installed->total.installed, number));
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = "installed",
        .title = "All GPU-hours that are installed",
        .note = note,
        .x = {.unit = "GPU-h"},
        .n_rows = 1,
        .n_parts = HC_N_CAPACITY_LEAVES,
        .parts = of,
        .part_values = installed->total.hours,
        .is_share_of_row = true,
    };
    return hc_figure_put(sink, &figure, err);
}

/* ---- days ---- */

static enum hc_status put_columns(const struct hc_figure_sink *sink,
                                  const struct hc_night_result *result, const double *x,
                                  const double *values, struct hc_error *err)
{
    struct hc_figure_series series[N_PARTS];
    size_t n_days = result->n_days;
    double most = 0;
    char note[400];
    for (int p = 0; p < N_PARTS; p++)
        series[p] = (struct hc_figure_series){.kind = HC_SERIES_COLUMNS,
                                              .color = parts[p].color,
                                              .name = parts[p].name,
                                              .n = n_days,
                                              .x = x,
                                              .y = values + (size_t)p * n_days};
    for (size_t day = 0; day < n_days; day++)
        most = fmax(most, result->days[day].all.gpu_hours);
    snprintf(note, sizeof note,
             "Days before the one of this report: 0 is %s. All are counted anew by the site file "
             "and the version of this report, so that a change of either makes no break. By what "
             "site file their records were read when they came is not known.",
             result->days[n_days - 1].day);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "days",
        .title = "GPU-hours day by day",
        .note = note,
        .is_wide = true,
        .x = {.title = "day", .low = x[0] - 0.5, .high = 0.5, .is_counts = true},
        .y = {.title = "GPU-hours", .low = 0, .high = most > 0 ? most * 1.05 : 1},
        .n_series = N_PARTS,
        .series = series,
        .column_width = 0.8,
    };
    return hc_figure_put(sink, &figure, err);
}

enum hc_status hc_night_put_days(const struct hc_figure_sink *sink,
                                 const struct hc_night_report *report, struct hc_error *err)
{
    const struct hc_night_result *result = report->result;
    size_t n_days = result->n_days;
    double *x = hc_new_array(n_days, sizeof *x, err);
    double *values = x ? hc_new_array(n_days * N_PARTS, sizeof *values, err) : NULL;
    enum hc_status status = values ? HC_OK : err->status;
    for (size_t day = 0; day < n_days && values; day++) {
        double of_day[N_PARTS];
        x[day] = (double)day - (double)(n_days - 1);
        parts_of(&result->days[day].all, of_day);
        for (int p = 0; p < N_PARTS; p++)
            values[(size_t)p * n_days + day] = of_day[p];
    }
    if (!status && n_days > 1)
        status = put_columns(sink, result, x, values, err);
    free(x);
    free(values);
    return status;
}

/* ---- causes ---- */

enum hc_status hc_night_put_causes(const struct hc_figure_sink *sink,
                                   const struct hc_night_report *report, struct hc_error *err)
{
    const struct hc_group_rows *causes = &report->result->by[HC_CUBE_CAUSE];
    struct hc_figure_row rows[MOST_CAUSES];
    char texts[MOST_CAUSES][HC_NUMBER_TEXT];
    size_t n = causes->n < MOST_CAUSES ? causes->n : MOST_CAUSES;
    for (size_t i = 0; i < n; i++)
        rows[i] =
            (struct hc_figure_row){.name = causes->rows[i].name,
                                   .text = hc_night_hours(causes->rows[i].gpu_hours, texts[i]),
                                   .value = causes->rows[i].gpu_hours,
                                   .color = HC_VERMILLION};
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "causes",
        .title = "GPU-hours of failures, by cause",
        .note = "Of these days: work lost, detection, recovery, and the start-up that followed.",
        .x = {.title = "GPU-hours"},
        .n_rows = n,
        .rows = rows,
    };
    return n ? hc_figure_put(sink, &figure, err) : HC_OK;
}
