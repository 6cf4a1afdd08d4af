#include "reports/night/night_sections.h"

#include "core/text/number_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_night_hours(double value, char text[HC_NUMBER_TEXT])
{
    if (isnan(value))
        return "-";
    return hc_format_fixed(value, fabs(value) < 100 ? 1 : 0, text);
}

/* Indents a name on a page, where spaces at its beginning are not shown. */
#define HC_EM_SPACE "\xe2\x80\x83"

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
    if (value == 0)
        hc_section_text(section, "");
    else
        hc_section_hours(section, value, hc_night_hours(value, text));
}

void hc_night_put_group(struct hc_section *section, const struct hc_group_row *row)
{
    put_hours(section, row->gpu_hours);
    put_share(section, row->productive_share);
    put_hours(section, row->startup);
    put_hours(section, row->lost);
    put_hours(section, row->faults);
    put_hours(section, row->stalls + row->idle);
    put_hours(section, row->unknown);
}

void hc_night_put_name(struct hc_section *section, const struct hc_night_report *report,
                       enum hc_night_page_kind kind, const char *name, const char *up)
{
    char path[HC_NIGHT_PAGE_PATH], href[HC_NIGHT_PAGE_PATH + 4];
    if (hc_night_page_link(report, kind, name, path)) {
        snprintf(href, sizeof href, "%s%s", up, path);
        hc_section_link(section, href, name);
    } else {
        hc_section_text(section, name);
    }
}

/* ---- tables ---- */

/* The name of a leaf in the two views: text indents the reasons; HTML also the leaves of a branch
 * (start-up, productive), which has a row of its own there. */
static void put_leaf_name(struct hc_section *section, const struct hc_leaf_row *row,
                          bool has_branch)
{
    char name[80], html[120];
    const char *title = hc_what_title(row->what), *colon = strchr(title, ':');
    if (row->why == HC_WHY_COUNT) {
        snprintf(name, sizeof name, "%s", title);
        snprintf(html, sizeof html, "%s%s", has_branch ? HC_EM_SPACE : "",
                 has_branch && colon ? colon + 2 : title);
    } else {
        bool is_sure = row->why == HC_WHY_INFRASTRUCTURE;
        snprintf(name, sizeof name, "  %s%s%s", hc_why_title(row->why), is_sure ? ", " : "",
                 is_sure ? hc_evidence_name(row->evidence) : "");
        snprintf(html, sizeof html, "%s" HC_EM_SPACE "– %s", has_branch ? HC_EM_SPACE : "",
                 name + 2);
    }
    hc_section_text(section, name);
    hc_section_text(section, html);
}

static void put_leaf(struct hc_section *section, const struct hc_leaf_row *row)
{
    put_hours(section, row->gpu_hours);
    put_share(section, row->share);
    put_hours(section, row->estimated);
    put_hours(section, row->day_before);
    put_hours(section, row->week_before);
    put_hours(section, row->four_weeks_before);
}

/* The branch of the tree that a leaf is on, where it has several leaves; else NULL. */
static const char *branch_of(enum hc_what what)
{
    const char *name = hc_what_name(what);
    if (strncmp(name, "startup.", 8) == 0)
        return "start-up";
    return strncmp(name, "productive.", 11) == 0 ? "productive" : NULL;
}

static bool are_on_one_branch(enum hc_what a, enum hc_what b)
{
    const char *of_a = branch_of(a), *of_b = branch_of(b);
    return of_a && of_b && strcmp(of_a, of_b) == 0;
}

/* In HTML, the sum of a branch before its first leaf. */
static void put_branch(struct hc_section *section, const struct hc_night_result *result, size_t i)
{
    struct hc_leaf_row sum = result->leaves[i];
    for (size_t k = i + 1; k < result->n_leaves; k++) {
        const struct hc_leaf_row *row = &result->leaves[k];
        if (row->why != HC_WHY_COUNT || !are_on_one_branch(row->what, sum.what))
            continue;
        sum.gpu_hours += row->gpu_hours;
        sum.share += row->share;
        sum.estimated += row->estimated;
        sum.day_before += row->day_before;
        sum.week_before += row->week_before;
        sum.four_weeks_before += row->four_weeks_before;
    }
    hc_section_text(section, "");
    hc_section_text(section, branch_of(sum.what));
    put_leaf(section, &sum);
}

struct hc_section hc_night_leaves_section(const struct hc_night_report *report)
{
    const struct hc_night_result *result = report->result;
    static const struct hc_section_column columns[] = {
        {.title = "what, and why",
         .width = 38,
         .is_whole = true,
         .only = HC_TEXT_ONLY,
         .is_needed = true},
        {.title = "what, and why", .only = HC_HTML_ONLY},
        {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
        {.title = "estimated", .gap = 1, .width = 9, .is_right = true},
        {.title = "day before", .gap = 1, .width = 10, .is_right = true},
        {.title = "7 days", .html_title = "7 days before", .gap = 1, .width = 8, .is_right = true},
        {.title = "28 days",
         .html_title = "28 days before",
         .gap = 1,
         .width = 8,
         .is_right = true},
    };
    struct hc_section section = {
        .title = "WHERE THE GPU-HOURS WENT", .columns = columns, .n_columns = 8};
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *row = &result->leaves[i];
        bool has_branch = branch_of(row->what) != NULL;
        if (has_branch && (i == 0 || !are_on_one_branch(result->leaves[i - 1].what, row->what)))
            put_branch(&section, result, i);
        put_leaf_name(&section, row, has_branch);
        put_leaf(&section, row);
    }
    return section;
}

/* Rows that are not shown. */
static void put_rest(struct hc_section *section, const struct hc_night_report *report, size_t n)
{
    if (n > report->top)
        hc_section_note(section,
                        report->pages ? "%zu more are in the tables of the report"
                                      : "%zu more (--top)",
                        n - report->top);
}

struct hc_section hc_night_restated_section(const struct hc_night_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "day", .width = 10},
        {.title = "what", .gap = 2, .width = 30},
        {.title = "said before", .gap = 1, .width = 11, .is_right = true},
        {.title = "now", .gap = 1, .width = 8, .is_right = true},
        {.title = "most of it", .gap = 1, .width = 20},
        {.title = "why", .gap = 1, .width = 44},
    };
    struct hc_section section = {
        .title = "RESTATED SINCE THE DAY BEGAN", .columns = columns, .n_columns = 6};
    for (size_t i = 0; report->restated && i < report->restated->n; i++) {
        const struct hc_restated_row *row = &report->restated->rows[i];
        hc_section_text(&section, row->day);
        hc_section_text(&section, hc_what_title(row->what));
        put_hours(&section, row->before_gpu_hours);
        put_hours(&section, row->now_gpu_hours);
        hc_section_text(&section, row->run < 0
                                      ? "attempts without a run"
                                      : report->names->run_name(row->run, report->names->context));
        hc_section_text(&section, row->reason);
    }
    return section;
}

struct hc_section hc_night_installed_section(const struct hc_night_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "installed GPU-time", .width = 38, .is_whole = true},
        {.title = "GPU-hours", .gap = 1, .width = 10, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
    };
    struct hc_section section = {
        .title = "OF WHAT IS INSTALLED", .columns = columns, .n_columns = 3};
    const struct hc_capacity_result *installed = report->installed;
    for (int leaf = 0; installed && leaf < HC_N_CAPACITY_LEAVES; leaf++) {
        double hours = installed->total.hours[leaf];
        if (!(hours > 0))
            continue;
        hc_section_text(&section, hc_capacity_leaf_title((enum hc_capacity_leaf)leaf));
        put_hours(&section, hours);
        put_share(&section, hours / installed->total.installed);
    }
    if (installed && installed->begins_at_allocated)
        hc_section_note(&section, "Nothing tells which GPUs are installed: the tree begins at "
                                  "allocated (ingest snapshots of scontrol show node).");
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
        if (dimension == HC_CUBE_USER)
            hc_night_put_name(&section, report, HC_NIGHT_PAGE_USER, row->name, "");
        else
            hc_section_text(&section, row->name);
        hc_night_put_group(&section, row);
    }
    put_rest(&section, report, rows->n);
    return section;
}

struct hc_section hc_night_nodes_section(const struct hc_night_report *report)
{
    struct hc_section section = {.title = "NODES", .columns = group_columns, .n_columns = 8};
    struct hc_error ignored;
    size_t n = report->result->by[HC_CUBE_NODE].n;
    const struct hc_group_row **nodes = hc_night_dearest_nodes(report->result, &ignored);
    section.has_failed = !nodes;
    for (size_t i = 0; i < n && i < report->top && nodes; i++) {
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_NODE, nodes[i]->name, "");
        hc_night_put_group(&section, nodes[i]);
    }
    put_rest(&section, report, n);
    free(nodes);
    return section;
}

struct hc_section hc_night_incidents_section(const struct hc_night_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "job", .width = 9, .is_right = true},
        {.title = "run", .only = HC_HTML_ONLY},
        {.title = "user", .only = HC_HTML_ONLY},
        {.title = "node", .only = HC_HTML_ONLY},
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
        .title = "INCIDENTS BY COST, IN ALL, ON WHATEVER DAY", .columns = columns, .n_columns = 11};
    for (size_t i = 0; i < result->n_incidents && i < report->top; i++) {
        const struct hc_incident_row *row = &result->incidents[i];
        char side[64];
        snprintf(side, sizeof side, "%s%s%s", hc_failure_side_name(row->failure->side),
                 row->failure->side == HC_SIDE_INFRASTRUCTURE ? ", " : "",
                 row->failure->side == HC_SIDE_INFRASTRUCTURE
                     ? hc_evidence_name(row->failure->evidence)
                     : "");
        hc_section_job(&section, row->failure->job);
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_RUN, row->run, "");
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_USER, row->user, "");
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_NODE, row->node, "");
        hc_section_text(&section, row->cause);
        hc_section_text(&section, side);
        put_hours(&section, row->gpu_hours);
        put_hours(&section, row->lost);
        put_hours(&section, row->detection);
        put_hours(&section, row->recovery);
        put_hours(&section, row->startup);
    }
    put_rest(&section, report, result->n_incidents);
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
        hc_night_put_name(&section, report, HC_NIGHT_PAGE_RUN, row->name, "");
        hc_section_count(&section, row->run->most_gpus);
        put_hours(&section, row->day_gpu_hours);
        put_share(&section, row->day_productive_share);
        for (int e = 0; e < HC_N_ETTRS; e++)
            put_ratio(&section, row->run->ettr[e]);
        hc_section_count(&section, row->run->n_stops);
        put_hours(&section, row->lost_gpu_hours);
    }
    put_rest(&section, report, result->n_runs);
    for (int e = 0; e < HC_N_ETTRS; e++)
        hc_section_note(&section, "%s: %s", hc_ettr_name((enum hc_ettr)e),
                        hc_ettr_sentence((enum hc_ettr)e));
    return section;
}
