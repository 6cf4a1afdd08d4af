#include "reports/night/night_sections.h"

#include "core/text/number_format.h"

#include <math.h>
#include <string.h>

const char *hc_night_hours(double value, char text[HC_NUMBER_TEXT])
{
    if (isnan(value))
        return "-";
    return hc_format_fixed(value, fabs(value) < 100 ? 1 : 0, text);
}

/* Nothing is left empty. */
static void put_share(struct hc_section *section, double share)
{
    if (share > 0)
        hc_section_percent(section, share);
    else
        hc_section_text(section, "");
}

static void put_hours(struct hc_section *section, double value)
{
    char text[HC_NUMBER_TEXT];
    hc_section_text(section, value == 0 ? "" : hc_night_hours(value, text));
}

/* ---- tables ---- */

struct hc_section hc_night_leaves_section(const struct hc_night_report *report)
{
    const struct hc_night_result *result = report->result;
    static const struct hc_section_column columns[] = {
        {.title = "what, and why", .width = 38, .is_whole = true},
        {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
        {.title = "estimated", .gap = 1, .width = 9, .is_right = true},
        {.title = "day before", .gap = 1, .width = 10, .is_right = true},
        {.title = "7 days", .gap = 1, .width = 8, .is_right = true},
        {.title = "28 days", .gap = 1, .width = 8, .is_right = true},
    };
    struct hc_section section = {
        .title = "WHERE THE GPU-HOURS WENT", .columns = columns, .n_columns = 7};
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *row = &result->leaves[i];
        char name[80];
        bool is_all = row->why == HC_WHY_COUNT;
        bool is_sure = row->why == HC_WHY_INFRASTRUCTURE;
        snprintf(name, sizeof name, "%s%s%s%s", is_all ? "" : "  ",
                 is_all ? hc_what_title(row->what) : hc_why_title(row->why),
                 is_sure && !is_all ? ", " : "",
                 is_sure && !is_all ? hc_evidence_name(row->evidence) : "");
        hc_section_text(&section, name);
        put_hours(&section, row->gpu_hours);
        put_share(&section, row->share);
        put_hours(&section, row->estimated);
        put_hours(&section, row->day_before);
        put_hours(&section, row->week_before);
        put_hours(&section, row->four_weeks_before);
    }
    return section;
}

static const struct hc_section_column group_columns[] = {
    {.title = "name", .width = 26},
    {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
    {.title = "productive", .gap = 1, .width = 10, .is_right = true},
    {.title = "start-up", .gap = 1, .width = 8, .is_right = true},
    {.title = "lost", .gap = 1, .width = 8, .is_right = true},
    {.title = "faults", .gap = 1, .width = 8, .is_right = true},
    {.title = "other", .gap = 1, .width = 8, .is_right = true},
    {.title = "unknown", .gap = 1, .width = 9, .is_right = true},
};

struct hc_section hc_night_groups_section(const struct hc_night_report *report,
                                          enum hc_cube_dimension dimension)
{
    static const char *const titles[HC_N_CUBE_DIMENSIONS] = {[HC_CUBE_USER] = "USERS",
                                                             [HC_CUBE_ACCOUNT] = "ACCOUNTS",
                                                             [HC_CUBE_PARTITION] = "PARTITIONS",
                                                             [HC_CUBE_SIZE] = "GPUS OF A JOB",
                                                             [HC_CUBE_RUN] = "RUNS",
                                                             [HC_CUBE_NODE] = "NODES",
                                                             [HC_CUBE_CAUSE] =
                                                                 "CAUSES OF FAILURES"};
    const struct hc_group_rows *rows = &report->result->by[dimension];
    struct hc_section section = {
        .title = titles[dimension], .columns = group_columns, .n_columns = 8};
    for (size_t i = 0; i < rows->n && i < report->top; i++) {
        const struct hc_group_row *row = &rows->rows[i];
        hc_section_text(&section, row->name);
        put_hours(&section, row->gpu_hours);
        put_share(&section, row->productive_share);
        put_hours(&section, row->startup);
        put_hours(&section, row->lost);
        put_hours(&section, row->faults);
        put_hours(&section, row->stalls + row->idle);
        put_hours(&section, row->unknown);
    }
    if (rows->n > report->top)
        hc_section_note(&section, "%zu more (--top)", rows->n - report->top);
    return section;
}

struct hc_section hc_night_incidents_section(const struct hc_night_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "job", .width = 9, .is_right = true},
        {.title = "cause", .gap = 2, .width = 28},
        {.title = "side", .gap = 1, .width = 24},
        {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
        {.title = "lost", .gap = 1, .width = 8, .is_right = true},
        {.title = "detection", .gap = 1, .width = 9, .is_right = true},
        {.title = "recovery", .gap = 1, .width = 8, .is_right = true},
        {.title = "start-up", .gap = 1, .width = 8, .is_right = true},
    };
    const struct hc_night_result *result = report->result;
    struct hc_section section = {
        .title = "INCIDENTS BY COST, IN ALL, ON WHATEVER DAY", .columns = columns, .n_columns = 8};
    for (size_t i = 0; i < result->n_incidents && i < report->top; i++) {
        const struct hc_incident_row *row = &result->incidents[i];
        char side[64];
        snprintf(side, sizeof side, "%s%s%s", hc_failure_side_name(row->failure->side),
                 row->failure->side == HC_SIDE_INFRASTRUCTURE ? ", " : "",
                 row->failure->side == HC_SIDE_INFRASTRUCTURE
                     ? hc_evidence_name(row->failure->evidence)
                     : "");
        hc_section_count(&section, row->failure->job);
        hc_section_text(&section, row->cause);
        hc_section_text(&section, side);
        put_hours(&section, row->gpu_hours);
        put_hours(&section, row->lost);
        put_hours(&section, row->detection);
        put_hours(&section, row->recovery);
        put_hours(&section, row->startup);
    }
    if (result->n_incidents > report->top)
        hc_section_note(&section, "%zu more (--top)", result->n_incidents - report->top);
    return section;
}

static void put_ratio(struct hc_section *section, double value)
{
    char text[HC_NUMBER_TEXT];
    hc_section_text(section, isnan(value) ? "-" : hc_format_fixed(value, 4, text));
}

struct hc_section hc_night_runs_section(const struct hc_night_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "run", .width = 22},
        {.title = "GPUs", .gap = 1, .width = 6, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
        {.title = "productive", .gap = 1, .width = 10, .is_right = true},
        {.title = "meta", .gap = 1, .width = 7, .is_right = true},
        {.title = "byterobust", .gap = 1, .width = 10, .is_right = true},
        {.title = "goodput", .gap = 1, .width = 7, .is_right = true},
        {.title = "nominal", .gap = 1, .width = 7, .is_right = true},
        {.title = "failures", .gap = 1, .width = 8, .is_right = true},
        {.title = "lost in all", .gap = 1, .width = 11, .is_right = true},
    };
    const struct hc_night_result *result = report->result;
    struct hc_section section = {.title =
                                     "RUNS, AND THEIR ETTR (EFFECTIVE TRAINING TIME RATIO) SO FAR",
                                 .columns = columns,
                                 .n_columns = 10};
    for (size_t i = 0; i < result->n_runs && i < report->top; i++) {
        const struct hc_run_row *row = &result->runs[i];
        hc_section_text(&section, row->name);
        hc_section_count(&section, row->run->most_gpus);
        put_hours(&section, row->day_gpu_hours);
        put_share(&section, row->day_productive_share);
        for (int e = 0; e < HC_N_ETTRS; e++)
            put_ratio(&section, row->run->ettr[e]);
        hc_section_count(&section, row->run->n_stops);
        put_hours(&section, row->lost_gpu_hours);
    }
    for (int e = 0; e < HC_N_ETTRS; e++)
        hc_section_note(&section, "%s: %s", hc_ettr_name((enum hc_ettr)e),
                        hc_ettr_sentence((enum hc_ettr)e));
    return section;
}
