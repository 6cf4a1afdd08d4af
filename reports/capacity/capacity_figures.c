/* capacity_figures.c - the figures of a capacity report. */
#include "reports/capacity/capacity_views.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdlib.h>

#define MAX_PARTITIONS 12 /* rows of a figure; the largest */
#define MAX_SIZES      10

static void fill_parts(struct hc_figure_part parts[HC_N_CAPACITY_LEAVES])
{
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        parts[leaf] = (struct hc_figure_part){hc_capacity_leaf_title((enum hc_capacity_leaf)leaf),
                                              hc_capacity_leaf_colors[leaf]};
}

/* ---- all, and partitions ---- */

static enum hc_status put_total(const struct hc_figure_sink *sink,
                                const struct hc_capacity_result *result, struct hc_error *err)
{
    struct hc_figure_part parts[HC_N_CAPACITY_LEAVES];
    fill_parts(parts);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = "installed",
        .title = "Where installed GPU-time went",
        .x = {.title = "share of installed GPU-time", .is_share = true},
        .is_wide = true,
        .n_rows = 1,
        .n_parts = HC_N_CAPACITY_LEAVES,
        .parts = parts,
        .part_values = result->total.hours,
        .is_share_of_row = true,
    };
    return hc_figure_put(sink, &figure, err);
}

static enum hc_status put_partitions(const struct hc_figure_sink *sink,
                                     const struct hc_capacity_result *result, struct hc_error *err)
{
    struct hc_figure_part parts[HC_N_CAPACITY_LEAVES];
    double values[MAX_PARTITIONS * HC_N_CAPACITY_LEAVES];
    const char *names[MAX_PARTITIONS];
    size_t n = 0;
    fill_parts(parts);
    for (size_t i = 0; i < result->n_partitions && n < MAX_PARTITIONS; i++) {
        const struct hc_capacity_row *row = &result->partitions[i];
        if (row->installed <= 0)
            continue;
        for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
            values[n * HC_N_CAPACITY_LEAVES + (size_t)leaf] = row->hours[leaf];
        names[n++] = row->name ? row->name : "?";
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = "installed-partitions",
        .title = "Installed GPU-time by partition",
        .note = "The largest partitions. Nodes of several are in each of them.",
        .x = {.title = "share of installed GPU-time", .is_share = true},
        .n_rows = n,
        .row_names = names,
        .n_parts = HC_N_CAPACITY_LEAVES,
        .parts = parts,
        .part_values = values,
        .is_share_of_row = true,
    };
    return n > 1 ? hc_figure_put(sink, &figure, err) : HC_OK;
}

/* ---- days ---- */

/* Values by day: x, and a column for each leaf; then three of free nodes, then the backlog. */
enum { FREE_LEAST, FREE_MEAN, FREE_MOST, BACKLOG, WAITING, N_DAY_VALUES };
struct day_values {
    double *x, *leaf[HC_N_CAPACITY_LEAVES], *of[N_DAY_VALUES];
};

static double *make_days(struct day_values *values, const struct hc_capacity_result *result,
                         struct hc_error *err)
{
    size_t n = result->n_days;
    double *all = hc_new_array(n, (1 + HC_N_CAPACITY_LEAVES + N_DAY_VALUES) * sizeof *all, err);
    if (!all)
        return NULL;
    values->x = all;
    for (size_t leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        values->leaf[leaf] = all + (1 + leaf) * n;
    for (size_t i = 0; i < N_DAY_VALUES; i++)
        values->of[i] = all + (1 + HC_N_CAPACITY_LEAVES + i) * n;
    for (size_t i = 0; i < n; i++) {
        const struct hc_capacity_day *day = &result->days[i];
        values->x[i] = (double)i + 1;
        for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
            values->leaf[leaf][i] = day->row.hours[leaf];
        values->of[FREE_LEAST][i] = (double)day->least_free_nodes;
        values->of[FREE_MEAN][i] = day->free_nodes;
        values->of[FREE_MOST][i] = (double)day->most_free_nodes;
        values->of[BACKLOG][i] = day->backlog_hours;
        values->of[WAITING][i] = (double)day->waiting.gpus;
    }
    return all;
}

/* The axis of days; its title says which is the first. */
static struct hc_axis day_axis(const struct hc_capacity_report *report, char title[64])
{
    char day[HC_CAPACITY_DAY];
    snprintf(title, 64, "day, the first is %s",
             hc_capacity_day_text(report, report->result->from_ns, day));
    return (struct hc_axis){.title = title,
                            .low = 0.5,
                            .high = (double)report->result->n_days + 0.5,
                            .is_counts = true};
}

static enum hc_status put_tree_days(const struct hc_figure_sink *sink,
                                    const struct hc_capacity_report *report,
                                    const struct day_values *values, struct hc_error *err)
{
    struct hc_figure_series series[HC_N_CAPACITY_LEAVES];
    char title[64];
    size_t n = 0, n_days = report->result->n_days;
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        if (report->result->total.hours[leaf] > 0)
            series[n++] = (struct hc_figure_series){
                .kind = HC_SERIES_COLUMNS,
                .color = hc_capacity_leaf_colors[leaf],
                .name = hc_capacity_leaf_title((enum hc_capacity_leaf)leaf),
                .n = n_days,
                .x = values->x,
                .y = values->leaf[leaf]};
    double most = 0;
    for (size_t i = 0; i < n_days; i++)
        most = fmax(most, fmax(values->leaf[HC_CAPACITY_ALLOCATED][i],
                               report->result->days[i].row.installed));
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "installed-days",
        .title = "Installed GPU-time by day",
        .x = day_axis(report, title),
        .y = {.title = "GPU-hours", .high = most},
        .is_wide = true,
        .n_series = n,
        .series = series,
        .column_width = 0.8,
    };
    hc_axis_round(&figure.y, 5);
    return n ? hc_figure_put(sink, &figure, err) : HC_OK;
}

static enum hc_status put_free_days(const struct hc_figure_sink *sink,
                                    const struct hc_capacity_report *report,
                                    const struct day_values *values, struct hc_error *err)
{
    char title[64];
    size_t n = report->result->n_days;
    const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_BAND,
         .color = HC_GREEN,
         .strength = HC_PALE,
         .name = "least to most",
         .column = "least",
         .n = n,
         .x = values->x,
         .y = values->of[FREE_LEAST],
         .high = values->of[FREE_MOST]},
        {.kind = HC_SERIES_LINE,
         .color = HC_GREEN,
         .name = "mean",
         .n = n,
         .x = values->x,
         .y = values->of[FREE_MEAN]},
    };
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "free-nodes",
        .title = "Nodes that were free as a whole",
        .note = "A job of more nodes would not have fitted.",
        .x = day_axis(report, title),
        .y = {.title = "nodes", .is_counts = true},
        .n_series = 2,
        .series = series,
    };
    hc_axis_widen(&figure.y, values->of[FREE_MOST], n);
    hc_axis_round(&figure.y, 5);
    return n > 1 ? hc_figure_put(sink, &figure, err) : HC_OK;
}

static enum hc_status put_backlog(const struct hc_figure_sink *sink,
                                  const struct hc_capacity_report *report,
                                  const struct day_values *values, struct hc_error *err)
{
    char title[64];
    size_t n = report->result->n_days;
    const struct hc_figure_series series = {.kind = HC_SERIES_LINE,
                                            .color = HC_VERMILLION,
                                            .name = "backlog",
                                            .n = n,
                                            .x = values->x,
                                            .y = values->of[BACKLOG]};
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "backlog",
        .title = "Work that waited at the end of each day",
        .note =
            "GPUs of jobs that could have begun, times how long they ran later, or their limit.",
        .x = day_axis(report, title),
        .y = {.title = "GPU-hours"},
        .n_series = 1,
        .series = &series,
    };
    hc_axis_widen(&figure.y, values->of[BACKLOG], n);
    if (n < 2 || figure.y.high <= 0) /* nothing ever waited */
        return HC_OK;
    hc_axis_round(&figure.y, 5);
    return hc_figure_put(sink, &figure, err);
}

/* ---- waits ---- */

static enum hc_status put_waits(const struct hc_figure_sink *sink, const struct hc_job_waits *waits,
                                struct hc_error *err)
{
    struct hc_figure_row rows[MAX_SIZES];
    char texts[MAX_SIZES][2 * HC_NUMBER_TEXT], number[2][HC_NUMBER_TEXT];
    size_t n = 0;
    double most = 0;
    for (size_t i = 0; i < waits->n_groups && n < MAX_SIZES; i++) {
        const struct hc_wait_group *group = &waits->groups[i];
        const struct hc_wait_spread *wait = &group->of[HC_WAIT_S];
        if (group->by != HC_WAITS_BY_SIZE)
            continue;
        snprintf(texts[n], sizeof texts[n], "%s h, 90 %%: %s h",
                 hc_format_fixed(wait->median / 3600, 2, number[0]),
                 hc_format_fixed(wait->p90 / 3600, 2, number[1]));
        rows[n] = (struct hc_figure_row){.name = group->name ? group->name : "?",
                                         .text = texts[n],
                                         .value = wait->median / 3600,
                                         .low = wait->median / 3600,
                                         .high = wait->p90 / 3600,
                                         .color = HC_BLUE};
        most = fmax(most, wait->p90);
        n++;
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_RANGES,
        .name = "waits-sizes",
        .title = "How long GPU jobs waited, by size",
        .note = "Median, and up to where 90 % lie.",
        .x = {.title = "wait", .unit = "h"},
        .n_rows = n,
        .rows = rows,
    };
    return most > 0 ? hc_figure_put(sink, &figure, err) : HC_OK;
}

enum hc_status hc_capacity_put_figures(const struct hc_figure_sink *sink,
                                       const struct hc_capacity_report *report,
                                       struct hc_error *err)
{
    const struct hc_capacity_result *result = report->result;
    struct day_values values;
    double *all = make_days(&values, result, err);
    if (!all)
        return err->status;
    enum hc_status status = HC_OK;
    if (result->total.installed > 0)
        status = put_total(sink, result, err);
    if (status == HC_OK)
        status = put_tree_days(sink, report, &values, err);
    if (status == HC_OK)
        status = put_partitions(sink, result, err);
    if (status == HC_OK && result->total.installed > 0)
        status = put_free_days(sink, report, &values, err);
    if (status == HC_OK)
        status = put_backlog(sink, report, &values, err);
    if (status == HC_OK)
        status = put_waits(sink, result->waits, err);
    free(all);
    return status;
}
